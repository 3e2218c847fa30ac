use breaker::breakers;

breakers! {
    pub payments { recover: Backoff { initial: 100 ms } }
}

fn main() {
    let _ = payments();
}

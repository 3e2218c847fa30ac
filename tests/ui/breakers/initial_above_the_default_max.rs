use breaker::breakers;

breakers! {
    pub payments { recover: Backoff { initial: 1min } }
}

fn main() {
    let _ = payments();
}

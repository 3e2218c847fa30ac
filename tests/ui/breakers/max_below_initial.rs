use breaker::breakers;

breakers! {
    pub payments { recover: Backoff { initial: 10s, max: 5s } }
}

fn main() {
    let _ = payments();
}

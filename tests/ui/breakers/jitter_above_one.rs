use breaker::breakers;

breakers! {
    pub payments { recover: Backoff { jitter: 2.0 } }
}

fn main() {
    let _ = payments();
}

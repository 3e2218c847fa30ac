use breaker::breakers;

breakers! {
    pub payments { recover: Backoff { successes: 256 } }
}

fn main() {
    let _ = payments();
}

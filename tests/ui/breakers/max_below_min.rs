use breaker::breakers;

breakers! {
    pub payments { recover: RetryAfter { min: 1min, max: 5s } }
}

fn main() {
    let _ = payments();
}

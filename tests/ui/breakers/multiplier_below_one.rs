use breaker::breakers;

breakers! {
    pub payments { recover: Backoff { multiplier: 0.5 } }
}

fn main() {
    let _ = payments();
}

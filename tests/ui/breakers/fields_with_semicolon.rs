use breaker::breakers;

breakers! {
    pub payments { strategy: Count {}; recover: Backoff {} }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { strategy:, recover: Backoff { initial: 1s } }
}

fn main() {
    let _ = payments();
}

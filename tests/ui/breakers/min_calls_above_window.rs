use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { window: Calls(10), min_calls: 20 } }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { window: Calls(20_000) } }
}

fn main() {
    let _ = payments();
}

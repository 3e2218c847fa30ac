use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { window: Calls(10s) } }
}

fn main() {
    let _ = payments();
}

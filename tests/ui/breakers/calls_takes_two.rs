use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { window: Calls(10, 20) } }
}

fn main() {
    let _ = payments();
}

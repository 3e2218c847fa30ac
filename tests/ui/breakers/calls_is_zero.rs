use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { window: Calls(0) } }
}

fn main() {
    let _ = payments();
}

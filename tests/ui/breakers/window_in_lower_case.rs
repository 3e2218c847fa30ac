use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { window: calls(10) } }
}

fn main() {
    let _ = payments();
}

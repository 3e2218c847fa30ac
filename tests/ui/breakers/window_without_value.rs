use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { window: Calls } }
}

fn main() {
    let _ = payments();
}

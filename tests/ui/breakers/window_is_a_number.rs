use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { window: 100 } }
}

fn main() {
    let _ = payments();
}

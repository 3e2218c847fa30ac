use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { window: Cals(100) } }
}

fn main() {
    let _ = payments();
}

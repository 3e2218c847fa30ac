use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { rate: 1.5 } }
}

fn main() {
    let _ = payments();
}

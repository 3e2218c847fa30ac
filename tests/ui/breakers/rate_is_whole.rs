use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { rate: 1 } }
}

fn main() {
    let _ = payments();
}

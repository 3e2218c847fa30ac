use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { rate: 50% } }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { strategy: Count { threshold: 5_000_000_000 } }
}

fn main() {
    let _ = payments();
}

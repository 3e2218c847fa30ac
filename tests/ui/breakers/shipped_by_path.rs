use breaker::breakers;

breakers! {
    pub payments { strategy: breaker::Count { threshold: 0, ..breaker::Count::DEFAULT } }
}

fn main() {
    let _ = payments();
}

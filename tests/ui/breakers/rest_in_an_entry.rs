use breaker::breakers;

breakers! {
    pub payments { strategy: Count { threshold: 3 }, .. }
}

fn main() {
    let _ = payments();
}

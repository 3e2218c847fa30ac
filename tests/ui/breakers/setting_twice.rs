use breaker::breakers;

breakers! {
    pub payments { strategy: Count { threshold: 3, threshold: 4 } }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { strategy: Count { threshold: 1.5 } }
}

fn main() {
    let _ = payments();
}

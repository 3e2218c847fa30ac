use breaker::breakers;

breakers! {
    pub payments { strategy: Count { threshold: 0 } }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { strategy: Count { threshold: "three" } }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub { strategy: Count { threshold: 3 } }
    pub payments {}
}

fn main() {
    let _ = payments();
}

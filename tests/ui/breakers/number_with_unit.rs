use breaker::breakers;

breakers! {
    pub payments { strategy: Count { threshold: 3s } }
}

fn main() {
    let _ = payments();
}

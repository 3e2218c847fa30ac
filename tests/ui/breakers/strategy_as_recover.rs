use breaker::breakers;

breakers! {
    pub payments { recover: Count { threshold: 1 } }
}

fn main() {
    let _ = payments();
}

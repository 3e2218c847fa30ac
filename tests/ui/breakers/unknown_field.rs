use breaker::breakers;

breakers! {
    pub payments { stratgy: Count { threshold: 3 } }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { /// Of what?
        strategy: Count { threshold: 3 } }
}

fn main() {
    let _ = payments();
}

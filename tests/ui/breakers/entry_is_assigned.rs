use breaker::breakers;

breakers! {
    pub payments = Count { threshold: 3 };
}

fn main() {
    let _ = payments();
}

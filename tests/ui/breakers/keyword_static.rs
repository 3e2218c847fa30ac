use breaker::breakers;

breakers! {
    pub static payments: Count { threshold: 3 }
}

fn main() {
    let _ = payments();
}

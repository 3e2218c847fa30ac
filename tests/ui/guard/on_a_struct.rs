use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

#[circuit_breaker(payments)]
struct Pay;

fn main() {
    let _ = Pay;
}

use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

struct Pay;

#[circuit_breaker(payments)]
impl Pay {
    fn pay(&self) {}
}

fn main() {
    Pay.pay();
}

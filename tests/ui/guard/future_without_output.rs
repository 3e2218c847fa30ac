use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

#[circuit_breaker(payments)]
fn pay(n: u32) -> impl Future {
    let _ = n;
    async { 1 }
}

fn main() {
    let _ = pay(1);
}

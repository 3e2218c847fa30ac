use breaker::{Outcome, breakers, circuit_breaker};
use std::time::Duration;

breakers! {
    pub payments {}
}

#[circuit_breaker(payments, timeout: 2s)]
async fn pay(order: String) -> Result<usize, breaker::Error<u8>> {
    drop(order);
    Ok(1)
}

fn main() {
    let _ = (pay(String::new()), Outcome::Success, Duration::ZERO);
}

use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

#[circuit_breaker(payments, crate = "breaker")]
async fn pay(n: u32) -> Result<u32, breaker::Rejected> {
    let _ = n;
    Ok(1)
}

fn main() {
    let _ = pay(1);
}

use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

#[circuit_breaker(payments, crate = ::braker)]
async fn pay(n: u32) -> Result<u32, breaker::Rejected> {
    Ok(n)
}

fn main() {
    let _ = pay(1);
}

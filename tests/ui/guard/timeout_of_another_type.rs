use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

#[circuit_breaker(payments, timeout = "2s".len())]
async fn pay(n: u32) -> Result<u32, breaker::Error<u8>> {
    let _ = n;
    Ok(1)
}

fn main() {
    let _ = pay(1);
}

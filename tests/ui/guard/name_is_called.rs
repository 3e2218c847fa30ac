use breaker::{Rejected, breakers, circuit_breaker};

breakers! {
    pub payments {}
}

#[circuit_breaker(payments())]
async fn pay(n: u32) -> Result<u32, Rejected> {
    Ok(n)
}

fn main() {
    let _ = pay(1);
}

use breaker::circuit_breaker;

fn payments() -> u8 {
    3
}

#[circuit_breaker(payments)]
async fn pay(n: u32) -> Result<u32, breaker::Rejected> {
    Ok(n)
}

fn main() {
    let _ = (pay(1), payments());
}

use breaker::circuit_breaker;

static PAYMENTS: u8 = 3;

#[circuit_breaker(PAYMENTS)]
fn pay(n: u32) -> Result<u32, breaker::Rejected> {
    Ok(n)
}

fn main() {
    let _ = pay(1);
}

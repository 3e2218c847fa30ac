use breaker::{Rejected, breakers, circuit_breaker};

breakers! {
    pub search {}
}

#[circuit_breaker(search, fallback = |_| 0)]
async fn find(n: u32) -> Result<u32, Rejected> {
    let _ = n;
    Ok(1)
}

fn main() {
    let _ = find(1);
}

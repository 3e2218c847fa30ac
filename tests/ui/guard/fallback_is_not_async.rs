use breaker::{Rejected, breakers, circuit_breaker};

breakers! {
    pub search {}
}

fn nothing(_: Rejected) -> Result<u32, Rejected> {
    Ok(0)
}

#[circuit_breaker(search, fallback = nothing)]
async fn find(n: u32) -> Result<u32, Rejected> {
    let _ = n;
    Ok(1)
}

fn main() {
    let _ = find(1);
}

use breaker::{Rejected, breakers, circuit_breaker};

breakers! {
    pub search {}
}

#[circuit_breaker(search, fallback = |error: String| Ok(error.len()))]
fn find(n: usize) -> Result<usize, Rejected> {
    Ok(n)
}

fn main() {
    let _ = find(1);
}

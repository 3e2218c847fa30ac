use breaker::{Outcome, Rejected, breakers, circuit_breaker};

breakers! {
    pub search {}
}

fn always<T>(_: &Result<T, String>) -> Outcome {
    Outcome::Success
}

#[circuit_breaker(search, classify = always)]
fn find(n: u32) -> Result<u32, Rejected> {
    let _ = n;
    Ok(1)
}

fn main() {
    let _ = find(1);
}

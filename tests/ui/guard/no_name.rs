use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

#[circuit_breaker]
fn pay() -> Result<u32, breaker::Rejected> {
    Ok(1)
}

fn main() {
    let _ = pay();
}

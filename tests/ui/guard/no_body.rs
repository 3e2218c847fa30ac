use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

trait Pay {
    #[circuit_breaker(payments)]
    fn pay(&self) -> Result<u32, breaker::Rejected>;
}

impl Pay for u8 {
    fn pay(&self) -> Result<u32, breaker::Rejected> {
        Ok(1)
    }
}

fn main() {
    let _ = 1_u8.pay();
}

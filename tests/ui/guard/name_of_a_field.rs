use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

struct Client {
    breaker: u8,
}

impl Client {
    #[circuit_breaker(self.breaker)]
    fn pay(&self) -> Result<u8, breaker::Rejected> {
        Ok(self.breaker)
    }
}

fn main() {
    let _ = Client { breaker: 1 }.pay();
}

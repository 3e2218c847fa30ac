use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

struct Client;

impl Client {
    #[circuit_breaker(Self::payments)]
    fn pay(&self) -> Result<u8, breaker::Rejected> {
        Ok(1)
    }
}

fn main() {
    let _ = Client.pay();
}

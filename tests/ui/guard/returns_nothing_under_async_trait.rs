use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

#[async_trait::async_trait]
trait Pay {
    #[circuit_breaker(payments)]
    async fn pay(&self) {}
}

fn main() {}

use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

#[circuit_breaker(payments)]
async fn pay() {}

fn main() {
    let _ = pay();
}

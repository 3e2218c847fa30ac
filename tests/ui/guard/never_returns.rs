use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

#[circuit_breaker(payments)]
fn pay() -> ! {
    std::process::exit(0)
}

fn main() {
    pay();
}

use breaker::{breakers, circuit_breaker};

breakers! {
    pub payments {}
}

type Later<T> = std::pin::Pin<Box<dyn Future<Output = T>>>;

#[circuit_breaker(payments, on_open = Box::pin(async { 1 }), classify = |_| breaker::Outcome::Success)]
fn pay() -> Later<u32> {
    Box::pin(async { 2 })
}

fn main() {
    let _ = pay();
}

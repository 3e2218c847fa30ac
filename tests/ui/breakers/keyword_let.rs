use breaker::breakers;

breakers! {
    let payments = Count {};
}

fn main() {
    let _ = payments();
}

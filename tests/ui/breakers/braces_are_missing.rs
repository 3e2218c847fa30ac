use breaker::breakers;

breakers! {
    pub payments
    pub search {}
}

fn main() {
    let _ = payments();
}

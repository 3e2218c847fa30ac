use breaker::breakers;

breakers! {
    pub _ {}
    pub payments {}
}

fn main() {
    let _ = payments();
}

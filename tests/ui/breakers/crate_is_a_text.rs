use breaker::breakers;

breakers! {
    crate = "breaker";
    pub payments {}
}

fn main() {
    let _ = payments();
}

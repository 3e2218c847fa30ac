use breaker::breakers;

breakers! {
    clasify: breaker::ByError;
    pub payments {}
}

fn main() {
    let _ = payments();
}

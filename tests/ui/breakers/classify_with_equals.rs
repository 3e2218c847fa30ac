use breaker::breakers;

breakers! {
    classify = breaker::ByError;
    pub payments {}
}

fn main() {
    let _ = payments();
}

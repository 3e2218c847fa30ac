use breaker::breakers;

breakers! {
    pub payments {}
    classify: breaker::ByError;
}

fn main() {
    let _ = payments();
}

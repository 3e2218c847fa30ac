#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(ingored)]
    One,
}

fn main() {
    let _ = breaker::ClassifyError::outcome(&Fail::One);
}

#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(ignored, success)]
    One,
}

fn main() {
    let _ = breaker::ClassifyError::outcome(&Fail::One);
}

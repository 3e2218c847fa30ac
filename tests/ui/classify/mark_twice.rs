#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(ignored, ignored)]
    One,
}

fn main() {
    let _ = breaker::ClassifyError::outcome(&Fail::One);
}

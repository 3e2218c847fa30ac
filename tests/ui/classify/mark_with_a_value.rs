#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(ignored = true)]
    One,
}

fn main() {
    let _ = breaker::ClassifyError::outcome(&Fail::One);
}

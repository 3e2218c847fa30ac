#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(failure, retry_after = after)]
    One,
}

fn main() {
    let _ = breaker::ClassifyError::outcome(&Fail::One);
}

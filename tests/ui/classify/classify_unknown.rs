#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(classify = by_nobody)]
    One,
}

fn main() {
    let _ = breaker::ClassifyError::outcome(&Fail::One);
}

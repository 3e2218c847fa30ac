#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(classify)]
    One,
}

fn main() {
    let _ = breaker::ClassifyError::outcome(&Fail::One);
}

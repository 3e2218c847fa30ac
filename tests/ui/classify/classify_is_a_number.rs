#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(classify = 3)]
    One,
}

fn main() {
    let _ = breaker::ClassifyError::outcome(&Fail::One);
}

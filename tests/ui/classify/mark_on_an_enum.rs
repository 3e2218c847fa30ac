#[derive(Debug, breaker::Classify)]
#[breaker(ignored)]
enum Fail {
    One,
}

fn main() {
    let _ = breaker::ClassifyError::outcome(&Fail::One);
}

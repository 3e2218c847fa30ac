#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(crate = ::breaker)]
    One,
}

fn main() {
    let _ = breaker::ClassifyError::outcome(&Fail::One);
}

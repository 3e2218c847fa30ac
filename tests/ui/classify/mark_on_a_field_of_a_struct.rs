#[derive(Debug, breaker::Classify)]
struct PayError {
    #[breaker(retry_after)]
    after: std::time::Duration,
}

fn main() {
    let _ = PayError { after: std::time::Duration::ZERO }.after;
}

#[derive(Debug, breaker::Classify)]
enum PayError {
    #[breaker(ignored success)]
    Missing,
    #[breaker(ignored success)]
    Declined,
}

fn main() {
    let _ = PayError::Missing;
}

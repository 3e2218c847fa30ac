#[derive(Debug, breaker::Classify)]
enum PayError {
    Missing(#[breaker(ignored)] u8),
}

fn main() {
    let _ = PayError::Missing(1);
}

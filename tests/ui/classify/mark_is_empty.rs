#[derive(Debug, breaker::Classify)]
enum PayError {
    #[breaker()]
    Missing,
}

fn main() {
    let _ = PayError::Missing;
}

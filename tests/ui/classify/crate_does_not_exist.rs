#[derive(Debug, breaker::Classify)]
#[breaker(crate = ::braker)]
enum PayError {
    Missing,
}

fn main() {
    let _ = PayError::Missing;
}

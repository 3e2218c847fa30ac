#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(failure, retry_after = 0)]
    One(u8),
}

fn main() {
    let _ = std::mem::size_of::<Fail>();
}

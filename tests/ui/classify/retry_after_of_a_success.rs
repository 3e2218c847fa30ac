#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(success, retry_after = 0)]
    One(std::time::Duration),
}

fn main() {
    let _ = std::mem::size_of::<Fail>();
}

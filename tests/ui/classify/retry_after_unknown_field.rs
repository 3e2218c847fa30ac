#[derive(Debug, breaker::Classify)]
enum Fail {
    #[breaker(failure, retry_after = aftr)]
    One { after: std::time::Duration },
}

fn main() {
    let _ = std::mem::size_of::<Fail>();
}

#[derive(Clone, Copy, breaker::Classify)]
union Fail {
    one: u8,
}

fn main() {
    let _ = Fail { one: 1 };
}

use breaker as _;

breaker::breakers! {
    crate = ::braker;
    pub payments {}
    pub maps {}
}

fn main() {}

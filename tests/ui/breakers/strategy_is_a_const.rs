use breaker::{Count, breakers};

const LIMITS: Count = Count { threshold: 3, ..Count::DEFAULT };

breakers! {
    pub payments { strategy: LIMITS }
}

fn main() {
    let _ = (payments(), LIMITS);
}

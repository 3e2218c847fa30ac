use breaker::breakers;

const NONE: u32 = 0;

breakers! {
    pub payments { strategy: Count { threshold: NONE } }
}

fn main() {
    let _ = payments();
}

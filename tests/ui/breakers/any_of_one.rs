use breaker::breakers;

breakers! {
    pub payments { strategy: AnyOf(Count { threshold: 3 }) }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { strategy: AnyOf { threshold: 3 } }
}

fn main() {
    let _ = payments();
}

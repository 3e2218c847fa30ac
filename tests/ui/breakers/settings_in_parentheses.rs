use breaker::breakers;

breakers! {
    pub payments { strategy: Count(3) }
}

fn main() {
    let _ = payments();
}

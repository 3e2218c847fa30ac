use breaker::breakers;

breakers! {
    pub payments { strategy: Count }
}

fn main() {
    let _ = payments();
}

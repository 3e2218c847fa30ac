use breaker::breakers;

breakers! {
    pub payments { strategy: Count::DEFAULT }
}

fn main() {
    let _ = payments();
}

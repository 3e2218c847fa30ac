use breaker::breakers;

breakers! {
    pub payments { strategy: Count { treshold: 3 } }
}

fn main() {
    let _ = payments();
}

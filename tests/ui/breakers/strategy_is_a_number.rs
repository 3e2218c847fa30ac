use breaker::breakers;

breakers! {
    pub payments { strategy: 3 }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { strategy: SlowCallRate { rate: 0.5 } }
}

fn main() {
    let _ = payments();
}

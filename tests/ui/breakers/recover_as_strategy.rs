use breaker::breakers;

breakers! {
    pub payments { strategy: Backoff { initial: 1s } }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { recover: Patience { wait: 3s } }
}

fn main() {
    let _ = payments();
}

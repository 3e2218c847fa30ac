use breaker::breakers;

breakers! {
    pub payments { recover: BasicTimeout { reset_timeout: 30s + 5s } }
}

fn main() {
    let _ = payments();
}

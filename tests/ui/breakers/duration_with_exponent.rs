use breaker::breakers;

breakers! {
    pub payments { recover: BasicTimeout { reset_timeout: 1e3s } }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { recover: BasicTimeout { reset_timeout: 0s } }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { recover: BasicTimeout { reset_timeout: 30 } }
}

fn main() {
    let _ = payments();
}

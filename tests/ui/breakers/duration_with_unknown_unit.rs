use breaker::breakers;

breakers! {
    pub payments { recover: BasicTimeout { reset_timeout: 30sec } }
}

fn main() {
    let _ = payments();
}

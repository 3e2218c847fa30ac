use breaker::breakers;

breakers! {
    pub payments { strategy: FailureRate { window: Time(10) } }
}

fn main() {
    let _ = payments();
}

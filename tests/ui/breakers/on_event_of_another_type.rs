use breaker::breakers;

fn told() {}

breakers! {
    pub payments { on_event: told }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { strategy: Count {}, Backoff {} }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub fn payments { strategy: Count {} }
}

fn main() {
    let _ = payments();
}

use breaker::breakers;

breakers! {
    pub payments { strategy: Cuont { threshold: 3 } }
}

fn main() {
    let _ = payments();
}

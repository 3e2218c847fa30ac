use breaker::breakers;

breakers! {
    pub payments { abandoned_after: 2 }
}

fn main() {
    let _ = payments();
}

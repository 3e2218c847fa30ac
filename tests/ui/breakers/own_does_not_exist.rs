use breaker::breakers;

breakers! {
    pub payments { strategy: self::NoSuch { every: 3s } }
}

fn main() {
    let _ = payments();
}

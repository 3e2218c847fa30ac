use breaker::breakers;

#[derive(Clone, Copy)]
struct Mine {
    every: u32,
}

breakers! {
    payments { strategy: self::Mine { every: 3 } }
}

fn main() {
    let _ = payments();
}

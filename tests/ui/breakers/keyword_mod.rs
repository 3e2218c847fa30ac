use breaker::breakers;

breakers! {
    mod payments { maps {} }
}

fn main() {
    let _ = payments();
}

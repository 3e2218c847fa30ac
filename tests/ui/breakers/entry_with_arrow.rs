use breaker::breakers;

breakers! {
    payments => { strategy: Count {} }
}

fn main() {
    let _ = payments();
}

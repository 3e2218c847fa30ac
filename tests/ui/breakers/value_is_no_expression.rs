use breaker::breakers;

breakers! {
    pub payments { recover: EveryNth { rejections: 3 + } }
}

fn main() {
    let _ = payments();
}

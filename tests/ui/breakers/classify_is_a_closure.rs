use breaker::breakers;

breakers! {
    pub payments { classify: |_| true }
}

fn main() {
    let _ = payments();
}

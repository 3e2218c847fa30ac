use breaker::{Classify, Rejected, breakers, circuit_breaker};

#[derive(Debug, Classify)]
pub struct SearchError;

impl From<Rejected> for SearchError {
    fn from(_: Rejected) -> Self {
        SearchError
    }
}

breakers! {
    pub search { classify: SearchError }
}

#[derive(Debug)]
pub struct ListError;

impl From<Rejected> for ListError {
    fn from(_: Rejected) -> Self {
        ListError
    }
}

#[circuit_breaker(search)]
fn list(n: u32) -> Result<u32, ListError> {
    Ok(n)
}

fn main() {
    let _ = list(1);
}

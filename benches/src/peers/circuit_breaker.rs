//! `circuit_breaker` 0.1.

use super::{HOUR, shared};
use crate::{
    call::{err, ok},
    case::{Case, Who},
    runner::Row,
};
use circuit_breaker::CircuitBreaker;

const WHO: Who = Who::Peer("circuit_breaker 0.1");

fn opened() -> CircuitBreaker {
    let breaker = CircuitBreaker::new(1, HOUR);
    let _ = breaker.execute(err);
    assert!(breaker.execute(ok).is_err());
    breaker
}

pub(super) fn rows() -> Vec<Row> {
    let [steady, failing] = [(); 2].map(|()| CircuitBreaker::new(u32::MAX, HOUR));
    let rejecting = opened();
    vec![
        Row::calls(WHO, Case::Ok, move || steady.execute(|| ok())),
        Row::calls(WHO, Case::Err, move || failing.execute(|| err())),
        Row::calls(WHO, Case::Rejected, move || rejecting.execute(|| ok())),
        shared(WHO, Case::RejectedThreads, opened(), |breaker| breaker.execute(|| ok())),
        shared(WHO, Case::OkThreads, CircuitBreaker::new(u32::MAX, HOUR), |breaker| breaker.execute(|| ok())),
    ]
}

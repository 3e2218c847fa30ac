//! arcly-http-core 0.9: the breaker behind its attribute, async.

use super::{HOUR, now, shared};
use crate::{
    call::{err, finish, ok},
    case::{Case, Who},
    runner::Row,
};
use arcly_http_core::resilience::CircuitBreaker;

const WHO: Who = Who::Peer("arcly-http 0.9");

fn opened() -> CircuitBreaker {
    let breaker = CircuitBreaker::new(1, HOUR);
    let _ = finish(breaker.execute(|| now(err())));
    assert!(finish(breaker.execute(|| now(ok()))).is_err());
    breaker
}

pub(super) fn rows() -> Vec<Row> {
    let [steady, failing] = [(); 2].map(|()| CircuitBreaker::new(u32::MAX, HOUR));
    let rejecting = opened();
    vec![
        Row::calls(WHO, Case::OkAsync, move || finish(steady.execute(|| now(ok())))),
        Row::calls(WHO, Case::Err, move || finish(failing.execute(|| now(err())))).note("async"),
        Row::calls(WHO, Case::Rejected, move || finish(rejecting.execute(|| now(ok())))).note("async"),
        shared(WHO, Case::RejectedThreads, opened(), |breaker| finish(breaker.execute(|| now(ok())))).note("async"),
        shared(WHO, Case::OkThreads, CircuitBreaker::new(u32::MAX, HOUR), |breaker| {
            finish(breaker.execute(|| now(ok())))
        })
        .note("async"),
    ]
}

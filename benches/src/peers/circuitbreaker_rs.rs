//! circuitbreaker-rs 0.1.

use super::{HOUR, now, shared};
use crate::{
    call::{Failed, err, finish, ok},
    case::{Case, Who},
    runner::Row,
};
use circuitbreaker_rs::{BreakerBuilder, BreakerError, CircuitBreaker, DefaultPolicy};

const WHO: Who = Who::Peer("circuitbreaker-rs 0.1");

fn breaker(failures: u64) -> CircuitBreaker<DefaultPolicy, Failed> {
    BreakerBuilder::new().failure_threshold(2.0).consecutive_failures(failures).cooldown(HOUR).build()
}

fn opened() -> CircuitBreaker<DefaultPolicy, Failed> {
    let breaker = breaker(1);
    let _ = breaker.call(err);
    assert!(matches!(breaker.call(ok), Err(BreakerError::Open)));
    breaker
}

pub(super) fn rows() -> Vec<Row> {
    let [steady, steady_async, failing] = [(); 3].map(|()| breaker(u64::MAX));
    let rejecting = opened();
    vec![
        Row::calls(WHO, Case::Ok, move || steady.call(|| ok())),
        Row::calls(WHO, Case::OkAsync, move || finish(steady_async.call_async(|| now(ok())))),
        Row::calls(WHO, Case::Err, move || failing.call(|| err())),
        Row::calls(WHO, Case::Rejected, move || rejecting.call(|| ok())),
        shared(WHO, Case::RejectedThreads, opened(), |breaker| breaker.call(|| ok())),
        shared(WHO, Case::OkThreads, breaker(u64::MAX), |breaker| breaker.call(|| ok())),
    ]
}

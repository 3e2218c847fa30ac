//! breaker-machines 0.17, the last that today's compiler builds: failures over time, each kept as an event.

use super::{HOUR, now, shared};
use crate::{
    call::{err, finish, ok},
    case::{Case, Who},
    ours::in_hundreds,
    runner::Row,
};
use breaker_machines::{AsyncCircuitBreaker, CircuitBreaker, MemoryStorage};
use std::sync::Arc;

const WHO: Who = Who::Peer("breaker-machines 0.17");

fn breaker(failures: usize) -> CircuitBreaker {
    let hour = HOUR.as_secs_f64();
    CircuitBreaker::builder("bench")
        .failure_threshold(failures)
        .failure_window_secs(hour)
        .half_open_timeout_secs(hour)
        .build()
}

fn breaker_async(failures: usize) -> AsyncCircuitBreaker {
    let hour = HOUR.as_secs_f64();
    CircuitBreaker::builder("bench")
        .failure_threshold(failures)
        .failure_window_secs(hour)
        .half_open_timeout_secs(hour)
        .build_async()
}

/// With room for so many events, all of it taken.
fn full(events: usize) -> CircuitBreaker {
    let mut breaker = CircuitBreaker::builder("bench")
        .storage(Arc::new(MemoryStorage::with_max_events(events)))
        .failure_threshold(usize::MAX)
        .failure_window_secs(HOUR.as_secs_f64())
        .build();
    for _ in 0..events {
        let _ = breaker.call(ok);
    }
    breaker
}

fn opened_async() -> AsyncCircuitBreaker {
    let breaker = breaker_async(1);
    let _ = finish(breaker.call(|| now(err())));
    assert!(breaker.is_open());
    breaker
}

pub(super) fn rows() -> Vec<Row> {
    let (mut steady, steady_async, mut failing) = (breaker(usize::MAX), breaker_async(usize::MAX), breaker(usize::MAX));
    let mut rejecting = breaker(1);
    let _ = rejecting.call(err);
    assert!(rejecting.is_open());
    let mut high = full(10_000);
    vec![
        Row::calls(WHO, Case::Ok, move || steady.call(|| ok())),
        Row::calls(WHO, Case::OkAsync, move || finish(steady_async.call(|| now(ok())))),
        Row::calls(WHO, Case::Err, move || failing.call(|| err())),
        Row::calls(WHO, Case::Rejected, move || rejecting.call(|| ok())),
        shared(WHO, Case::RejectedThreads, opened_async(), |breaker| finish(breaker.call(|| now(ok())))).note("async"),
        shared(WHO, Case::OkThreads, breaker_async(usize::MAX), |breaker| finish(breaker.call(|| now(ok()))))
            .note("async"),
        Row::new(WHO, Case::TimeLow, |calls| {
            in_hundreds(calls, || full(100), |mut breaker| move || breaker.call(|| ok()))
        })
        .most(2_000),
        Row::calls(WHO, Case::TimeHigh, move || high.call(|| ok())).most(2_000),
    ]
}

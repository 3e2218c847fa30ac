//! tower-resilience-circuitbreaker 0.14: a tower layer, async.

use super::{HOUR, now};
use crate::{
    call::{Failed, Outcome, err, finish, ok},
    case::{Case, Who},
    runner::{Row, time},
};
use std::{
    future::Ready,
    hint::spin_loop,
    sync::Mutex,
    task::{Context, Poll, Waker},
};
use tokio::runtime::Handle;
use tower::{Layer, Service};
use tower_resilience_circuitbreaker::{
    CircuitBreaker, CircuitBreakerError, CircuitBreakerLayer, DefaultClassifier, SlidingWindowType,
};

const WHO: Who = Who::Peer("tower-resilience 0.14");

type Guarded = CircuitBreaker<Inner, DefaultClassifier>;

/// A service that is asked whether to succeed.
#[derive(Clone)]
pub(super) struct Inner;

impl Service<bool> for Inner {
    type Response = u64;
    type Error = Failed;
    type Future = Ready<Outcome>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failed>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, succeed: bool) -> Self::Future {
        now(if succeed { ok() } else { err() })
    }
}

fn call(service: &mut Guarded, succeed: bool) -> Result<u64, CircuitBreakerError<Failed>> {
    let mut context = Context::from_waker(Waker::noop());
    while Service::<bool>::poll_ready(service, &mut context).is_pending() {
        spin_loop();
    }
    finish(service.call(succeed))
}

fn streak(failures: usize) -> Guarded {
    let layer = CircuitBreakerLayer::builder().consecutive_failures(failures).wait_duration_in_open(HOUR);
    layer.build().expect("it can work").layer(Inner)
}

fn count(calls: usize) -> Guarded {
    let layer = CircuitBreakerLayer::builder().sliding_window_size(calls).minimum_number_of_calls(usize::MAX);
    layer.wait_duration_in_open(HOUR).build().expect("it can work").layer(Inner)
}

/// With so many records in its hour.
fn over_time(records: usize) -> Guarded {
    let layer = CircuitBreakerLayer::builder()
        .sliding_window_type(SlidingWindowType::TimeBased)
        .sliding_window_duration(HOUR)
        .minimum_number_of_calls(usize::MAX)
        .wait_duration_in_open(HOUR);
    let mut service = layer.build().expect("it can work").layer(Inner);
    for _ in 0..records {
        let _ = call(&mut service, true);
    }
    service
}

fn opened() -> Guarded {
    let mut service = streak(1);
    let _ = call(&mut service, false);
    assert!(matches!(call(&mut service, true), Err(CircuitBreakerError::OpenCircuit)));
    service
}

/// A clone for each thread, as tower has it. When both ask at once while it is open, one of them sleeps a millisecond,
/// for which it needs the runtime.
fn threads(case: Case, service: Guarded) -> Row {
    let (service, runtime) = (Mutex::new(service), Handle::current());
    Row::threads(WHO, case, move |_| {
        let mut service = service.lock().expect("nobody panics").clone();
        let runtime = runtime.clone();
        move || {
            let _entered = runtime.enter();
            call(&mut service, true)
        }
    })
    .note("async")
}

pub(super) fn rows() -> Vec<Row> {
    let (mut steady, mut failing, mut rejecting) = (streak(usize::MAX), streak(usize::MAX), opened());
    let (mut hundred, mut large) = (count(100), count(10_000));
    let time_row = |case, records| {
        Row::new(WHO, case, move |calls| {
            let mut service = over_time(records);
            time(calls, &mut || call(&mut service, true))
        })
        .most(100)
        .note("async")
    };
    vec![
        Row::calls(WHO, Case::OkAsync, move || call(&mut steady, true)),
        Row::calls(WHO, Case::Err, move || call(&mut failing, false)).note("async"),
        Row::calls(WHO, Case::Rejected, move || call(&mut rejecting, true)).note("async"),
        threads(Case::RejectedThreads, opened()),
        threads(Case::OkThreads, streak(usize::MAX)),
        Row::calls(WHO, Case::Calls100, move || call(&mut hundred, true)).note("async"),
        Row::calls(WHO, Case::Calls10k, move || call(&mut large, true)).note("async"),
        time_row(Case::TimeLow, 100),
        time_row(Case::TimeHigh, 10_000),
    ]
}

//! The registry's `breaker` 2.0, another project's: a streak, or a window of calls; async.

use super::{HOUR, mixed, now, shared, shared_mixed};
use crate::{
    call::{Mixed, err, finish, ok},
    case::{Case, Who},
    runner::Row,
};
use other_breaker::{BackoffStrategy, CircuitBreaker, CircuitBreakerConfig, CircuitBreakerError};

const WHO: Who = Who::Peer("breaker 2.0 (another project's)");

fn streak(failures: u32) -> CircuitBreaker {
    let config = CircuitBreakerConfig::builder().failure_rate_threshold(0.0).consecutive_failures(failures);
    CircuitBreaker::new(config.backoff(BackoffStrategy::Fixed(HOUR)).build())
}

/// A window that is full of successes.
fn window(calls: u32) -> CircuitBreaker {
    let config = CircuitBreakerConfig::builder()
        .failure_rate_threshold(1.0)
        .consecutive_failures(u32::MAX)
        .sliding_window_size(calls)
        .backoff(BackoffStrategy::Fixed(HOUR));
    let breaker = CircuitBreaker::new(config.build());
    for _ in 0..calls {
        let _ = finish(breaker.call(|| now(ok())));
    }
    breaker
}

fn opened() -> CircuitBreaker {
    let breaker = streak(1);
    let _ = finish(breaker.call(|| now(err())));
    assert!(matches!(finish(breaker.call(|| now(ok()))), Err(CircuitBreakerError::CircuitOpen)));
    breaker
}

pub(super) fn rows() -> Vec<Row> {
    let (steady, failing, rejecting) = (streak(u32::MAX), streak(u32::MAX), opened());
    let (hundred, large) = (window(100), window(10_000));
    let one = |breaker: &CircuitBreaker, calls: &mut Mixed| finish(breaker.call(|| now(calls.call())));
    vec![
        Row::calls(WHO, Case::OkAsync, move || finish(steady.call(|| now(ok())))),
        Row::calls(WHO, Case::Err, move || finish(failing.call(|| now(err())))).note("async"),
        Row::calls(WHO, Case::Rejected, move || finish(rejecting.call(|| now(ok())))).note("async"),
        shared(WHO, Case::RejectedThreads, opened(), |breaker| finish(breaker.call(|| now(ok())))).note("async"),
        shared(WHO, Case::OkThreads, streak(u32::MAX), |breaker| finish(breaker.call(|| now(ok())))).note("async"),
        Row::calls(WHO, Case::Calls100, move || finish(hundred.call(|| now(ok())))).note("async"),
        Row::calls(WHO, Case::Calls10k, move || finish(large.call(|| now(ok())))).note("async"),
        shared(WHO, Case::CallsThreads, window(10_000), |breaker| finish(breaker.call(|| now(ok())))).note("async"),
        mixed(WHO, Case::Calls100Mixed, window(100), one).note("async"),
        mixed(WHO, Case::Calls10kMixed, window(10_000), one).note("async"),
        shared_mixed(WHO, Case::CallsMixedThreads, window(100), one).note("async"),
    ]
}

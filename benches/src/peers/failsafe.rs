//! failsafe 1.3.

use super::{HOUR, now, shared};
use crate::{
    call::{err, finish, ok},
    case::{Case, Who},
    ours::in_hundreds,
    runner::Row,
};
use failsafe::{
    CircuitBreaker as _, Config, StateMachine,
    failure_policy::{
        ConsecutiveFailures, SuccessRateOverTimeWindow, consecutive_failures, success_rate_over_time_window,
    },
    futures,
};
use std::{
    iter::{Repeat, repeat},
    time::Duration,
};

const WHO: Who = Who::Peer("failsafe 1.3");

fn streak(failures: u32) -> StateMachine<ConsecutiveFailures<Repeat<Duration>>, ()> {
    Config::new().failure_policy(consecutive_failures(failures, repeat(HOUR))).build()
}

fn rate() -> StateMachine<SuccessRateOverTimeWindow<Repeat<Duration>>, ()> {
    let policy = success_rate_over_time_window(0.0, 5, Duration::from_secs(10), repeat(HOUR));
    Config::new().failure_policy(policy).build()
}

pub(super) fn rows() -> Vec<Row> {
    let opened = || {
        let breaker = streak(1);
        let _ = breaker.call(err);
        assert!(!breaker.is_call_permitted());
        breaker
    };
    let (steady, steady_async, failing, rejecting, high) =
        (streak(u32::MAX), streak(u32::MAX), streak(u32::MAX), opened(), rate());
    vec![
        Row::calls(WHO, Case::Ok, move || steady.call(|| ok())),
        Row::calls(WHO, Case::OkAsync, move || finish(futures::CircuitBreaker::call(&steady_async, now(ok())))),
        Row::calls(WHO, Case::Err, move || failing.call(|| err())),
        Row::calls(WHO, Case::Rejected, move || rejecting.call(|| ok())),
        shared(WHO, Case::RejectedThreads, opened(), |breaker| breaker.call(|| ok())),
        shared(WHO, Case::OkThreads, streak(u32::MAX), |breaker| breaker.call(|| ok())),
        Row::new(WHO, Case::TimeLow, |calls| in_hundreds(calls, rate, |breaker| move || breaker.call(|| ok()))),
        Row::calls(WHO, Case::TimeHigh, move || high.call(|| ok())),
    ]
}

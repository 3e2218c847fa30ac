//! execution-policy 0.0.6, async.

use super::{HOUR, shared};
use crate::{
    call::{Failed, err, finish, ok},
    case::{Case, Who},
    ours::in_hundreds,
    runner::Row,
};
use execution_policy::{CircuitBreaker, DefaultCore, ExecutionPolicy, ExecutionPolicyBuilder};
use std::time::Duration;

const WHO: Who = Who::Peer("execution-policy 0.0.6");

type Policy = ExecutionPolicy<DefaultCore, u64, Failed>;

fn policy(breaker: CircuitBreaker<Failed>) -> Policy {
    ExecutionPolicyBuilder::<u64, Failed>::new().circuit_breaker(breaker.open_for(HOUR)).build()
}

fn streak(failures: u32) -> Policy {
    policy(CircuitBreaker::consecutive_failures(failures))
}

fn rate() -> Policy {
    let window = Duration::from_secs(10);
    policy(CircuitBreaker::failure_ratio().ratio(1.0).minimum_throughput(u32::MAX).sampling_window(window))
}

fn opened() -> Policy {
    let policy = streak(1);
    let _ = finish(policy.run(async || err()));
    policy
}

pub(super) fn rows() -> Vec<Row> {
    let (steady, failing, rejecting, high) = (streak(u32::MAX), streak(u32::MAX), opened(), rate());
    vec![
        Row::calls(WHO, Case::OkAsync, move || finish(steady.run(async || ok()))),
        Row::calls(WHO, Case::Err, move || finish(failing.run(async || err()))).note("async"),
        Row::calls(WHO, Case::Rejected, move || finish(rejecting.run(async || ok()))).note("async"),
        shared(WHO, Case::RejectedThreads, opened(), |policy| finish(policy.run(async || ok()))).note("async"),
        shared(WHO, Case::OkThreads, streak(u32::MAX), |policy| finish(policy.run(async || ok()))).note("async"),
        Row::new(WHO, Case::TimeLow, |calls| {
            in_hundreds(calls, rate, |policy| move || finish(policy.run(async || ok())))
        })
        .note("async"),
        Row::calls(WHO, Case::TimeHigh, move || finish(high.run(async || ok()))).note("async"),
    ]
}

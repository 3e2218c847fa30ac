//! seatbelt 0.11: a rate over time, async.

use super::{HOUR, now, shared};
use crate::{
    call::{Failed, Outcome, err, finish, ok},
    case::{Case, Who},
    ours::in_hundreds,
    runner::Row,
};
use layered::{Execute, Service, Stack};
use seatbelt::{RecoveryInfo, ResilienceContext, breaker::Breaker};
use std::time::Duration;
use tick::Clock;

const WHO: Who = Who::Peer("seatbelt 0.11");

/// A service that is asked whether to succeed.
fn service(min_calls: u32) -> impl Service<bool, Out = Outcome> + 'static {
    let context = ResilienceContext::<bool, Outcome>::new(Clock::new_tokio()).name("bench");
    let breaker = Breaker::layer("bench", &context)
        .recovery_with(|result: &Outcome, _| match result {
            Ok(_) => RecoveryInfo::never(),
            Err(_) => RecoveryInfo::retry(),
        })
        .rejected_input_error(|_, _| Failed)
        .failure_threshold(0.01)
        .min_throughput(min_calls)
        .sampling_duration(Duration::from_secs(10))
        .break_duration(HOUR);
    (breaker, Execute::new(|succeed: bool| now(if succeed { ok() } else { err() }))).into_service()
}

fn opened() -> impl Service<bool, Out = Outcome> + 'static {
    let service = service(1);
    let _ = finish(service.execute(false));
    service
}

pub(super) fn rows() -> Vec<Row> {
    let [steady, failing, high] = [(); 3].map(|()| service(u32::MAX));
    let rejecting = opened();
    vec![
        Row::calls(WHO, Case::OkAsync, move || finish(steady.execute(true))),
        Row::calls(WHO, Case::Err, move || finish(failing.execute(false))).note("async"),
        Row::calls(WHO, Case::Rejected, move || finish(rejecting.execute(true))).note("async"),
        shared(WHO, Case::RejectedThreads, opened(), |service| finish(service.execute(true))).note("async"),
        shared(WHO, Case::OkThreads, service(u32::MAX), |service| finish(service.execute(true))).note("async"),
        Row::new(WHO, Case::TimeLow, |calls| {
            in_hundreds(calls, || service(u32::MAX), |service| move || finish(service.execute(true)))
        })
        .note("async"),
        Row::calls(WHO, Case::TimeHigh, move || finish(high.execute(true))).note("async"),
    ]
}

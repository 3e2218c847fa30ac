//! A call that is dropped before its end is judged by its age.

use crate::support::{
    BASIC, Calls, Ear, TICK, advance, count, in_a_process_of_its_own, isolate, poll, secs, three, with,
};
use breaker::{Breaker, Outcome, Status, collect_stats};
use std::{
    future::{pending, ready},
    pin::pin,
    task::Poll,
    time::Duration,
};

type Plain = Breaker<breaker::Count, breaker::BasicTimeout>;

/// Opens on the first failure.
fn one() -> Plain {
    with("abandoned", count(1), BASIC)
}

/// Drops a pending call at the given age.
fn drop_at(breaker: &Plain, age: Duration) {
    let mut call = Box::pin(breaker.run_async::<(), (), _>(pending()));
    assert!(poll(call.as_mut()).is_pending());
    advance(age);
}

#[test]
fn r14_dropped_young_it_changes_nothing() {
    let _alone = isolate();
    let breaker = three();
    assert!(breaker.fail() && breaker.fail());
    for _ in 0..100 {
        drop_at(&breaker, secs(1) - TICK);
    }
    assert_eq!(breaker.snapshot().tally.failures, 2, "a user who types on");
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r14_dropped_at_abandoned_after_or_later_it_is_a_failure() {
    let _alone = isolate();
    for age in [secs(1), secs(100)] {
        let breaker = one();
        drop_at(&breaker, age);
        assert_eq!(breaker.status(), Status::Open);
    }
    let breaker = one().abandoned_after(secs(20));
    drop_at(&breaker, secs(20) - TICK);
    assert_eq!(breaker.status(), Status::Closed);
    drop_at(&breaker, secs(20));
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r14_a_young_probe_frees_its_slot_at_once_and_an_old_one_has_failed() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    drop_at(&breaker, secs(1) - TICK);
    assert_eq!(breaker.status(), Status::HalfOpen);
    drop_at(&breaker, secs(1));
    assert_eq!(breaker.status(), Status::Open);
    assert_eq!(breaker.snapshot().last_trip.expect("it opened").openings, 2);
}

#[test]
fn r14_a_hanging_dependency_behind_an_outer_timeout_opens() {
    let _alone = isolate();
    let breaker = three();
    for _ in 0..3 {
        assert_eq!(breaker.status(), Status::Closed);
        drop_at(&breaker, secs(5));
    }
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r14_the_age_counts_from_the_first_pending() {
    let _alone = isolate();
    let breaker = one();
    let mut call = Box::pin(breaker.run_async::<(), (), _>(pending()));
    // Made long ago, and not yet a call.
    advance(secs(60));
    assert!(poll(call.as_mut()).is_pending());
    advance(secs(1) - TICK);
    assert!(poll(call.as_mut()).is_pending());
    drop(call);
    assert_eq!(breaker.status(), Status::Closed);

    let mut call = Box::pin(breaker.run_async::<(), (), _>(pending()));
    assert!(poll(call.as_mut()).is_pending());
    for _ in 0..4 {
        advance(secs(1) / 4);
        assert!(poll(call.as_mut()).is_pending());
    }
    drop(call);
    assert_eq!(breaker.status(), Status::Open, "later polls do not make it younger");
}

#[test]
fn r14_a_future_that_is_ready_at_once_is_judged_and_never_abandoned() {
    let _alone = isolate();
    let breaker = one();
    let mut call = Box::pin(breaker.run_async(ready(Ok::<_, ()>(3))));
    assert_eq!(poll(call.as_mut()), Poll::Ready(Ok(3)));
    advance(secs(60));
    drop(call);
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r14_a_call_without_a_known_start_is_young() {
    let _alone = isolate();
    let breaker = one();
    let admitted = breaker.admit(true).expect("closed");
    advance(secs(60));
    drop(admitted);
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r14_a_permit_by_hand_has_an_age() {
    let _alone = isolate();
    let breaker = one();
    let permit = breaker.acquire().expect("closed");
    advance(secs(1) - TICK);
    drop(permit);
    assert_eq!(breaker.status(), Status::Closed);
    let permit = breaker.acquire().expect("closed");
    advance(secs(1));
    drop(permit);
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r14_settling_as_abandoned_is_a_drop() {
    let _alone = isolate();
    let breaker = one();
    let permit = breaker.acquire().expect("closed");
    advance(secs(1) - TICK);
    permit.settle(Outcome::Abandoned);
    assert_eq!(breaker.status(), Status::Closed);
    let permit = breaker.acquire().expect("closed");
    advance(secs(1));
    permit.settle(Outcome::Abandoned);
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r14_it_is_told_and_counted_as_abandoned_whatever_its_age() {
    // Counting, once on, is on for good.
    in_a_process_of_its_own("abandoned::told_and_counted");
}

#[test]
#[ignore = "needs a process of its own"]
fn told_and_counted() {
    let _alone = isolate();
    let breaker = with("told", count(5), BASIC);
    let ear = Ear::of("told");
    collect_stats();
    drop_at(&breaker, secs(0));
    drop_at(&breaker, secs(5));
    assert_eq!(ear.heard(), ["permitted", "abandoned", "permitted", "abandoned"]);
    assert_eq!(breaker.snapshot().tally.failures, 1);
    let stats = breaker.stats();
    assert_eq!((stats.abandoned, stats.failures, stats.in_flight), (2, 0, 0));
}

#[test]
fn r14_an_old_probe_at_its_deadline_is_late_and_no_failure() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    drop_at(&breaker, secs(10));
    assert_eq!(breaker.status(), Status::HalfOpen, "R6: at the very deadline it is too late");
}

#[tokio::test(start_paused = true)]
async fn r14_an_outer_timeout_of_tokio_is_judged_by_age() {
    let breaker = three();
    let hang = |limit| tokio::time::timeout(limit, breaker.run_async::<(), (), _>(pending()));
    for _ in 0..10 {
        assert!(hang(Duration::from_millis(900)).await.is_err());
    }
    assert_eq!(breaker.snapshot().tally.failures, 0);
    for _ in 0..3 {
        assert!(hang(secs(2)).await.is_err());
    }
    assert_eq!(breaker.status(), Status::Open);
    let rejected = pin!(hang(secs(2))).await;
    assert!(matches!(rejected, Ok(Err(_))));
}

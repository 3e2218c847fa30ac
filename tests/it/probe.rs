//! Half open and probing: one caller tries, all others wait.

use crate::support::{BASIC, Calls, Ear, TICK, advance, count, isolate, named, secs, three, with};
use breaker::{BasicTimeout, Breaker, Count, Outcome, Status};
use std::sync::{
    Barrier,
    atomic::{AtomicUsize, Ordering},
};

/// Closes on the third success in a row.
fn patient() -> Breaker<Count, BasicTimeout> {
    with("patient", count(3), BasicTimeout { successes: 3, ..BASIC })
}

#[test]
fn r04_of_64_callers_at_once_exactly_one_probes() {
    let _alone = isolate();
    for seen in [true, false] {
        let breaker = three();
        breaker.trip();
        advance(secs(30));
        // Whether or not somebody has looked, the callers find it at the end of its time.
        assert!(!seen || breaker.status() == Status::HalfOpen);
        let (start, end) = (Barrier::new(64), Barrier::new(64));
        let admitted = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..64 {
                scope.spawn(|| {
                    start.wait();
                    let permit = breaker.acquire();
                    admitted.fetch_add(usize::from(permit.is_ok()), Ordering::Relaxed);
                    // Nobody gives a slot back before everybody has asked.
                    end.wait();
                });
            }
        });
        assert_eq!(admitted.into_inner(), 1);
    }
}

#[test]
fn r05_all_other_calls_are_rejected_while_probing() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    let probe = breaker.acquire().expect("half open");
    for _ in 0..10 {
        assert_eq!(breaker.acquire().unwrap_err().status, Status::Probing);
    }
    probe.success();
    assert!(breaker.succeed());
}

#[test]
fn r05_success_closes_and_resets_the_strategy() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed);
    assert!(breaker.fail() && breaker.fail());
    assert_eq!(breaker.status(), Status::Closed, "the failures of before do not count");
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r05_failure_opens_again_with_a_new_time() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    advance(secs(100));
    assert!(breaker.fail());
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.retry_after), (Status::Open, Some(secs(30))));
    assert_eq!(snapshot.last_trip.expect("it opened").openings, 2);
    advance(secs(30) - TICK);
    assert_eq!(breaker.status(), Status::Open);
    advance(TICK);
    assert_eq!(breaker.status(), Status::HalfOpen);
}

#[test]
fn r07_closing_takes_n_successes_in_a_row() {
    let _alone = isolate();
    let breaker = patient();
    breaker.half_open();
    for _ in 0..2 {
        assert!(breaker.succeed());
        assert_eq!(breaker.status(), Status::HalfOpen);
    }
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r07_a_failure_starts_the_count_again() {
    let _alone = isolate();
    let breaker = patient();
    breaker.half_open();
    assert!(breaker.succeed() && breaker.succeed());
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open);
    advance(secs(30));
    assert!(breaker.succeed() && breaker.succeed());
    assert_eq!(breaker.status(), Status::HalfOpen);
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r07_a_lost_ignored_or_abandoned_probe_neither_adds_nor_ends() {
    let _alone = isolate();
    let breaker = patient();
    breaker.half_open();
    assert!(breaker.succeed() && breaker.succeed());
    // Ignored, abandoned while young, lost.
    assert!(breaker.come_to(Outcome::Ignored));
    assert!(breaker.come_to(Outcome::Abandoned));
    std::mem::forget(breaker.acquire().expect("half open"));
    advance(secs(10));
    assert_eq!(breaker.status(), Status::HalfOpen, "none of them was the third success");
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed, "and none ended the row");
}

#[test]
fn r07_the_row_survives_an_opening_by_lapse() {
    let _alone = isolate();
    let breaker = patient();
    breaker.half_open();
    assert!(breaker.succeed() && breaker.succeed());
    for lease in [10, 20, 40] {
        std::mem::forget(breaker.acquire().expect("half open"));
        advance(secs(lease));
    }
    assert_eq!(breaker.status(), Status::Open);
    advance(secs(30));
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r07_successes_of_the_closed_era_never_count() {
    let _alone = isolate();
    let breaker = patient();
    let early: Vec<_> = (0..5).map(|_| breaker.acquire().expect("closed")).collect();
    for _ in 0..10 {
        assert!(breaker.succeed());
    }
    breaker.half_open();
    for permit in early {
        permit.success();
    }
    assert!(breaker.succeed() && breaker.succeed());
    assert_eq!(breaker.status(), Status::HalfOpen);
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r13_an_ignored_probe_gives_its_slot_back_without_a_verdict() {
    let _alone = isolate();
    let breaker = named("ignored probe");
    breaker.half_open();
    let ear = Ear::of("ignored probe");
    for _ in 0..100 {
        assert!(breaker.come_to(Outcome::Ignored));
        assert_eq!(breaker.status(), Status::HalfOpen);
    }
    let told = ear.transitions();
    assert_eq!(told[..2], ["half_open -> probing, probed", "probing -> half_open, probe released"]);
    assert_eq!(told.len(), 200);
    assert_eq!(breaker.snapshot().last_trip.expect("it opened once").openings, 1);
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r40_a_call_that_may_not_probe_leaves_the_slot_to_another() {
    let _alone = isolate();
    let breaker = three();
    assert!(breaker.admit(false).is_ok(), "closed");
    breaker.trip();
    assert_eq!(breaker.admit(false).unwrap_err().status, Status::Open);
    advance(secs(30));
    for _ in 0..3 {
        let rejected = breaker.admit(false).unwrap_err();
        assert_eq!((rejected.status, rejected.retry_after), (Status::HalfOpen, None));
    }
    let probe = breaker.acquire().expect("the slot is free");
    assert_eq!(breaker.admit(false).unwrap_err().status, Status::Probing);
    probe.success();
    assert!(breaker.admit(false).is_ok(), "closed again");
}

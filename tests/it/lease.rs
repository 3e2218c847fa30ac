//! A probe holds its slot for a time, and no longer.

use crate::support::{BASIC, Calls, Ear, TICK, advance, count, isolate, named, secs, three, with};
use breaker::{BasicTimeout, Breaker, Count, Outcome, Status};
use std::time::Duration;

/// A probe that never comes back.
fn lose_a_probe(breaker: &Breaker<Count, BasicTimeout>) {
    std::mem::forget(breaker.acquire().expect("half open"));
}

#[test]
fn r06_a_lapsed_lease_is_half_open_again_and_the_next_caller_probes() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    let slow = breaker.acquire().expect("half open");
    advance(secs(10) - TICK);
    assert_eq!(breaker.status(), Status::Probing);
    assert!(breaker.acquire().is_err());
    advance(TICK);
    assert_eq!(breaker.status(), Status::HalfOpen);
    let next = breaker.acquire().expect("half open again");
    slow.failure();
    assert_eq!(breaker.status(), Status::Probing, "the slow one's result is ignored");
    next.success();
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r06_a_probe_in_time_counts_up_to_the_last_moment() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    let probe = breaker.acquire().expect("half open");
    advance(secs(10) - TICK);
    probe.success();
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r06_at_the_very_deadline_it_is_too_late() {
    let _alone = isolate();
    for outcome in [Outcome::Success, Outcome::failure(), Outcome::Ignored, Outcome::Abandoned] {
        let breaker = named("deadline");
        breaker.half_open();
        let ear = Ear::of("deadline");
        let probe = breaker.acquire().expect("half open");
        advance(secs(10));
        // Nobody has looked: the outcome itself finds that the lease is over.
        probe.settle(outcome);
        assert_eq!(breaker.status(), Status::HalfOpen, "{outcome:?}");
        let heard = ear.heard();
        assert_eq!(heard.iter().filter(|line| line.contains("probe lapsed")).count(), 1, "{heard:?}");
        assert!(heard.contains(&format!("{outcome}, late")), "{heard:?}");
    }
}

#[test]
fn r06_progress_renews_the_lease() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    let probe = breaker.acquire().expect("half open");
    for _ in 0..20 {
        advance(secs(9));
        probe.progress();
        assert_eq!(breaker.snapshot().retry_after, Some(secs(10)));
    }
    advance(secs(10) - TICK);
    probe.success();
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r06_progress_at_the_deadline_is_too_late_and_of_a_past_era_nothing() {
    let _alone = isolate();
    let breaker = three();
    let early = breaker.acquire().expect("closed");
    breaker.half_open();
    let slow = breaker.acquire().expect("half open");
    advance(secs(5));
    early.progress();
    assert_eq!(breaker.snapshot().retry_after, Some(secs(5)), "not its lease");
    advance(secs(5));
    slow.progress();
    assert_eq!(breaker.status(), Status::HalfOpen);
    let next = breaker.acquire().expect("half open again");
    advance(secs(5));
    slow.progress();
    assert_eq!(breaker.snapshot().retry_after, Some(secs(15)), "the next one's, of 20 s");
    drop(next);
    drop(slow);
}

#[test]
fn r06_each_lapse_doubles_the_next_lease_and_the_third_opens() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    for (lease, after) in [(10, Status::HalfOpen), (20, Status::HalfOpen), (40, Status::Open)] {
        lose_a_probe(&breaker);
        assert_eq!(breaker.snapshot().retry_after, Some(secs(lease)));
        advance(secs(lease) - TICK);
        assert_eq!(breaker.status(), Status::Probing);
        advance(TICK);
        assert_eq!(breaker.status(), after);
    }
    let trip = breaker.snapshot().last_trip.expect("it opened");
    assert_eq!(trip.openings, 2);
    // From the third on every lapse opens, and leases go on growing.
    for lease in [80, 160, 320, 600, 600] {
        advance(secs(30));
        lose_a_probe(&breaker);
        assert_eq!(breaker.snapshot().retry_after, Some(secs(lease)));
        advance(secs(lease));
        assert_eq!(breaker.status(), Status::Open);
    }
}

#[test]
fn r06_an_opening_by_lapse_counts_from_the_deadline() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    for lease in [10, 20] {
        lose_a_probe(&breaker);
        advance(secs(lease));
    }
    lose_a_probe(&breaker);
    // Nobody looks until 25 s after the third deadline.
    advance(secs(40 + 25));
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.since), (Status::Open, secs(25)));
    assert_eq!(snapshot.retry_after, Some(secs(5)));
    advance(secs(5));
    assert_eq!(breaker.status(), Status::HalfOpen);
}

#[test]
fn r06_an_unseen_lapse_and_the_unseen_end_of_its_opening_come_one_after_the_other() {
    let _alone = isolate();
    let breaker = named("unseen");
    breaker.half_open();
    for lease in [10, 20] {
        lose_a_probe(&breaker);
        advance(secs(lease));
    }
    lose_a_probe(&breaker);
    let ear = Ear::of("unseen");
    advance(secs(1_000));
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.since), (Status::HalfOpen, secs(1_000 - 40 - 30)));
    assert_eq!(ear.transitions(), ["probing -> open, probe lapsed", "open -> half_open, elapsed"]);
}

#[test]
fn r06_a_close_forgets_the_lapses() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    for lease in [10, 20] {
        lose_a_probe(&breaker);
        advance(secs(lease));
    }
    assert!(breaker.succeed());
    breaker.half_open();
    lose_a_probe(&breaker);
    assert_eq!(breaker.snapshot().retry_after, Some(secs(10)));
}

#[test]
fn r06_a_failed_probe_does_not_forget_the_lapses() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    lose_a_probe(&breaker);
    advance(secs(10));
    assert!(breaker.fail());
    advance(secs(30));
    let probe = breaker.acquire().expect("half open");
    assert_eq!(breaker.snapshot().retry_after, Some(secs(20)), "no close since the lapse");
    probe.success();
}

#[test]
fn r06_a_healthy_call_slower_than_the_lease_can_close_it() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    // Each call takes 15 s, more than the first lease.
    let first = breaker.acquire().expect("half open");
    advance(secs(15));
    first.success();
    assert_eq!(breaker.status(), Status::HalfOpen);
    let second = breaker.acquire().expect("half open");
    advance(secs(15));
    second.success();
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r06_a_lease_longer_than_ten_minutes_is_not_shortened() {
    let _alone = isolate();
    let hour = secs(3_600);
    let breaker = with("hourly", count(3), BasicTimeout { probing_timeout: hour, ..BASIC });
    breaker.half_open();
    for _ in 0..2 {
        lose_a_probe(&breaker);
        assert_eq!(breaker.snapshot().retry_after, Some(hour));
        advance(hour);
    }
}

#[test]
fn r15_a_permit_held_for_ever_or_forgotten_wedges_nothing() {
    let _alone = isolate();
    let breaker = three();
    let held = breaker.acquire().expect("closed");
    std::mem::forget(breaker.acquire().expect("closed"));
    breaker.half_open();
    lose_a_probe(&breaker);
    let probe = breaker.acquire();
    assert!(probe.is_err());
    advance(secs(10));
    assert!(breaker.succeed(), "the slot is free again");
    assert_eq!(breaker.status(), Status::Closed);
    drop(held);
}

#[test]
fn r15_a_dependency_that_only_hangs_never_ends_the_trying() {
    let _alone = isolate();
    let breaker = with("hanging", count(3), BasicTimeout { reset_timeout: secs(1), ..BASIC });
    breaker.trip();
    let mut probes = 0;
    let mut waited = Duration::ZERO;
    while waited < secs(10 * 3_600) {
        advance(secs(1));
        waited += secs(1);
        if let Ok(permit) = breaker.acquire() {
            std::mem::forget(permit);
            probes += 1;
        }
    }
    // 10 + 20 + ... + 320 s, and one every 601 s from there on.
    assert!((60..70).contains(&probes), "{probes}");
}

//! `override_open` and `override_closed`: an operator's word that ends by itself.

use crate::support::{Calls, Ear, TICK, advance, isolate, named, secs, three};
use breaker::{Override, Status};

fn ten_seconds() -> Override {
    Override::lasting(secs(10)).reason("migration").actor("ops")
}

#[test]
fn r10_override_open_rejects_until_its_end_which_is_a_fresh_closed() {
    let _alone = isolate();
    let breaker = named("held open");
    assert!(breaker.fail() && breaker.fail());
    breaker.override_open(ten_seconds());
    let ear = Ear::of("held open");
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.forced), (Status::Open, Some(ten_seconds())));
    let rejected = breaker.acquire().unwrap_err();
    let told = "circuit breaker `held open` is open; retry in 10s (held open by an operator)";
    assert_eq!((rejected.to_string().as_str(), rejected.cause()), (told, None));
    advance(secs(10) - TICK);
    assert!(breaker.acquire().is_err());
    advance(TICK + secs(3));
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.forced, snapshot.since), (Status::Closed, None, secs(3)));
    assert_eq!(snapshot.tally.failures, 0, "fresh");
    assert_eq!(ear.transitions(), ["open -> closed, override ended"]);
}

#[test]
fn r10_override_closed_lets_everything_pass_and_tells_what_would_have_opened() {
    let _alone = isolate();
    let breaker = named("held closed");
    breaker.trip();
    breaker.override_closed(ten_seconds());
    let ear = Ear::of("held closed");
    for _ in 0..7 {
        assert!(breaker.fail());
    }
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.forced), (Status::Closed, Some(ten_seconds())));
    // Twice three failures: after a would_open the strategy starts afresh.
    assert_eq!(ear.transitions(), ["would open", "would open"]);
    assert_eq!(breaker.snapshot().tally.failures, 1, "everything is counted");
}

#[test]
fn r10_a_would_open_moves_neither_the_end_nor_the_beginning() {
    let _alone = isolate();
    let breaker = three();
    breaker.override_closed(ten_seconds());
    advance(secs(4));
    for _ in 0..3 {
        assert!(breaker.fail());
    }
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.since, snapshot.retry_after), (secs(4), Some(secs(6))));
    assert_eq!(snapshot.forced, Some(ten_seconds()));
    advance(secs(6));
    assert_eq!(breaker.snapshot().forced, None);
}

#[test]
fn r10_the_end_of_override_closed_is_a_fresh_closed() {
    let _alone = isolate();
    let breaker = three();
    breaker.override_closed(ten_seconds());
    assert!(breaker.fail() && breaker.fail());
    let late = breaker.acquire().expect("closed");
    advance(secs(10));
    // Nobody has looked: the outcome comes after the end all the same.
    late.failure();
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.forced, snapshot.tally.failures), (Status::Closed, None, 0));
    breaker.trip();
}

#[test]
fn r08_an_outcome_after_the_unseen_end_of_an_override_is_late() {
    let _alone = isolate();
    let breaker = named("unseen end");
    let ear = Ear::of("unseen end");
    breaker.override_closed(ten_seconds());
    let late: Vec<_> = (0..3).map(|_| breaker.acquire().expect("closed")).collect();
    ear.heard();
    advance(secs(10));
    for permit in late {
        permit.failure();
    }
    let heard = ear.heard();
    assert!(!heard.contains(&"would open".to_owned()), "{heard:?}");
    assert_eq!(heard.iter().filter(|line| *line == "failure, late").count(), 3, "{heard:?}");
}

#[test]
fn r10_one_override_replaces_another_and_a_force_replaces_both() {
    let _alone = isolate();
    let breaker = three();
    breaker.override_open(ten_seconds());
    breaker.override_closed(Override::lasting(secs(20)));
    advance(secs(10));
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.retry_after), (Status::Closed, Some(secs(10))));
    assert_eq!(snapshot.forced, Some(Override::lasting(secs(20))));
    breaker.override_open(ten_seconds());
    breaker.force_open();
    advance(secs(10));
    let forced = breaker.snapshot().forced.expect("until force_close");
    assert_eq!(forced.reason, None);
    breaker.override_open(ten_seconds());
    breaker.force_close();
    assert_eq!(breaker.snapshot().forced, None);
}

#[test]
fn r30_an_override_of_any_length_is_legal() {
    let _alone = isolate();
    let breaker = three();
    breaker.override_open(Override::lasting(secs(0)));
    assert_eq!(breaker.status(), Status::Closed);
    breaker.override_closed(Override::lasting(secs(0)));
    assert_eq!(breaker.snapshot().forced, None);
    breaker.override_open(Override::lasting(std::time::Duration::MAX));
    advance(secs(1 << 33));
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r10_calls_in_flight_at_an_override_are_ignored() {
    let _alone = isolate();
    let breaker = three();
    let before = breaker.acquire().expect("closed");
    breaker.override_closed(ten_seconds());
    before.failure();
    assert_eq!(breaker.snapshot().tally.failures, 0);
    breaker.force_close();
    breaker.half_open();
    let probe = breaker.acquire().expect("half open");
    breaker.override_closed(ten_seconds());
    probe.failure();
    assert_eq!(breaker.status(), Status::Closed);
}

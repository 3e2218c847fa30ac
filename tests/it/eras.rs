//! A permit belongs to the era that gave it: what comes late changes nothing.

use crate::support::{BASIC, Calls, Ear, advance, count, isolate, secs, with};
use breaker::{BasicTimeout, Breaker, Count, Outcome, Override, Status};

type Plain = Breaker<Count, BasicTimeout>;

/// A way into a state, and that state.
type Way = (&'static str, Status, fn(&Plain));

const WAYS: [Way; 8] = [
    ("closed anew", Status::Closed, |breaker| breaker.force_close()),
    ("open", Status::Open, |breaker| breaker.trip()),
    ("half open", Status::HalfOpen, |breaker| breaker.half_open()),
    ("probing", Status::Probing, |breaker| {
        breaker.half_open();
        std::mem::forget(breaker.acquire());
    }),
    ("re-closed", Status::Closed, |breaker| {
        breaker.half_open();
        assert!(breaker.succeed());
    }),
    ("forced open", Status::Open, |breaker| breaker.force_open()),
    ("overridden open", Status::Open, |breaker| breaker.override_open(Override::lasting(secs(60)))),
    ("overridden closed", Status::Closed, |breaker| breaker.override_closed(Override::lasting(secs(60)))),
];

const OUTCOMES: [Outcome; 4] = [Outcome::Success, Outcome::failure(), Outcome::Ignored, Outcome::Abandoned];

fn fresh() -> Plain {
    with("eras", count(3), BASIC)
}

/// Each way, each outcome, told and untold.
fn cases() -> impl Iterator<Item = (Way, Outcome, bool)> {
    let outcomes = |way| OUTCOMES.into_iter().map(move |outcome| (way, outcome));
    WAYS.into_iter().flat_map(outcomes).flat_map(|(way, outcome)| [(way, outcome, false), (way, outcome, true)])
}

#[test]
fn r08_a_late_outcome_of_a_closed_era_changes_nothing_in_any_state() {
    let _alone = isolate();
    for ((way, status, go), outcome, told) in cases() {
        // With somebody listening a call takes another path, from its admission on.
        let early = told.then(|| Ear::of("eras"));
        let breaker = fresh();
        let late: Vec<_> = (0..7).map(|_| breaker.acquire().expect("closed")).collect();
        advance(secs(5));
        go(&breaker);
        let before = breaker.snapshot();
        assert_eq!(before.status, status, "{way}");
        let ear = Ear::of("eras");
        for permit in late {
            permit.settle(outcome);
        }
        assert_eq!(breaker.snapshot(), before, "{outcome:?} in {way}");
        assert_eq!(ear.transitions(), [""; 0], "{outcome:?} in {way}");
        drop(early);
    }
}

#[test]
fn r08_a_late_outcome_of_a_probe_changes_nothing_in_any_state() {
    let _alone = isolate();
    for ((way, status, go), outcome, told) in cases() {
        let _ear = told.then(|| Ear::of("eras"));
        let breaker = fresh();
        breaker.half_open();
        let late = breaker.acquire().expect("half open");
        breaker.force_close();
        go(&breaker);
        let before = breaker.snapshot();
        assert_eq!(before.status, status, "{way}");
        late.settle(outcome);
        assert_eq!(breaker.snapshot(), before, "{outcome:?} in {way}");
    }
}

#[test]
fn r08_a_late_success_does_not_close_a_half_open_breaker() {
    let _alone = isolate();
    let breaker = fresh();
    let late = breaker.acquire().expect("closed");
    breaker.half_open();
    late.success();
    assert_eq!(breaker.status(), Status::HalfOpen);
}

#[test]
fn r08_a_late_failure_does_not_open_a_re_closed_breaker() {
    let _alone = isolate();
    let breaker = fresh();
    let late: Vec<_> = (0..100).map(|_| breaker.acquire().expect("closed")).collect();
    breaker.half_open();
    assert!(breaker.succeed());
    assert!(breaker.fail() && breaker.fail());
    for permit in late {
        permit.failure();
    }
    assert_eq!((breaker.status(), breaker.snapshot().tally.failures), (Status::Closed, 2));
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open, "its own third");
}

#[test]
fn r08_a_late_success_does_not_end_a_row_of_failures() {
    let _alone = isolate();
    let breaker = fresh();
    let late = breaker.acquire().expect("closed");
    breaker.force_close();
    assert!(breaker.fail() && breaker.fail());
    late.success();
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r08_a_late_outcome_takes_no_probe_slot_and_moves_no_open_time() {
    let _alone = isolate();
    let breaker = fresh();
    let late: Vec<_> = (0..20).map(|_| breaker.acquire().expect("closed")).collect();
    let mut late = late.into_iter();
    breaker.trip();
    advance(secs(10));
    late.next().unwrap().failure();
    assert_eq!(breaker.snapshot().retry_after, Some(secs(20)));
    advance(secs(20));
    let probe = breaker.acquire().expect("half open");
    late.next().unwrap().failure();
    drop(late);
    assert_eq!(breaker.snapshot().retry_after, Some(secs(10)));
    assert!(breaker.acquire().is_err(), "the slot is taken");
    probe.success();
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r08_a_late_outcome_is_told_and_marked() {
    let _alone = isolate();
    let breaker = fresh();
    let ear = Ear::of("eras");
    let late: Vec<_> = (0..4).map(|_| breaker.acquire().expect("closed")).collect();
    breaker.force_open();
    ear.heard();
    for (permit, outcome) in late.into_iter().zip(OUTCOMES) {
        permit.settle(outcome);
    }
    assert_eq!(ear.heard(), ["success, late", "failure, late", "ignored, late", "abandoned, late"]);
}

#[test]
fn r08_every_entry_into_a_state_has_its_own_era() {
    let _alone = isolate();
    let breaker = fresh();
    let mut eras = vec![breaker.snapshot().era];
    let mut see = || eras.push(breaker.snapshot().era);
    breaker.trip();
    see();
    advance(secs(30));
    see();
    let probe = breaker.acquire().expect("half open");
    see();
    drop(probe);
    see();
    let probe = breaker.acquire().expect("half open");
    see();
    probe.success();
    see();
    breaker.force_close();
    see();
    breaker.force_open();
    see();
    assert_eq!(eras, (0..eras.len() as u64).collect::<Vec<_>>());
}

#[test]
fn r08_seventy_thousand_eras_later_a_permit_is_still_late() {
    let _alone = isolate();
    let breaker = fresh();
    let late = breaker.acquire().expect("closed");
    // Past the 16 bits that an era keeps beside a time.
    for _ in 0..0x1_0000 / 2 {
        breaker.force_open();
        breaker.force_close();
    }
    assert_eq!(breaker.snapshot().era, 0x1_0000);
    breaker.fail();
    late.success();
    assert_eq!(breaker.snapshot().tally.failures, 1);
    breaker.force_close();
    breaker.half_open();
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r09_force_close_on_a_closed_breaker_begins_a_new_era() {
    let _alone = isolate();
    let breaker = fresh();
    assert!(breaker.fail() && breaker.fail());
    let late = breaker.acquire().expect("closed");
    let era = breaker.snapshot().era;
    advance(secs(3));
    breaker.force_close();
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.era, snapshot.since), (Status::Closed, era + 1, secs(0)));
    assert_eq!(snapshot.tally.failures, 0);
    late.failure();
    assert_eq!(breaker.snapshot().tally.failures, 0);
}

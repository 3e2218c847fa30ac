//! A late outcome never changes anything.

use crate::support::{AsAsked, after, check, check_locks, check_with, closed, permit, race, secs, try_permit};
use breaker::{Outcome, Status, test_util::advance};
use loom::thread;
use std::sync::Arc;

#[test]
fn r08_a_late_outcome_against_a_probe() {
    for outcome in [Outcome::Success, Outcome::failure()] {
        check(move || {
            let breaker = closed("against a probe");
            let late = permit(&breaker);
            permit(&breaker).failure();
            advance(secs(30));
            let other = Arc::clone(&breaker);
            let ((), probe) = race(move || late.settle(outcome), move || try_permit(&other));
            let probe = probe.expect("a late outcome takes no slot");
            assert_eq!(breaker.snapshot().retry_after, Some(secs(10)));
            probe.success();
            assert_eq!(breaker.status(), Status::Closed);
        });
    }
}

#[test]
fn r08_a_success_that_ends_a_streak_ends_only_its_own() {
    check(|| {
        let breaker = after(2, "streak", AsAsked);
        permit(&breaker).failure();
        let (late, other) = (permit(&breaker), Arc::clone(&breaker));
        race(
            move || late.success(),
            move || {
                other.force_close();
                permit(&other).failure();
            },
        );
        assert_eq!(breaker.snapshot().tally.failures, 1);
        permit(&breaker).failure();
        assert_eq!(breaker.status(), Status::Open, "on its own two, whatever came late");
    });
}

#[test]
fn r08_two_late_outcomes_against_a_command() {
    check_with(3, || {
        let breaker = closed("two late");
        let lates = [permit(&breaker), permit(&breaker)];
        let threads = lates.map(|late| thread::spawn(move || late.failure()));
        breaker.force_close();
        for thread in threads {
            thread.join().expect("no panic");
        }
        assert_eq!((breaker.status(), breaker.snapshot().tally.failures), (Status::Closed, 0));
    });
}

#[test]
fn r08_a_failure_against_a_new_era() {
    check_locks(|| {
        let breaker = closed("new era");
        let late = permit(&breaker);
        let other = Arc::clone(&breaker);
        race(move || late.failure(), move || other.force_close());
        // In time, it opened and was closed again; late, it did nothing.
        let snapshot = breaker.snapshot();
        assert_eq!((snapshot.status, snapshot.tally.failures), (Status::Closed, 0));
    });
}

#[test]
fn r08_a_failure_against_a_failure_of_the_next_era() {
    check_locks(|| {
        let breaker = closed("next era");
        let late = permit(&breaker);
        let other = Arc::clone(&breaker);
        race(
            move || late.failure(),
            move || {
                other.force_close();
                permit(&other).success();
            },
        );
        assert_eq!((breaker.status(), breaker.snapshot().tally.failures), (Status::Closed, 0));
    });
}

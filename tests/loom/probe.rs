//! One probe, and a slot that is always found again.

use crate::support::{Shared, check, due, half_open, large, permit, race, secs, try_permit, twice};
use breaker::{Outcome, Status, test_util::advance};
use loom::thread;
use std::sync::Arc;

#[test]
fn r04_of_two_callers_exactly_one_probes() {
    check(|| {
        let breaker = half_open("two");
        let (a, b) = twice(&breaker, try_permit);
        assert!(a.is_some() != b.is_some());
        assert_eq!(breaker.status(), Status::Probing);
    });
}

#[test]
fn r06_progress_and_the_end_of_its_lease() {
    check(|| {
        let breaker = half_open("progress");
        let probe = permit(&breaker);
        let other = Arc::clone(&breaker);
        let (probe, status) = race(
            move || {
                probe.progress();
                probe
            },
            move || {
                advance(secs(10));
                other.status()
            },
        );
        if status == Status::HalfOpen {
            probe.failure();
            assert_eq!(breaker.status(), Status::HalfOpen, "it was late");
        } else {
            probe.success();
            assert_eq!(breaker.status(), Status::Closed, "it was renewed");
        }
    });
}

/// Open until further notice, whatever the probe came to.
fn assert_forced(breaker: &Shared) {
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.retry_after), (Status::Open, None));
    assert!(snapshot.forced.is_some());
    advance(secs(1_000));
    assert!(try_permit(breaker).is_none());
    breaker.force_close();
    permit(breaker).success();
}

#[test]
fn r14_a_dropped_probe_never_wedges() {
    check(|| {
        let breaker = half_open("dropped");
        twice(&breaker, |breaker| drop(try_permit(breaker)));
        assert_eq!(breaker.status(), Status::HalfOpen);
        permit(&breaker).success();
        assert_eq!(breaker.status(), Status::Closed);
    });
}

#[test]
fn r10_force_open_against_a_recovery() {
    check(|| {
        let breaker = half_open("recovery");
        let (caller, operator) = (Arc::clone(&breaker), Arc::clone(&breaker));
        race(
            move || {
                if let Some(probe) = try_permit(&caller) {
                    probe.success();
                }
            },
            move || operator.force_open(),
        );
        assert_forced(&breaker);
    });
}

#[test]
fn r11_force_close_against_a_failing_probe() {
    check(|| {
        let breaker = half_open("closed by force");
        let probe = permit(&breaker);
        let other = Arc::clone(&breaker);
        race(move || probe.failure(), move || other.force_close());
        let snapshot = breaker.snapshot();
        assert_eq!((snapshot.status, snapshot.retry_after), (Status::Closed, None));
        permit(&breaker).failure();
        assert_eq!(breaker.snapshot().retry_after, Some(secs(30)), "its own time");
    });
}

/// The lease of a probe ends while it comes to its end: in time it counts, and late it changes nothing of what another
/// probes meanwhile.
fn a_probe_and_the_end_of_its_lease(outcome: Outcome, in_time: Status) {
    check(move || {
        let breaker = half_open("lapse");
        let probe = permit(&breaker);
        let lapsed = probe.era().number() + 1;
        let other = Arc::clone(&breaker);
        let ((), next) = race(
            move || probe.settle(outcome),
            move || {
                advance(secs(10));
                try_permit(&other)
            },
        );
        let status = breaker.status();
        match next {
            // It has lapsed, and this is the next probe.
            Some(next) if next.era().number() == lapsed + 1 => {
                assert_eq!(status, Status::Probing, "the late one ended what another probes");
                next.success();
                assert_eq!(breaker.status(), Status::Closed);
            }
            // Let through by the close, or rejected by the opening, or by the probe in its last moment.
            _ => assert_eq!(status, in_time),
        }
    });
}

#[test]
fn r06_a_success_and_the_end_of_its_lease() {
    a_probe_and_the_end_of_its_lease(Outcome::Success, Status::Closed);
}

#[test]
fn r06_a_failure_and_the_end_of_its_lease() {
    a_probe_and_the_end_of_its_lease(Outcome::failure(), Status::Open);
}

#[test]
fn r10_force_open_against_the_end_of_its_time() {
    check(|| {
        let breaker = due("end of its time");
        let (caller, operator) = (Arc::clone(&breaker), Arc::clone(&breaker));
        race(move || caller.status(), move || operator.force_open());
        assert_forced(&breaker);
    });
}

#[test]
fn r03_two_who_look_find_the_end_of_its_time_once() {
    check(|| {
        let breaker = due("two look");
        let seen = twice(&breaker, |breaker| breaker.status());
        assert_eq!(seen, (Status::HalfOpen, Status::HalfOpen));
    });
}

#[test]
fn r10_force_open_against_a_running_probe() {
    check(|| {
        let breaker = half_open("forced");
        let probe = permit(&breaker);
        let other = Arc::clone(&breaker);
        race(move || probe.success(), move || other.force_open());
        assert_forced(&breaker);
    });
}

large! {
    fn r04_of_two_callers_who_find_the_end_of_its_time_exactly_one_probes(4) {
        let breaker = due("two, unseen");
        let (a, b) = twice(&breaker, try_permit);
        assert!(a.is_some() != b.is_some());
        assert_eq!(breaker.status(), Status::Probing);
    }

    fn r04_of_three_callers_exactly_one_probes(3) {
        let breaker = half_open("three");
        let call = |breaker: &Shared| {
            let breaker = Arc::clone(breaker);
            thread::spawn(move || try_permit(&breaker))
        };
        let threads = [(); 3].map(|()| call(&breaker));
        let permits = threads.map(|thread| thread.join().expect("no panic"));
        assert_eq!(permits.iter().flatten().count(), 1);
    }

    fn r15_a_forgotten_probe_never_wedges(4) {
        let breaker = half_open("forgotten");
        std::mem::forget(breaker.acquire().expect("half open"));
        advance(secs(10));
        let (a, b) = twice(&breaker, try_permit);
        assert!(a.is_some() != b.is_some(), "one finds the lapse and one probes");
        a.or(b).expect("one of them").success();
        assert_eq!(breaker.status(), Status::Closed);
    }
}

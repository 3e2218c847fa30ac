//! A winner that is stalled, for as long as it takes, before it has published what its stay needs.
//!
//! The checker stalls each thread at each of its steps; a recover that gives way in the middle is one step more.

use crate::support::{
    AsAsked, Shared, busy, check, check_locks, closed, half_open, permit, race, secs, try_permit, with,
};
use breaker::{Breaker, Count, Outcome, Override, Plan, Recover, Status, Trip, test_util::advance};
use loom::thread;
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

/// Gives way to others in the middle of a plan.
#[derive(Clone, Copy)]
struct Yields;

impl Recover for Yields {
    fn plan(&self, trip: &Trip) -> Plan {
        thread::yield_now();
        AsAsked.plan(trip)
    }
}

/// What is seen after the operator closed it, and a failure that asked for 20 s opened it again.
fn assert_opened_for_20<R: Recover>(breaker: &Shared<R>) {
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.retry_after), (Status::Open, Some(secs(20))));
    assert_eq!(snapshot.last_trip.expect("it opened").outcome, busy(20));
    let rejected = breaker.acquire().expect_err("open");
    assert_eq!(rejected.cause().expect("it is remembered").outcome, busy(20));
    advance(secs(20));
    permit(breaker).success();
    assert_eq!(breaker.status(), Status::Closed);
}

/// `first` against a close by the operator and a failure that asks for 20 s.
fn against_a_close_and_a_trip<R: Recover>(breaker: &Shared<R>, first: impl FnOnce() + 'static) {
    let other = Arc::clone(breaker);
    race(first, move || {
        other.force_close();
        permit(&other).settle(busy(20));
    });
}

fn trip_against_a_close_and_a_trip<R: Recover>(name: &'static str, recover: R) {
    let breaker = with(name, recover);
    let first = permit(&breaker);
    against_a_close_and_a_trip(&breaker, move || first.settle(busy(10)));
    assert_opened_for_20(&breaker);
}

#[test]
fn r30_recover_is_asked_once_for_two_trips_at_once() {
    #[derive(Clone, Copy)]
    struct Asked;
    static ASKED: AtomicU32 = AtomicU32::new(0);

    impl Recover for Asked {
        fn plan(&self, _: &Trip) -> Plan {
            ASKED.fetch_add(1, Ordering::Relaxed);
            Plan::after(secs(30))
        }
    }

    check(|| {
        let breaker: Arc<Breaker<Count, Asked>> = with("asked", Asked);
        ASKED.store(0, Ordering::Relaxed);
        let (a, b) = (permit(&breaker), permit(&breaker));
        race(move || a.failure(), move || b.failure());
        assert_eq!(ASKED.load(Ordering::Relaxed), 1);
        let snapshot = breaker.snapshot();
        assert_eq!((snapshot.status, snapshot.retry_after), (Status::Open, Some(secs(30))));
        assert_eq!(snapshot.last_trip.expect("it opened").openings, 1);
    });
}

#[test]
fn r30_a_stalled_winner_publishes_nothing_over_a_later_one() {
    check(|| {
        trip_against_a_close_and_a_trip("stalled", AsAsked);
    });
}

#[test]
fn r30_a_recover_that_gives_way_publishes_nothing_over_a_later_one() {
    check(|| {
        trip_against_a_close_and_a_trip("gives way", Yields);
    });
}

#[test]
fn r30_a_stalled_winner_of_a_probe_publishes_no_lease_over_a_later_stay() {
    check(|| {
        let breaker = half_open("stalled probe");
        let caller = Arc::clone(&breaker);
        against_a_close_and_a_trip(&breaker, move || drop(try_permit(&caller)));
        // The caller was let through at some time, or not; a young drop says nothing.
        assert_opened_for_20(&breaker);
    });
}

#[test]
fn r10_a_stalled_override_publishes_no_end_over_a_later_stay() {
    check(|| {
        let breaker = closed("stalled override");
        let (first, other) = (Arc::clone(&breaker), Arc::clone(&breaker));
        race(
            move || first.override_open(Override::lasting(secs(10)).reason("first")),
            move || other.override_open(Override::lasting(secs(20)).reason("second")),
        );
        let snapshot = breaker.snapshot();
        let forced = snapshot.forced.expect("one of them holds it");
        assert_eq!(snapshot.retry_after, forced.lasting, "the end and the note are of the same");
        assert!(forced.reason.is_some());
    });
}

/// Over at once, with the lease that the failure asks for.
#[derive(Clone, Copy)]
struct Lease;

impl Recover for Lease {
    fn plan(&self, trip: &Trip) -> Plan {
        let asked = if let Outcome::Failure(failure) = trip.outcome { failure.retry_after } else { None };
        Plan::after(secs(0)).probing_timeout(asked.unwrap_or(secs(3)))
    }
}

/// Closed, after an opening whose plan had a lease of 5 s.
fn planned_before() -> Shared<Lease> {
    let breaker = Arc::new(Breaker::new("lease", Count { threshold: 1, ..Count::DEFAULT }, Lease).expect("sound"));
    permit(&breaker).settle(busy(5));
    permit(&breaker).success();
    breaker.snapshot();
    breaker
}

#[test]
fn r30_who_finds_the_end_of_an_opening_finds_its_plan() {
    check_locks(|| {
        let breaker = planned_before();
        let (first, other) = (permit(&breaker), Arc::clone(&breaker));
        let ((), probe) = race(move || first.settle(busy(20)), move || try_permit(&other));
        let snapshot = breaker.snapshot();
        if snapshot.status == Status::Probing {
            assert_eq!(snapshot.retry_after, Some(secs(20)), "an older plan's lease");
        }
        drop(probe);
    });
}

#[test]
fn r30_a_stalled_winners_plan_is_not_noted_over_a_later_one() {
    check(|| {
        let breaker = planned_before();
        let first = permit(&breaker);
        against_a_close_and_a_trip(&breaker, move || first.settle(busy(10)));
        let probe = permit(&breaker);
        assert_eq!(breaker.snapshot().retry_after, Some(secs(20)), "the stalled winner's lease");
        drop(probe);
    });
}

#[test]
fn two_who_configure_at_once_lose_neither_change() {
    check_locks(|| {
        let breaker = closed("configured");
        let (first, other) = (Arc::clone(&breaker), Arc::clone(&breaker));
        race(
            move || first.configure(|tuning| tuning.strategy.threshold = 7).expect("sound"),
            move || other.configure(|tuning| tuning.abandoned_after = secs(77)).expect("sound"),
        );
        let set = std::cell::Cell::new((0, secs(0)));
        let look =
            |tuning: &mut breaker::Tuning<Count, AsAsked>| set.set((tuning.strategy.threshold, tuning.abandoned_after));
        breaker.configure(look).expect("sound");
        assert_eq!(set.get(), (7, secs(77)));
    });
}

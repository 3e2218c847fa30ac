//! How long to stay open, and how to probe.

use crate::support::{BASIC, Calls, Ear, TICK, advance, count, isolate, secs, with};
use breaker::{Backoff, BasicTimeout, Breaker, Cause, Count, Outcome, Plan, Recover, Status, Trip, test_util};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Mutex,
    time::Duration,
};

const STEADY: Backoff = Backoff { jitter: 0.0, successes: 1, ..Backoff::DEFAULT };

/// The time that the opening just made takes.
fn wait<R: Recover>(breaker: &Breaker<Count, R>) -> Duration {
    breaker.snapshot().retry_after.expect("open for a time")
}

#[test]
fn r26_basic_timeout_takes_the_same_time_every_time() {
    let _alone = isolate();
    let basic = BasicTimeout { reset_timeout: secs(7), probing_timeout: secs(3), ..BasicTimeout::DEFAULT };
    let breaker = with("basic", count(3), basic);
    breaker.trip();
    for _ in 0..5 {
        assert_eq!(wait(&breaker), secs(7));
        advance(secs(7));
        let probe = breaker.acquire().expect("half open");
        assert_eq!(breaker.snapshot().retry_after, Some(secs(3)));
        probe.failure();
    }
}

#[test]
fn r26_every_recover_takes_probing_timeout_and_successes() {
    let _alone = isolate();
    let backoff = with("terms", count(3), Backoff { probing_timeout: secs(4), successes: 2, ..STEADY });
    let basic = with("terms", count(3), BasicTimeout { probing_timeout: secs(4), successes: 2, ..BASIC });
    backoff.trip();
    basic.trip();
    advance(secs(30));
    let probes = [backoff.acquire().unwrap(), basic.acquire().unwrap()];
    assert_eq!([backoff.snapshot(), basic.snapshot()].map(|snapshot| snapshot.retry_after), [Some(secs(4)); 2]);
    for probe in probes {
        probe.success();
    }
    assert_eq!([backoff.status(), basic.status()], [Status::HalfOpen; 2]);
    assert!(backoff.succeed() && basic.succeed());
    assert_eq!([backoff.status(), basic.status()], [Status::Closed; 2]);
}

#[test]
fn r27_it_grows_with_consecutive_openings_up_to_max() {
    let _alone = isolate();
    let breaker = with("backoff", count(3), STEADY);
    breaker.trip();
    for expected in [1, 2, 4, 8, 16, 30, 30] {
        assert_eq!(wait(&breaker), secs(expected));
        advance(secs(expected));
        assert!(breaker.fail());
    }
}

#[test]
fn r27_a_close_does_not_forget_the_growth() {
    let _alone = isolate();
    let breaker = with("flapping", count(3), STEADY);
    for expected in [1, 2, 4, 8, 16, 30] {
        breaker.trip();
        assert_eq!(wait(&breaker), secs(expected));
        advance(secs(expected));
        assert!(breaker.succeed());
    }
}

#[test]
fn r27_each_max_spent_closed_forgets_one_step() {
    let _alone = isolate();
    for (closed, expected) in
        [(secs(0), 8), (secs(30) - TICK, 8), (secs(30), 4), (secs(60) - TICK, 4), (secs(60), 2), (secs(9_999), 1)]
    {
        let breaker = with("forgets", count(3), STEADY);
        for wait in [1, 2, 4] {
            breaker.trip();
            advance(secs(wait));
            assert!(breaker.succeed());
        }
        advance(closed);
        breaker.trip();
        assert_eq!(wait(&breaker), secs(expected), "after {closed:?} closed");
    }
}

#[test]
fn r27_parts_do_not_add_up_over_closes() {
    let _alone = isolate();
    let breaker = with("parts", count(3), STEADY);
    for expected in [1, 2, 4, 8] {
        breaker.trip();
        assert_eq!(wait(&breaker), secs(expected), "20 s closed each time forget nothing");
        advance(secs(expected));
        assert!(breaker.succeed());
        advance(secs(20));
    }
}

#[test]
fn r27_what_is_forgotten_stays_forgotten() {
    let _alone = isolate();
    let breaker = with("stays", count(3), STEADY);
    for wait in [1, 2, 4] {
        breaker.trip();
        advance(secs(wait));
        assert!(breaker.succeed());
    }
    advance(secs(60));
    breaker.trip();
    assert_eq!(wait(&breaker), secs(2));
    advance(secs(2));
    assert!(breaker.fail());
    assert_eq!(wait(&breaker), secs(4));
}

#[test]
fn r27_jitter_goes_both_ways_and_never_past_max() {
    let _alone = isolate();
    test_util::seed(7);
    let breaker = with("jitter", count(1), Backoff { jitter: 0.5, max: secs(20), initial: secs(8), ..STEADY });
    let (mut shorter, mut longer, mut at_max) = (0, 0, 0);
    for _ in 0..200 {
        breaker.force_close();
        assert!(breaker.fail());
        let first = wait(&breaker);
        assert!(first >= secs(4) && first <= secs(12), "{first:?}");
        shorter += u32::from(first < secs(8));
        longer += u32::from(first > secs(8));
        advance(first);
        assert!(breaker.fail());
        let second = wait(&breaker);
        assert!(second >= secs(8) && second <= secs(20), "{second:?}");
        at_max += u32::from(second == secs(20));
    }
    assert!(shorter > 50 && longer > 50 && at_max > 20, "{shorter} {longer} {at_max}");
}

/// What the recover was shown, and how often it was asked.
static SHOWN: Mutex<Vec<Trip>> = Mutex::new(Vec::new());

/// Open for a second, and keeps what it was shown.
#[derive(Clone, Copy)]
struct Keeps;

impl Recover for Keeps {
    fn plan(&self, trip: &Trip) -> Plan {
        SHOWN.lock().unwrap().push(trip.clone());
        Plan::after(secs(1)).probing_timeout(secs(1))
    }
}

#[test]
fn r30_a_recover_sees_openings_outcome_and_cause_once_for_each_opening() {
    let _alone = isolate();
    SHOWN.lock().unwrap().clear();
    let breaker = with("keeps", count(2), Keeps);
    let slow_down = Outcome::failure().retry_after(secs(9)).cause("429");
    assert!(breaker.fail() && breaker.come_to(slow_down));
    for _ in 0..10 {
        breaker.status();
        assert!(breaker.acquire().is_err());
    }
    advance(secs(1));
    assert!(breaker.come_to(slow_down));
    for lease in [1, 2, 4] {
        advance(secs(1));
        breaker.status();
        std::mem::forget(breaker.acquire().expect("half open"));
        advance(secs(lease));
        breaker.status();
    }
    let shown = SHOWN.lock().unwrap().clone();
    assert_eq!(shown.iter().map(|trip| trip.openings).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(
        shown.iter().map(|trip| trip.cause).collect::<Vec<_>>(),
        [Cause::Tripped, Cause::ProbeFailed, Cause::ProbeLapsed]
    );
    assert_eq!([shown[0].outcome, shown[1].outcome], [slow_down; 2]);
    assert!(shown[2].outcome.is_failure());
    assert_eq!((shown[0].rule, shown[0].tally.failures), ("consecutive failures", 2));
    let last = breaker.snapshot().last_trip.unwrap();
    assert_eq!((last.openings, last.cause, last.outcome), (3, Cause::ProbeLapsed, shown[2].outcome));
    assert_eq!(last.first.map(|first| first.outcome), Some(slow_down), "what the probes were to end");
}

#[test]
fn r30_a_close_forgets_all_openings_unless_recover_says_otherwise() {
    let _alone = isolate();
    SHOWN.lock().unwrap().clear();
    let breaker = with("keeps", count(1), Keeps);
    for _ in 0..3 {
        assert!(breaker.fail());
        advance(secs(1));
        assert!(breaker.succeed());
    }
    assert!(SHOWN.lock().unwrap().iter().all(|trip| trip.openings == 1));
}

#[test]
fn r30_commands_do_not_ask_recover() {
    let _alone = isolate();
    SHOWN.lock().unwrap().clear();
    let breaker = with("keeps", count(1), Keeps);
    breaker.force_open();
    breaker.override_open(breaker::Override::lasting(secs(1)));
    breaker.force_close();
    assert!(SHOWN.lock().unwrap().is_empty());
}

/// Open for as long as it is told.
#[derive(Clone, Copy)]
struct Any(Plan);

impl Recover for Any {
    fn plan(&self, _: &Trip) -> Plan {
        self.0
    }
}

#[test]
fn r30_any_duration_is_legal_and_none_ends_early() {
    let _alone = isolate();
    let years = secs(60 * 60 * 24 * 365);
    for after in [secs(0), Duration::from_nanos(1), years, years * 4, years * 5, years * 300, Duration::MAX] {
        let breaker = with("any", count(1), Any(Plan::after(after).probing_timeout(after)));
        assert!(breaker.fail());
        let mut left = breaker.snapshot().retry_after;
        assert!(left.is_none_or(|left| left >= after && left <= after + TICK), "{after:?}: {left:?}");
        if after > secs(1) {
            advance(after.min(years * 4) - secs(1));
            assert_eq!(breaker.status(), Status::Open, "{after:?}");
            left = breaker.snapshot().retry_after;
            assert!(left.is_none_or(|left| left <= secs(1)), "{after:?}: {left:?}");
        }
        assert!(breaker.acquire().is_err() || after == secs(0));
    }
}

#[test]
fn r30_a_lease_of_any_duration_is_legal() {
    let _alone = isolate();
    for lease in [secs(1 << 33), Duration::MAX] {
        let breaker = with("any", count(1), Any(Plan::after(secs(1)).probing_timeout(lease).ramp(Duration::ZERO)));
        assert!(breaker.fail());
        advance(secs(1));
        let probe = breaker.acquire().expect("half open");
        advance(secs(1 << 26));
        assert_eq!(breaker.status(), Status::Probing);
        probe.progress();
        probe.success();
        assert_eq!(breaker.status(), Status::Closed);
    }
}

/// Panics whenever it is asked.
#[derive(Clone, Copy)]
struct Panics;

impl Recover for Panics {
    fn plan(&self, _: &Trip) -> Plan {
        panic!("no plan")
    }
}

#[test]
fn r30_a_recover_that_panics_leaves_a_breaker_that_comes_back() {
    let _alone = isolate();
    let breaker = with("panics", count(3), Panics);
    let ear = Ear::of("panics");
    assert!(breaker.fail() && breaker.fail());
    let caught = catch_unwind(AssertUnwindSafe(|| breaker.fail())).expect_err("the panic goes on");
    assert_eq!(caught.downcast_ref::<&str>(), Some(&"no plan"));
    assert_eq!(ear.transitions(), ["closed -> open, tripped"], "told all the same");
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.retry_after), (Status::Open, Some(secs(30))));
    assert!(breaker.acquire().is_err());
    advance(secs(30));
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed);
}

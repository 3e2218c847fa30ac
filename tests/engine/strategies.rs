//! Every shipped strategy and recover, and a user's own, through a declaration.

use breaker::{Call, Era, Outcome, Plan, Recover, Status, Strategy, Trip, Verdict, test_util};
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

breaker::breakers! {
    pub defaults {}
    pub rate { strategy: FailureRate { window: Calls(10), min_calls: 4, rate: 0.5, streak: 0 } }
    pub timed { strategy: FailureRate { window: Time(10s), min_calls: 4, rate: 0.5, streak: 0 } }
    pub slow {
        strategy: SlowCallRate { slower_than: 100ms, window: Calls(4), min_calls: 2, rate: 1.0 }
        recover: BasicTimeout { reset_timeout: 1s }
    }
    pub burst { strategy: Burst { failures: 3, within: 1s } }
    pub either {
        strategy: AnyOf(Count { threshold: 2 }, AnyOf(Burst { failures: 3, within: 1s }, FailureRate {})),
    }
    pub asked { strategy: Count { threshold: 1 }, recover: RetryAfter { default: 5s, min: 1s, max: 300s } }
    pub nth { strategy: Count { threshold: 1 }, recover: EveryNth { rejections: 3 } }
    own { strategy: self::Total { failures: 2 }, recover: self::Doubling {} }
    asks { strategy: Count { threshold: 1 }, recover: self::Asking {} }
}

fn fail(breaker: &dyn breaker::AnyBreaker) -> Status {
    breaker.acquire().expect("let through").settle(Outcome::failure());
    breaker.status()
}

fn succeed(breaker: &dyn breaker::AnyBreaker) {
    breaker.acquire().expect("let through").success();
}

#[test]
fn r20_the_default_strategy_is_a_rate_with_a_streak() {
    let _alone = test_util::isolate();
    for _ in 0..4 {
        assert_eq!(fail(defaults()), Status::Closed);
    }
    assert_eq!(fail(defaults()), Status::Open, "five in a row at low traffic");
    let trip = defaults().snapshot().last_trip.unwrap();
    assert_eq!(trip.rule, "consecutive failures at low traffic");
}

#[test]
fn r20_the_rate_opens_and_the_report_has_its_counts() {
    let _alone = test_util::isolate();
    for breaker in [rate() as &dyn breaker::AnyBreaker, timed()] {
        succeed(breaker);
        succeed(breaker);
        assert_eq!(fail(breaker), Status::Closed);
        assert_eq!(fail(breaker), Status::Open);
        let trip = breaker.snapshot().last_trip.unwrap();
        assert_eq!((trip.rule, trip.tally.failures, trip.tally.calls), ("failure rate", 2, 4));
    }
}

#[test]
fn r20_a_time_window_forgets() {
    let _alone = test_util::isolate();
    fail(timed());
    fail(timed());
    fail(timed());
    test_util::advance(Duration::from_secs(10));
    assert_eq!(fail(timed()), Status::Closed);
    assert_eq!(timed().snapshot().tally.calls, 1);
}

#[test]
fn r21_slow_calls_open() {
    let _alone = test_util::isolate();
    for status in [Status::Closed, Status::Open] {
        let permit = slow().acquire().unwrap();
        test_util::advance(Duration::from_millis(101));
        permit.success();
        assert_eq!(slow().status(), status);
    }
    test_util::advance(Duration::from_secs(1));
    succeed(slow());
    assert_eq!(slow().status(), Status::Closed);
    let run: Result<(), breaker::Error<()>> = slow().run(|| {
        test_util::advance(Duration::from_millis(101));
        Ok(())
    });
    assert_eq!(run, Ok(()));
    assert_eq!(slow().snapshot().tally, breaker::Tally::new(1, 1), "a run on the fast path is timed as well");
}

#[test]
fn r22_a_burst_opens_whatever_comes_between() {
    let _alone = test_util::isolate();
    fail(burst());
    fail(burst());
    test_util::advance(Duration::from_secs(1));
    assert_eq!(fail(burst()), Status::Closed);
    succeed(burst());
    fail(burst());
    assert_eq!(fail(burst()), Status::Open);
}

#[test]
fn r23_the_report_says_which() {
    let _alone = test_util::isolate();
    fail(either());
    succeed(either());
    fail(either());
    succeed(either());
    assert_eq!(fail(either()), Status::Open);
    assert_eq!(either().snapshot().last_trip.unwrap().rule, "burst of failures");
    either().force_close();
    fail(either());
    assert_eq!(fail(either()), Status::Open);
    assert_eq!(either().snapshot().last_trip.unwrap().rule, "consecutive failures");
}

#[test]
fn r28_the_opening_failure_says_how_long() {
    let _alone = test_util::isolate();
    asked().acquire().unwrap().settle(Outcome::failure().retry_after(Duration::from_secs(17)));
    assert_eq!(asked().snapshot().retry_after, Some(Duration::from_secs(17)));
    asked().force_close();
    fail(asked());
    assert_eq!(asked().snapshot().retry_after, Some(Duration::from_secs(5)));
}

#[test]
fn r29_the_nth_rejection_makes_way() {
    let _alone = test_util::isolate();
    fail(nth());
    for left in [2, 1, 0] {
        let rejected = nth().acquire().unwrap_err();
        assert_eq!(rejected.cause().expect("the last one knows it, too").rule, "consecutive failures");
        assert_eq!((rejected.status, rejected.retry_after), (Status::Open, None));
        assert_eq!(nth().status() == Status::HalfOpen, left == 0);
    }
    let probe = nth().acquire().unwrap();
    for _ in 0..10 {
        assert_eq!(nth().acquire().unwrap_err().status, Status::Probing, "these do not count");
    }
    probe.failure();
    assert_eq!(nth().status(), Status::Open);
    for _ in 0..3 {
        assert!(nth().acquire().is_err());
    }
    succeed(nth());
    assert_eq!(nth().status(), Status::Closed);
}

/// Opens on the n-th failure of an era.
#[derive(Clone, Copy)]
pub(crate) struct Total {
    failures: u64,
}

impl Strategy for Total {
    type State = AtomicU64;

    const NEW: AtomicU64 = AtomicU64::new(0);

    fn record(&self, state: &AtomicU64, era: Era, call: &Call) -> Verdict {
        if !call.outcome.is_failure() {
            return Verdict::Stay;
        }
        let counted = state
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |seen| (seen >> 32 == era.get()).then_some(seen + 1));
        match counted {
            Ok(before) if (before & 0xFFFF_FFFF) + 1 >= self.failures => Verdict::Open { rule: "total" },
            _ => Verdict::Stay,
        }
    }

    fn begin(&self, state: &AtomicU64, era: Era) {
        state.store(era.get() << 32, Ordering::Release);
    }
}

/// Twice as patient after each opening in a row.
#[derive(Clone, Copy)]
pub(crate) struct Doubling {}

impl Recover for Doubling {
    fn plan(&self, trip: &Trip) -> Plan {
        assert_eq!(trip.rule == "total", trip.cause == breaker::Cause::Tripped);
        Plan::after(Duration::from_secs(1 << trip.openings))
    }
}

#[test]
fn r24_r30_a_strategy_and_a_recover_of_ones_own() {
    let _alone = test_util::isolate();
    fail(own());
    succeed(own());
    assert_eq!(fail(own()), Status::Open);
    assert_eq!(own().snapshot().retry_after, Some(Duration::from_secs(2)));
    test_util::advance(Duration::from_secs(2));
    assert_eq!(fail(own()), Status::Open);
    assert_eq!(own().snapshot().retry_after, Some(Duration::from_secs(4)));
}

/// Asks its own breaker for a call while that is yet to learn its plan.
#[derive(Clone, Copy)]
pub(crate) struct Asking {}

impl Recover for Asking {
    fn plan(&self, _: &Trip) -> Plan {
        let rejected = asks().acquire().unwrap_err();
        assert_eq!((rejected.status, rejected.retry_after), (Status::Open, None));
        Plan::after(Duration::from_secs(2))
    }
}

#[test]
fn r37_until_recover_has_answered_a_rejection_has_no_time() {
    let _alone = test_util::isolate();
    assert_eq!(fail(asks()), Status::Open);
    assert_eq!(asks().acquire().unwrap_err().retry_after, Some(Duration::from_secs(2)));
}

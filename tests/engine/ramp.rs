//! R38: a close by probe lets a growing share through.

use breaker::{Outcome, Status, test_util};
use std::time::Duration;

breaker::breakers! {
    pub gentle {
        strategy: FailureRate { window: Calls(10), min_calls: 2, rate: 1.0, streak: 0 },
        recover: BasicTimeout { reset_timeout: 1s, ramp: 100s },
    }
    pub abrupt { strategy: Count { threshold: 1 }, recover: BasicTimeout { reset_timeout: 1s } }
}

fn close_by_probe() {
    gentle().acquire().unwrap().failure();
    gentle().acquire().unwrap().failure();
    test_util::advance(Duration::from_secs(1));
    gentle().acquire().unwrap().success();
    assert_eq!(gentle().status(), Status::Closed);
}

/// How many of 1,000 calls are let through; `seed` makes it the same each time.
fn admitted() -> usize {
    test_util::seed(7);
    (0..1_000).filter(|_| gentle().acquire().map(|permit| permit.settle(Outcome::Ignored)).is_ok()).count()
}

#[test]
fn r38_the_share_grows_to_all_and_never_falls() {
    let _alone = test_util::isolate();
    close_by_probe();
    assert_eq!(admitted(), 0, "at the very beginning");
    assert!(gentle().explain().contains("admitting 0 % of calls"), "{}", gentle().explain());
    let mut before = 0;
    for percent in [10, 30, 50, 70, 90] {
        let elapsed = Duration::from_secs(percent);
        test_util::advance(elapsed.saturating_sub(gentle().snapshot().since));
        let share = gentle().snapshot().admitting;
        assert!((share * 100.0 - f64::from(u32::try_from(percent).unwrap())).abs() < 0.001, "{share}");
        let now = admitted();
        let expected = usize::try_from(percent).unwrap() * 10;
        assert!(now.abs_diff(expected) < 60 && now >= before, "{now} of 1,000 at {percent} %");
        before = now;
    }
    test_util::advance(Duration::from_secs(10));
    assert_eq!(admitted(), 1_000);
    assert!((gentle().snapshot().admitting - 1.0).abs() < f64::EPSILON);
    assert!(!gentle().explain().contains("admitting"), "{}", gentle().explain());
}

#[test]
fn r38_no_permit_but_a_probes_moves_an_end() {
    let _alone = test_util::isolate();
    close_by_probe();
    test_util::advance(Duration::from_secs(50));
    test_util::seed(7);
    let permit = std::iter::repeat_with(|| gentle().acquire()).find_map(Result::ok).unwrap();
    let share = gentle().snapshot().admitting;
    permit.progress();
    assert!((gentle().snapshot().admitting - share).abs() < f64::EPSILON, "{:?}", gentle().snapshot());
    permit.success();
}

#[test]
fn r38_the_others_are_rejected_for_a_short_time() {
    let _alone = test_util::isolate();
    close_by_probe();
    let era = gentle().snapshot().era;
    let rejected = gentle().acquire().unwrap_err();
    assert_eq!((rejected.status, rejected.retry_after), (Status::Closed, Some(Duration::from_millis(100))));
    assert!(rejected.to_string().contains("gentle"), "{rejected}");
    test_util::advance(Duration::from_secs(100));
    gentle().acquire().unwrap().success();
    assert_eq!(gentle().snapshot().era, era, "the end of a ramp is no new state");
}

#[test]
fn r38_the_rate_is_judged_in_the_ramp_as_ever() {
    let _alone = test_util::isolate();
    close_by_probe();
    test_util::advance(Duration::from_secs(99));
    while gentle().status() == Status::Closed {
        if let Ok(permit) = gentle().acquire() {
            permit.failure();
        }
    }
    assert_eq!(gentle().snapshot().last_trip.unwrap().tally.failures, 2);
}

#[test]
fn r38_commands_do_not_ramp_and_without_one_nothing_does() {
    let _alone = test_util::isolate();
    close_by_probe();
    gentle().force_close();
    assert_eq!(admitted(), 1_000);
    gentle().override_open(breaker::Override::lasting(Duration::from_secs(5)));
    test_util::advance(Duration::from_secs(5));
    assert_eq!(admitted(), 1_000);
    abrupt().acquire().unwrap().failure();
    test_util::advance(Duration::from_secs(1));
    abrupt().acquire().unwrap().success();
    assert!(abrupt().acquire().is_ok());
}

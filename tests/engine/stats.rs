//! R35, R33: what is counted, once somebody has asked.

use breaker::{Outcome, test_util};
use std::time::Duration;

breaker::breakers! {
    pub counted { strategy: Count { threshold: 3 }, recover: BasicTimeout { reset_timeout: 1s } }
    pub unmoved { strategy: Burst { failures: 3, within: 1s } }
}

#[test]
fn r33_each_call_is_counted_once_for_what_it_came_to() {
    let _alone = test_util::isolate();
    breaker::collect_stats();
    let flying = counted().acquire().unwrap();
    assert_eq!(counted().stats().in_flight, 1);
    for outcome in [Outcome::Success, Outcome::Ignored, Outcome::Abandoned, Outcome::failure()] {
        counted().acquire().unwrap().settle(outcome);
    }
    drop(counted().acquire().unwrap());
    counted().force_open();
    assert!(counted().acquire().is_err());
    flying.failure();
    let stats = counted().stats();
    assert_eq!((stats.successes, stats.failures, stats.ignored, stats.abandoned), (1, 1, 1, 2));
    assert_eq!((stats.rejected, stats.late, stats.in_flight), (1, 1, 0), "a late one counts as late only");
    assert_eq!(breaker::get("counted").unwrap().stats(), stats, "by name as well");
}

#[test]
fn r33_a_success_that_is_late_is_no_success_even_where_none_moves_the_strategy() {
    let _alone = test_util::isolate();
    breaker::collect_stats();
    let flying = unmoved().acquire().unwrap();
    unmoved().force_close();
    flying.success();
    unmoved().acquire().unwrap().success();
    let stats = unmoved().stats();
    assert_eq!((stats.successes, stats.late, stats.in_flight), (1, 1, 0));
}

#[test]
fn r33_an_abandoned_call_counts_as_abandoned_whatever_its_age() {
    let _alone = test_util::isolate();
    breaker::collect_stats();
    let old = counted().acquire().unwrap();
    test_util::advance(Duration::from_secs(5));
    drop(old);
    let stats = counted().stats();
    assert_eq!((stats.abandoned, stats.failures), (1, 0));
    assert_eq!(counted().snapshot().tally.failures, 1, "to the strategy it is a failure");
}

#[test]
fn r33_threads_lose_nothing() {
    let _alone = test_util::isolate();
    breaker::collect_stats();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1_000 {
                    let _: Result<(), breaker::Error<()>> = counted().run(|| Ok(()));
                }
            });
        }
    });
    let stats = counted().stats();
    assert_eq!((stats.successes, stats.in_flight), (4_000, 0));
}

#[test]
fn r35_until_somebody_asks_nothing_is_counted() {
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_quiet_child")).output().expect("the child runs");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
    assert_eq!(child.stdout, b"quiet\n");
}

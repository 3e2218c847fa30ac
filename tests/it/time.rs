//! Whose clock it is, and that nothing else is needed.

use crate::support::{BASIC, Calls, advance, count, in_a_process_of_its_own, isolate, secs, three, with};
use breaker::{BasicTimeout, Status, test_util};
use std::time::Duration;

#[test]
fn r31_the_test_clock_stands_still_until_it_is_moved() {
    let _alone = isolate();
    let breaker = with("instant", count(3), BasicTimeout { reset_timeout: Duration::from_nanos(1), ..BASIC });
    breaker.trip();
    for _ in 0..10_000 {
        assert_eq!(breaker.status(), Status::Open);
    }
    advance(Duration::from_micros(1));
    assert_eq!(breaker.status(), Status::HalfOpen);
}

#[tokio::test(start_paused = true)]
async fn r31_inside_a_runtime_tokios_paused_clock_is_the_breakers() {
    let breaker = three();
    breaker.trip();
    tokio::time::advance(secs(30) - Duration::from_millis(1)).await;
    assert_eq!(breaker.status(), Status::Open);
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(breaker.status(), Status::HalfOpen);
    assert!(breaker.succeed());
    breaker.trip();
    // Nothing to do: tokio moves its clock to the next timer.
    tokio::time::sleep(secs(37)).await;
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.since), (Status::HalfOpen, secs(7)));
}

#[tokio::test(start_paused = true)]
async fn r31_tokios_clock_holds_across_spawned_tasks() {
    let breaker = std::sync::Arc::new(three());
    let inside = std::sync::Arc::clone(&breaker);
    tokio::spawn(async move {
        inside.trip();
        // On the paused clock, as below: no time passes but tokio's.
        tokio::time::sleep(secs(29)).await;
        assert_eq!(inside.status(), Status::Open);
    })
    .await
    .expect("no panic");
    tokio::time::sleep(secs(1)).await;
    assert_eq!(breaker.status(), Status::HalfOpen);
}

#[test]
fn r31_the_feature_alone_changes_nothing() {
    in_a_process_of_its_own("time::without_a_guard_the_hand_clock_is_nobodys");
}

#[test]
#[ignore = "needs a process of its own"]
fn without_a_guard_the_hand_clock_is_nobodys() {
    let breaker = three();
    breaker.trip();
    test_util::advance(secs(1_000));
    assert_eq!(breaker.status(), Status::Open);
    drop(isolate());
    test_util::advance(secs(1_000));
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r32_it_works_in_a_program_without_a_runtime() {
    in_a_process_of_its_own("time::the_clock_of_the_machine");
}

#[test]
#[ignore = "needs a process of its own"]
fn the_clock_of_the_machine() {
    let soon = BasicTimeout { reset_timeout: Duration::from_nanos(1), ..BASIC };
    let breaker = with("soon", count(3), soon);
    for _ in 0..3 {
        breaker.fail();
    }
    // A microsecond of a clock that nobody holds.
    while breaker.status() == Status::Open {
        std::hint::spin_loop();
    }
    assert_eq!(breaker.status(), Status::HalfOpen);
    assert!(breaker.succeed());
    let never = with("never", count(1), BasicTimeout { reset_timeout: Duration::MAX, ..BASIC });
    assert!(never.fail());
    assert_eq!(never.status(), Status::Open);
}

#[test]
fn r32_it_works_after_a_runtimes_end() {
    in_a_process_of_its_own("time::a_runtime_that_ends");
}

#[test]
#[ignore = "needs a process of its own"]
fn a_runtime_that_ends() {
    let hour = BasicTimeout { reset_timeout: secs(3_600), ..BASIC };
    let (opened, soon) = (
        with("opened", count(3), hour),
        with("soon", count(3), BasicTimeout { reset_timeout: Duration::from_nanos(1), ..BASIC }),
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let probe = runtime.block_on(async {
        opened.trip();
        for _ in 0..3 {
            soon.fail();
        }
        while soon.status() == Status::Open {
            std::hint::spin_loop();
        }
        soon.acquire().expect("half open")
    });
    drop(runtime);
    // Deadlines that were set in it still hold, neither moved nor lost.
    let left = opened.snapshot().retry_after.expect("open for a time");
    assert!(left > secs(3_000) && left <= secs(3_600), "{left:?}");
    probe.success();
    assert_eq!(soon.status(), Status::Closed);
}

//! R37: waiting until a call would be let through, by whatever cause.

use breaker::{Status, test_util};
use std::{
    future::{Future, poll_fn},
    pin::pin,
    time::Duration,
};
use tokio::time::{Instant, timeout};

breaker::breakers! {
    pub timed { strategy: Count { threshold: 1 }, recover: BasicTimeout { reset_timeout: 30s, probing_timeout: 10s } }
    pub gentle { strategy: Count { threshold: 1 }, recover: BasicTimeout { reset_timeout: 1s, ramp: 100s } }
    pub nth { strategy: Count { threshold: 1 }, recover: EveryNth { rejections: 2 } }
}

/// Runs alone, on tokio's paused clock.
fn alone<F: Future<Output = ()>>(test: impl FnOnce() -> F) {
    let _alone = test_util::isolate();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        for breaker in breaker::registry().iter() {
            breaker.force_close();
        }
        test().await;
    });
}

async fn is_waiting(ready: impl Future<Output = ()>) -> bool {
    timeout(Duration::from_secs(1), ready).await.is_err()
}

#[test]
fn r37_ready_ends_at_once_when_closed_and_when_half_open() {
    alone(|| async {
        let start = Instant::now();
        timed().ready().await;
        assert_eq!(start.elapsed(), Duration::ZERO);
        timed().acquire().unwrap().failure();
        timed().ready().await;
        assert_eq!((start.elapsed(), timed().status()), (Duration::from_secs(30), Status::HalfOpen));
        timed().ready().await;
        assert_eq!(start.elapsed(), Duration::from_secs(30));
    });
}

#[test]
fn r37_ready_waits_for_a_probe_or_its_lease() {
    alone(|| async {
        timed().acquire().unwrap().failure();
        timed().ready().await;
        let probe = timed().acquire().unwrap();
        let start = Instant::now();
        timed().ready().await;
        assert_eq!(start.elapsed(), Duration::from_secs(10), "the lease");
        drop(probe);
        let probe = timed().acquire().unwrap();
        let waiting = tokio::task::spawn(async { timed().ready().await });
        tokio::task::yield_now().await;
        probe.success();
        waiting.await.unwrap();
        assert_eq!(timed().status(), Status::Closed);
    });
}

#[test]
fn r37_ready_ends_by_an_operator_and_by_rejections() {
    alone(|| async {
        timed().force_open();
        assert!(is_waiting(timed().ready()).await, "until further notice");
        let waiting = tokio::task::spawn(async { timed().ready().await });
        tokio::task::yield_now().await;
        timed().force_close();
        waiting.await.unwrap();

        nth().acquire().unwrap().failure();
        assert!(is_waiting(nth().ready()).await, "no clock tells");
        let waiting = tokio::task::spawn(async { nth().ready().await });
        tokio::task::yield_now().await;
        assert!(nth().acquire().is_err() && nth().acquire().is_err());
        waiting.await.unwrap();
        assert_eq!(nth().status(), Status::HalfOpen);
    });
}

#[test]
fn r37_ready_waits_for_the_end_of_an_override() {
    alone(|| async {
        timed().override_open(breaker::Override::lasting(Duration::from_secs(7)));
        let start = Instant::now();
        timed().ready().await;
        assert_eq!((start.elapsed(), timed().status()), (Duration::from_secs(7), Status::Closed));
    });
}

#[test]
fn r37_ready_waits_for_its_turn_in_a_ramp() {
    alone(|| async {
        test_util::seed(7);
        gentle().acquire().unwrap().failure();
        gentle().ready().await;
        gentle().acquire().unwrap().success();
        assert!(is_waiting(gentle().ready()).await, "at its very beginning nobody's comes");
        let start = Instant::now();
        gentle().ready().await;
        assert!((Duration::from_secs(1)..Duration::from_secs(50)).contains(&start.elapsed()), "{:?}", start.elapsed());
    });
}

#[test]
fn r37_ready_sleeps_until_a_time_that_is_known() {
    alone(|| async {
        timed().acquire().unwrap().failure();
        let mut ready = pin!(timed().ready());
        let mut polls = 0;
        poll_fn(|cx| {
            polls += 1;
            ready.as_mut().poll(cx)
        })
        .await;
        assert!(polls <= 3, "{polls} looks in 30 s");
    });
}

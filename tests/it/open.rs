//! Open: nothing passes until the time that recover gave, and not a moment longer.

use crate::support::{Calls, TICK, advance, in_a_process_of_its_own, isolate, poll, secs, three};
use breaker::{Error, Status};
use std::{future::pending, pin::pin, task::Poll};

#[test]
fn r03_an_open_breaker_never_touches_the_body() {
    let _alone = isolate();
    let breaker = three();
    breaker.trip();
    let rejected = breaker.run(|| -> Result<(), ()> { unreachable!("open") });
    assert!(matches!(rejected, Err(Error::Rejected(_))));
    let rejected = breaker.call(|| -> Result<(), ()> { unreachable!("open") });
    assert_eq!(rejected.unwrap_err().status, Status::Open);
    let body = async { unreachable!("open") };
    let rejected = poll(pin!(breaker.run_async::<(), (), _>(body)));
    assert!(matches!(rejected, Poll::Ready(Err(Error::Rejected(_)))));
    assert!(breaker.acquire().is_err());
}

#[test]
fn r03_a_rejected_future_that_is_polled_again_asks_again() {
    let _alone = isolate();
    let breaker = three();
    breaker.trip();
    let mut call = pin!(breaker.call_async(async {
        assert_eq!(breaker.status(), Status::Probing, "no body runs without a permit");
        Ok::<_, ()>(())
    }));
    assert!(matches!(poll(call.as_mut()), Poll::Ready(Err(_))));
    assert!(matches!(poll(call.as_mut()), Poll::Ready(Err(_))), "still open");
    advance(secs(30));
    assert_eq!(poll(call.as_mut()), Poll::Ready(Ok(Ok(()))));
    assert_eq!(breaker.status(), Status::Closed);
}

#[test]
fn r03_a_future_asks_when_it_is_polled_and_not_when_it_is_made() {
    let _alone = isolate();
    let breaker = three();
    let mut early = Box::pin(breaker.run_async(async { Ok::<_, ()>(1) }));
    breaker.trip();
    assert!(matches!(poll(early.as_mut()), Poll::Ready(Err(Error::Rejected(_)))));
    // Never polled, it is no call at all.
    drop(breaker.run_async::<(), (), _>(pending()));
    breaker.force_close();
    assert_eq!(breaker.snapshot().tally.failures, 0);
}

#[test]
fn r03_half_open_at_exactly_the_time_without_any_traffic() {
    let _alone = isolate();
    let breaker = three();
    breaker.trip();
    advance(secs(30) - TICK);
    assert_eq!(breaker.status(), Status::Open);
    advance(TICK);
    assert_eq!(breaker.status(), Status::HalfOpen);
}

#[test]
fn r03_the_first_caller_at_exactly_the_time_probes() {
    let _alone = isolate();
    let breaker = three();
    breaker.trip();
    advance(secs(30) - TICK);
    assert!(breaker.acquire().is_err());
    advance(TICK);
    let _probe = breaker.acquire().expect("its time has come, though nobody has looked");
    assert_eq!(breaker.status(), Status::Probing);
}

#[test]
fn r03_since_counts_from_then_and_not_from_when_it_was_seen() {
    let _alone = isolate();
    let breaker = three();
    advance(secs(4));
    assert_eq!(breaker.snapshot().since, secs(4), "closed since it was built");
    breaker.trip();
    advance(secs(29));
    assert_eq!(breaker.snapshot().since, secs(29));
    advance(secs(6));
    let snapshot = breaker.snapshot();
    assert_eq!((snapshot.status, snapshot.since), (Status::HalfOpen, secs(5)));
}

#[test]
fn r03_since_is_true_though_nobody_ever_looked_before() {
    in_a_process_of_its_own("open::the_first_look_of_a_process_at_an_old_stay");
}

#[test]
#[ignore = "needs a process of its own"]
fn the_first_look_of_a_process_at_an_old_stay() {
    let _alone = isolate();
    let breaker = three();
    advance(secs(2));
    for _ in 0..3 {
        breaker.fail();
    }
    advance(secs(7));
    assert_eq!(breaker.snapshot().since, secs(7));
}

#[test]
fn r03_a_stay_that_nobody_saw_still_has_its_era() {
    let _alone = isolate();
    let (seen, unseen) = (three(), three());
    for breaker in [&seen, &unseen] {
        breaker.trip();
        advance(secs(30));
    }
    assert_eq!(seen.status(), Status::HalfOpen);
    for breaker in [&seen, &unseen] {
        breaker.force_close();
    }
    assert_eq!(seen.snapshot().era, unseen.snapshot().era);
}

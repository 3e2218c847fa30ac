//! A panic is recorded once and goes on.

use crate::support::{BASIC, Calls, Ear, count, isolate, poll, secs, three, with};
use breaker::{Classify, Failure, Outcome, Status};
use std::{
    any::Any,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind, panic_any},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    task::Poll,
};

/// What a panicking `call` panicked with.
fn payload(call: impl FnOnce()) -> Box<dyn Any + Send> {
    catch_unwind(AssertUnwindSafe(call)).expect_err("it panics")
}

/// A payload that is the same only if it is the very same.
fn token() -> (Arc<u32>, Arc<u32>) {
    let token = Arc::new(7);
    (Arc::clone(&token), token)
}

fn is(payload: Box<dyn Any + Send>, token: &Arc<u32>) -> bool {
    payload.downcast::<Arc<u32>>().is_ok_and(|payload| Arc::ptr_eq(&payload, token))
}

#[test]
fn r12_a_panic_is_one_failure_and_goes_on_with_the_same_payload() {
    let _alone = isolate();
    let breaker = with("panics", count(2), BASIC);
    let ear = Ear::of("panics");
    let (thrown, token) = token();
    let caught = payload(|| drop(breaker.run(|| -> Result<(), ()> { panic_any(thrown) })));
    assert!(is(caught, &token));
    assert_eq!((breaker.status(), breaker.snapshot().tally.failures), (Status::Closed, 1));
    assert_eq!(ear.heard(), ["permitted", "panicked"]);
}

#[test]
fn r12_a_panic_in_a_poll_is_one_failure_and_goes_on() {
    let _alone = isolate();
    let breaker = three();
    let (thrown, token) = token();
    let mut call = Box::pin(breaker.run_async::<(), (), _>(async { panic_any(thrown) }));
    let caught = payload(|| drop(poll(call.as_mut())));
    assert!(is(caught, &token));
    assert_eq!(breaker.snapshot().tally.failures, 1);
    drop(call);
    assert_eq!(breaker.snapshot().tally.failures, 1, "once");
}

#[test]
fn r12_a_panicking_probe_opens_again() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    payload(|| drop(breaker.run(|| -> Result<(), ()> { panic!("probe") })));
    let snapshot = breaker.snapshot();
    assert_eq!(snapshot.status, Status::Open);
    let outcome = snapshot.last_trip.expect("it opened").outcome;
    assert!(matches!(outcome, Outcome::Failure(Failure { cause: Some("panicked"), .. })), "{outcome:?}");
}

/// Takes a panic with a `u8` for a success, with a `u16` for nothing, with a `u32` for a reason to panic itself.
struct Inspects;

impl<T, E> Classify<Result<T, E>> for Inspects {
    const INSPECTS_PANICS: bool = true;

    fn classify(result: &Result<T, E>) -> Outcome {
        if result.is_ok() { Outcome::Success } else { Outcome::failure() }
    }

    fn panicked(payload: &(dyn Any + Send)) -> Outcome {
        if payload.is::<u8>() {
            Outcome::Success
        } else if payload.is::<u16>() {
            Outcome::Ignored
        } else if payload.is::<u32>() {
            panic!("classify itself")
        } else {
            Outcome::failure().cause("inspected")
        }
    }
}

#[test]
fn r12_classify_may_say_otherwise() {
    let _alone = isolate();
    let breaker = three().classified_by::<Inspects>();
    let failures = || breaker.snapshot().tally.failures;
    let throw = |thrown: fn()| {
        payload(|| {
            let _ = breaker.run(|| {
                thrown();
                Ok::<_, ()>(())
            });
        });
    };
    throw(|| panic_any("text"));
    assert_eq!(failures(), 1);
    throw(|| panic_any(2_u16));
    assert_eq!(failures(), 1, "ignored");
    throw(|| panic_any(1_u8));
    assert_eq!(failures(), 0, "a success ends the streak");
}

#[test]
fn r12_an_inspected_panic_goes_on_with_the_same_payload() {
    let _alone = isolate();
    let breaker = three().classified_by::<Inspects>();
    let (thrown, first) = token();
    assert!(is(payload(|| drop(breaker.run(|| -> Result<(), ()> { panic_any(thrown) }))), &first));
    let (thrown, second) = token();
    let call = breaker.run_async::<(), (), _>(async { panic_any(thrown) });
    assert!(is(payload(|| drop(poll(pin!(call)))), &second));
    assert_eq!(breaker.snapshot().tally.failures, 2);
}

#[test]
fn r12_a_panic_in_panicked_is_recorded_as_a_failure() {
    let _alone = isolate();
    let breaker = three().classified_by::<Inspects>();
    let caught = payload(|| drop(breaker.run(|| -> Result<(), ()> { panic_any(4_u32) })));
    assert_eq!(caught.downcast_ref::<&str>(), Some(&"classify itself"));
    assert_eq!(breaker.snapshot().tally.failures, 1);
}

/// Judges by panicking.
struct Panics;

impl<T> Classify<T> for Panics {
    fn classify(_: &T) -> Outcome {
        panic!("cannot judge")
    }
}

#[test]
fn r12_a_panic_in_classify_reaches_the_caller_and_is_recorded_as_a_failure() {
    let _alone = isolate();
    let breaker = three().classified_by::<Panics>();
    for failures in 1..=2 {
        let caught = payload(|| drop(breaker.call(|| "fine")));
        assert_eq!(caught.downcast_ref::<&str>(), Some(&"cannot judge"));
        assert_eq!(breaker.snapshot().tally.failures, failures);
    }
    payload(|| drop(poll(pin!(breaker.call_async(async { "fine" })))));
    assert_eq!(breaker.status(), Status::Open);
    breaker.force_close();
    breaker.half_open();
    payload(|| drop(breaker.call(|| "fine")));
    assert_eq!(breaker.status(), Status::Open, "a probe that was not judged has failed");
}

#[test]
fn r12_a_permit_dropped_while_unwinding_is_abandoned() {
    let _alone = isolate();
    let breaker = with("unwinding", count(1), BASIC);
    let ear = Ear::of("unwinding");
    payload(|| {
        let _permit = breaker.acquire().expect("closed");
        panic!("in between");
    });
    assert_eq!(breaker.status(), Status::Closed, "young");
    assert_eq!(ear.heard(), ["permitted", "abandoned"]);
}

#[test]
fn r12_no_breaker_is_ever_poisoned() {
    let _alone = isolate();
    let breaker = three();
    for _ in 0..3 {
        payload(|| drop(breaker.run(|| -> Result<(), ()> { panic!("down") })));
    }
    assert_eq!(breaker.status(), Status::Open);
    crate::support::advance(secs(30));
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed);
    assert_eq!(breaker.snapshot().last_trip.expect("it tripped").openings, 1);
}

#[test]
fn r12_a_recover_that_panics_does_not_replace_the_payload_of_the_call() {
    #[derive(Clone, Copy)]
    struct Broken;
    static ASKED: AtomicU32 = AtomicU32::new(0);

    impl breaker::Recover for Broken {
        fn plan(&self, _: &breaker::Trip) -> breaker::Plan {
            ASKED.fetch_add(1, Ordering::Relaxed);
            panic!("recover")
        }
    }

    let _alone = isolate();
    let plain = with("broken", count(1), Broken);
    let (thrown, token) = token();
    assert!(is(payload(|| drop(plain.run(|| -> Result<(), ()> { panic_any(thrown) }))), &token));
    assert_eq!(plain.status(), Status::Open);

    let inspecting = with("broken", count(1), Broken).classified_by::<Inspects>();
    let (thrown, token) = self::token();
    assert!(is(payload(|| drop(inspecting.run(|| -> Result<(), ()> { panic_any(thrown) }))), &token));
    assert_eq!((inspecting.status(), ASKED.load(Ordering::Relaxed)), (Status::Open, 2));
}

#[test]
fn r09_a_future_that_is_polled_after_its_end_records_nothing() {
    let _alone = isolate();
    let breaker = three();
    let mut polls = 0;
    let body = poll_fn(|_| {
        polls += 1;
        assert!(polls <= 2, "done");
        Poll::Ready(Err::<(), ()>(()))
    });
    let mut call = pin!(breaker.call_async(body));
    for _ in 0..2 {
        assert!(poll(call.as_mut()).is_ready());
        assert_eq!(breaker.snapshot().tally.failures, 1);
    }
    payload(|| drop(poll(call.as_mut())));
    assert_eq!(breaker.snapshot().tally.failures, 1, "nor does its panic");
}

//! What a call says about its dependency, and what it does not.

use crate::support::{BASIC, Calls, count, inner, isolate, poll, three, with};
use breaker::{ByError, Classify, ClassifyError, Error, Outcome, Rejected, Status};
use std::{pin::pin, sync::Arc, task::Poll};

#[test]
fn r13_an_ignored_call_has_no_effect_on_the_strategy() {
    let _alone = isolate();
    let breaker = three();
    assert!(breaker.fail() && breaker.fail());
    for _ in 0..10 {
        assert!(breaker.come_to(Outcome::Ignored));
    }
    assert_eq!(breaker.snapshot().tally.failures, 2, "it neither adds to a streak nor ends it");
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open);
}

/// Judges a number: below 0 a failure, 0 nothing, above a success.
struct Sign;

impl Classify<i32> for Sign {
    fn classify(number: &i32) -> Outcome {
        match number {
            ..0 => Outcome::failure(),
            0 => Outcome::Ignored,
            _ => Outcome::Success,
        }
    }
}

#[test]
fn r13_whatever_a_call_returns_can_be_judged() {
    let _alone = isolate();
    let breaker = three().classified_by::<Sign>();
    let failures = || breaker.snapshot().tally.failures;
    assert_eq!(breaker.call(|| -1), Ok(-1));
    assert_eq!(poll(pin!(breaker.call_async(async { -1 }))), Poll::Ready(Ok(-1)));
    assert_eq!((breaker.call(|| 0), failures()), (Ok(0), 2));
    assert_eq!((breaker.call(|| 1), failures()), (Ok(1), 0));
}

#[test]
fn r18_nested_calls_are_recorded_once_each_on_their_own_breaker() {
    let _alone = isolate();
    let (outer, middle) = (three(), three());
    let result = outer.run(|| middle.run(|| Err::<(), _>("down")));
    assert!(matches!(result, Err(Error::Inner(Error::Inner("down")))));
    assert_eq!([&outer, &middle].map(|breaker| breaker.snapshot().tally.failures), [1, 1]);
}

#[test]
fn r18_a_call_that_recurses_through_its_breaker_is_n_calls() {
    fn recurse(breaker: &breaker::Breaker<breaker::Count, breaker::BasicTimeout>, n: u32) -> Option<()> {
        inner(breaker.run(|| if n == 1 { Err(()) } else { recurse(breaker, n - 1).map_or(Ok(()), Err) }))
    }
    let _alone = isolate();
    let breaker = with("recursive", count(100), BASIC);
    assert_eq!(recurse(&breaker, 9), Some(()));
    assert_eq!(breaker.snapshot().tally.failures, 9);
}

#[test]
fn r18_an_inner_rejection_is_a_failure_under_err_is_failure() {
    let _alone = isolate();
    let (outer, inner) = (three(), three());
    inner.trip();
    let result = outer.run(|| inner.run(|| Ok::<_, ()>(())));
    assert!(matches!(result, Err(Error::Inner(Error::Rejected(_)))));
    assert_eq!(outer.snapshot().tally.failures, 1);
}

/// The user's error: a rejection inside says nothing about this dependency.
#[derive(Debug)]
enum PayError {
    Down,
    Rejected(Rejected),
}

impl ClassifyError for PayError {
    fn outcome(&self) -> Outcome {
        match self {
            Self::Down => Outcome::failure(),
            Self::Rejected(rejected) => rejected.outcome(),
        }
    }
}

#[test]
fn r18_an_inner_rejection_is_ignored_where_its_error_says_so() {
    let _alone = isolate();
    let (outer, inner) = (three().classified_by::<ByError>(), three());
    inner.trip();
    let call = || inner.acquire().map(drop).map_err(PayError::Rejected);
    assert!(outer.run(|| Err::<(), _>(PayError::Down)).is_err());
    assert!(outer.run(call).is_err());
    let wrapped = outer.run(|| inner.run(|| Ok::<(), PayError>(())));
    assert!(matches!(wrapped, Err(Error::Inner(Error::Rejected(_)))));
    assert_eq!(outer.snapshot().tally.failures, 1, "neither counts, and neither ends the streak");
}

#[test]
fn r18_an_inner_rejection_of_a_probe_frees_its_slot() {
    let _alone = isolate();
    let (outer, inner) = (three().classified_by::<ByError>(), three());
    outer.half_open();
    inner.trip();
    assert!(outer.run(|| inner.run(|| Ok::<(), PayError>(()))).is_err());
    assert_eq!(outer.status(), Status::HalfOpen);
}

#[test]
fn r33_a_permit_may_be_settled_by_another_thread() {
    let _alone = isolate();
    let breaker = Arc::new(with("shared", count(1), BASIC));
    let permit = Arc::clone(&breaker).acquire_owned().expect("closed");
    std::thread::spawn(move || permit.failure()).join().expect("no panic");
    assert_eq!(breaker.status(), Status::Open);
}

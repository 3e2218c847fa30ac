//! `retry_after` is truthful in each state.

use crate::support::{Calls, advance, isolate, secs, three};
use breaker::{Override, Status};

#[test]
fn r37_open_the_time_that_is_left() {
    let _alone = isolate();
    let breaker = three();
    breaker.trip();
    for gone in 0..30 {
        assert_eq!(breaker.snapshot().retry_after, Some(secs(30 - gone)));
        assert_eq!(breaker.acquire().unwrap_err().retry_after, Some(secs(30 - gone)));
        advance(secs(1));
    }
    assert!(breaker.acquire().is_ok(), "it was true");
}

#[test]
fn r37_half_open_none() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    assert_eq!(breaker.snapshot().retry_after, None);
    assert_eq!(breaker.admit(false).unwrap_err().retry_after, None);
}

#[test]
fn r37_probing_until_the_probes_deadline() {
    let _alone = isolate();
    let breaker = three();
    breaker.half_open();
    let probe = breaker.acquire().expect("half open");
    advance(secs(4));
    assert_eq!(breaker.snapshot().retry_after, Some(secs(6)));
    assert_eq!(breaker.acquire().unwrap_err().retry_after, Some(secs(6)));
    probe.progress();
    assert_eq!(breaker.acquire().unwrap_err().retry_after, Some(secs(10)));
}

#[test]
fn r37_under_an_override_until_its_end() {
    let _alone = isolate();
    let breaker = three();
    breaker.override_open(Override::lasting(secs(50)));
    advance(secs(20));
    assert_eq!(breaker.snapshot().retry_after, Some(secs(30)));
    assert_eq!(breaker.acquire().unwrap_err().retry_after, Some(secs(30)));
    breaker.override_closed(Override::lasting(secs(50)));
    advance(secs(20));
    assert_eq!(breaker.snapshot().retry_after, Some(secs(30)));
}

#[test]
fn r37_none_where_no_time_is_known() {
    let _alone = isolate();
    let breaker = three();
    assert_eq!(breaker.snapshot().retry_after, None, "closed");
    breaker.trip();
    breaker.force_open();
    assert_eq!(breaker.snapshot().retry_after, None, "until further notice");
    let rejected = breaker.acquire().unwrap_err();
    assert_eq!((rejected.status, rejected.retry_after), (Status::Open, None));
    assert!(rejected.cause().is_none(), "it was forced, whatever opened it before");
}

#[test]
fn r37_a_rejection_says_it_in_one_line() {
    let _alone = isolate();
    let breaker = three();
    breaker.trip();
    advance(secs(2));
    let line = breaker.acquire().unwrap_err().to_string();
    assert!(line.starts_with("circuit breaker `three` is open; retry in 28s (opened on "), "{line}");
    assert!(line.contains("consecutive failures") && line.contains('3') && !line.contains('\n'), "{line}");
}

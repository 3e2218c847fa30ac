//! Held closed: what would have opened it is told, and the hold still ends.

use crate::support::{check, closed, large, permit, race, secs};
use breaker::{Override, Status, test_util::advance};
use std::sync::Arc;

#[test]
fn r10_a_would_open_against_a_failure_after_the_end() {
    check(|| {
        let breaker = closed("end");
        breaker.override_closed(Override::lasting(secs(10)));
        let (a, other) = (permit(&breaker), Arc::clone(&breaker));
        race(
            move || a.failure(),
            move || {
                advance(secs(10));
                other.status();
            },
        );
        let snapshot = breaker.snapshot();
        assert_eq!((snapshot.status, snapshot.forced, snapshot.tally.failures), (Status::Closed, None, 0));
        permit(&breaker).failure();
        assert_eq!(breaker.status(), Status::Open);
    });
}

large! {
    fn r10_two_would_opens_at_once_do_not_lose_the_end(5) {
        let breaker = closed("would open");
        breaker.override_closed(Override::lasting(secs(10)).actor("ops"));
        let other = Arc::clone(&breaker);
        let a = permit(&breaker);
        race(move || a.failure(), move || permit(&other).failure());
        let snapshot = breaker.snapshot();
        assert_eq!((snapshot.status, snapshot.retry_after), (Status::Closed, Some(secs(10))));
        assert!(snapshot.forced.expect("held").actor.is_some());
        advance(secs(10));
        assert_eq!(breaker.snapshot().forced, None);
    }
}

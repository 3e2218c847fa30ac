//! The published trace of the `gen_statem` breaker: three failures open it; while it is open the service's call count
//! does not move; a failed trial opens it again; a good trial closes it.

use crate::support::{advance, isolate, secs, three};
use breaker::{Error, Status};
use std::cell::Cell;

#[test]
fn r05_the_published_trace_of_the_gen_statem_breaker() {
    let _alone = isolate();
    let breaker = three();
    let (calls, healthy) = (Cell::new(0), Cell::new(true));
    let service = || {
        breaker.run(|| {
            calls.set(calls.get() + 1);
            if healthy.get() { Ok(calls.get()) } else { Err("down") }
        })
    };

    assert_eq!(service(), Ok(1));
    healthy.set(false);
    for _ in 0..3 {
        assert_eq!(service(), Err(Error::Inner("down")));
    }
    assert_eq!((breaker.status(), calls.get()), (Status::Open, 4));

    healthy.set(true);
    for _ in 0..100 {
        assert!(matches!(service(), Err(Error::Rejected(_))));
    }
    assert_eq!(calls.get(), 4, "open: the service is not touched");

    healthy.set(false);
    advance(secs(30));
    assert_eq!(breaker.status(), Status::HalfOpen);
    assert_eq!(service(), Err(Error::Inner("down")));
    assert_eq!((breaker.status(), calls.get()), (Status::Open, 5));
    assert!(matches!(service(), Err(Error::Rejected(_))));
    assert_eq!(calls.get(), 5, "open again, for a time of its own");

    healthy.set(true);
    advance(secs(30));
    assert_eq!(service(), Ok(6));
    assert_eq!(breaker.status(), Status::Closed);
    assert_eq!(service(), Ok(7));
}

//! What a call on the closed path costs, in steps that the checker counts.

use breaker::{
    BasicTimeout, Breaker, Count, Status,
    test_util::{clock_reads, isolate, writes},
};
use std::{
    future::ready,
    pin::pin,
    task::{Context, Waker},
};

fn closed() -> Breaker<Count, BasicTimeout> {
    let breaker = Breaker::new("costs", Count { threshold: 2, ..Count::DEFAULT }, BasicTimeout::DEFAULT);
    breaker.expect("sound")
}

#[test]
fn r25_a_call_that_changes_no_mind_writes_to_no_shared_memory() {
    let _alone = isolate();
    loom::model(|| {
        let breaker = closed();
        assert_eq!(breaker.status(), Status::Closed);
        let before = writes();
        for _ in 0..10 {
            assert_eq!(breaker.run(|| Ok::<_, ()>(1)), Ok(1));
        }
        assert_eq!(writes(), before);
        let _: Result<(), _> = breaker.run(|| Err(()));
        assert_eq!(writes(), before + 1, "a failure is counted in one step");
        let _: Result<(), _> = breaker.run(|| Ok::<_, ()>(()));
        assert_eq!(writes(), before + 2, "and so is the end of a streak");
    });
}

#[test]
fn r14_a_call_that_is_ready_at_once_reads_no_clock() {
    let _alone = isolate();
    loom::model(|| {
        let breaker = closed();
        let before = clock_reads();
        assert_eq!(breaker.run(|| Ok::<_, ()>(1)), Ok(1));
        let call = pin!(breaker.run_async(ready(Ok::<_, ()>(2))));
        assert!(call.poll(&mut Context::from_waker(Waker::noop())).is_ready());
        assert_eq!(clock_reads(), before);
        drop(breaker.acquire());
        assert!(clock_reads() > before, "a permit by hand has a start");
    });
}

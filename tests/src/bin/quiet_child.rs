//! A program for the test of R35: nobody has asked for stats yet, which a process can be only once.

use breaker::{
    Error, Override, Stats,
    test_util::{advance, isolate},
};
use std::time::Duration;

breaker::breakers! {
    payments { strategy: Count { threshold: 2 }, recover: BasicTimeout { reset_timeout: 1h } }
}

fn main() {
    let _alone = isolate();
    // Held, and at the end of that: off the fast path in two ways.
    payments().override_closed(Override::lasting(Duration::from_secs(1)));
    for _ in 0..2 {
        let _ = payments().run(|| Ok::<_, ()>(()));
        advance(Duration::from_secs(1));
    }
    assert_eq!(payments().stats(), Stats::default(), "nothing is counted off the fast path either");

    let before = payments().acquire().expect("it is closed");
    for _ in 0..10 {
        let _ = payments().run(|| Err::<(), ()>(()));
    }
    assert!(matches!(payments().run(|| Ok::<_, ()>(())), Err(Error::Rejected(_))), "it works all the same");
    assert_eq!(payments().stats(), Stats::default(), "nothing is counted");

    payments().force_close();
    breaker::collect_stats();
    before.success();
    assert_eq!(payments().stats(), Stats::default(), "a permit remembers that it was not counted in");
    let _ = payments().run(|| Ok::<_, ()>(()));
    let stats = payments().stats();
    assert_eq!((stats.successes, stats.failures, stats.rejected, stats.in_flight), (1, 0, 0, 0));
    println!("quiet");
}

//! Closed: calls pass, the strategy alone decides. What each state reads as.

use crate::support::{Calls, advance, count, isolate, secs, three, with};
use breaker::{BasicTimeout, Call, Era, Outcome, Status, Strategy, Verdict};

#[test]
fn r01_the_four_states_and_what_they_read_as() {
    let _alone = isolate();
    let breaker = three();
    let mut read = vec![breaker.status()];
    breaker.half_open();
    let probe = breaker.acquire().expect("half open");
    read.push(breaker.status());
    probe.failure();
    read.push(breaker.status());
    advance(secs(30));
    read.push(breaker.status());
    assert_eq!(read, [Status::Closed, Status::Probing, Status::Open, Status::HalfOpen]);
    assert_eq!(read.map_names(), ["closed", "probing", "open", "half_open"]);
}

trait Names {
    fn map_names(&self) -> Vec<String>;
}

impl Names for Vec<Status> {
    fn map_names(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }
}

#[test]
fn r01_forced_open_reads_as_open_with_forced_in_the_snapshot() {
    let _alone = isolate();
    let breaker = three();
    assert_eq!(breaker.snapshot().forced, None);
    breaker.force_open();
    let snapshot = breaker.snapshot();
    assert_eq!(snapshot.status, Status::Open);
    let forced = snapshot.forced.expect("it is forced");
    assert_eq!((forced.lasting, forced.reason, forced.actor), (None, None, None));
    breaker.force_close();
    assert_eq!(breaker.snapshot().forced, None);
    breaker.trip();
    assert_eq!(breaker.snapshot().forced, None, "open by itself");
}

/// Opens when it is told to, whatever the outcomes.
#[derive(Clone, Copy)]
struct OnSuccess;

impl Strategy for OnSuccess {
    type State = ();
    const NEW: () = ();

    fn record(&self, (): &(), _: Era, call: &Call) -> Verdict {
        match call.outcome {
            Outcome::Success => Verdict::Open { rule: "too good to be true" },
            _ => Verdict::Stay,
        }
    }

    fn begin(&self, (): &(), _: Era) {}
}

#[test]
fn r02_the_strategy_alone_decides_when_to_open() {
    let _alone = isolate();
    let breaker = with("contrary", OnSuccess, BasicTimeout::DEFAULT);
    for _ in 0..100 {
        assert!(breaker.fail());
    }
    assert_eq!(breaker.status(), Status::Closed);
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Open);
    let trip = breaker.snapshot().last_trip.expect("it tripped");
    assert_eq!((trip.rule, trip.outcome, trip.openings), ("too good to be true", Outcome::Success, 1));
}

#[test]
fn r02_every_call_passes_while_closed() {
    let _alone = isolate();
    let breaker = with("wide", count(1_000), BasicTimeout::DEFAULT);
    let permits: Vec<_> = (0..999).map(|_| breaker.acquire().expect("closed")).collect();
    for permit in permits {
        permit.failure();
    }
    assert_eq!(breaker.status(), Status::Closed);
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r17_the_outcome_is_recorded_before_the_call_returns() {
    let _alone = isolate();
    let breaker = three();
    for failures in 1..=3 {
        assert_eq!(breaker.status(), Status::Closed);
        let _: Result<(), _> = breaker.run(|| Err("down"));
        let tally = if failures < 3 { breaker.snapshot().tally } else { breaker.snapshot().last_trip.unwrap().tally };
        assert_eq!(tally.failures, failures);
    }
    assert_eq!(breaker.status(), Status::Open);
}

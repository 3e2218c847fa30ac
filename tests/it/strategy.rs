//! When to open: `Count`, and a strategy of the user's own.

use crate::support::{BASIC, Calls, TICK, advance, count, in_a_process_of_its_own, isolate, secs, three, with};
use breaker::{Burst, Call, Era, Outcome, Override, SlowCallRate, Status, Strategy, Tally, Verdict};
use std::sync::{
    Mutex,
    atomic::{AtomicU32, Ordering},
};

#[test]
fn r19_opens_on_exactly_the_threshold_th_consecutive_failure() {
    let _alone = isolate();
    for threshold in [1, 2, 5, 100] {
        let breaker = with("exact", count(threshold), BASIC);
        for failures in 1..=threshold {
            assert_eq!(breaker.status(), Status::Closed);
            assert!(breaker.fail());
            assert_eq!(breaker.status() == Status::Open, failures == threshold);
        }
        let trip = breaker.snapshot().last_trip.expect("it tripped");
        assert_eq!((trip.tally.failures, trip.rule), (threshold, "consecutive failures"));
    }
}

#[test]
fn r19_a_success_sets_the_count_to_zero() {
    let _alone = isolate();
    let breaker = three();
    for _ in 0..10 {
        assert!(breaker.fail() && breaker.fail() && breaker.succeed());
        assert_eq!(breaker.snapshot().tally.failures, 0);
    }
    breaker.trip();
}

#[test]
fn r19_eight_threads_together_open_on_the_threshold() {
    let _alone = isolate();
    let breaker = with("together", count(800), BASIC);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let breaker = &breaker;
            // One failure short.
            scope.spawn(move || (0..if thread == 0 { 99 } else { 100 }).for_each(|_| assert!(breaker.fail())));
        }
    });
    assert_eq!((breaker.status(), breaker.snapshot().tally.failures), (Status::Closed, 799));
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r22_the_first_failures_of_a_process_are_no_burst() {
    // Its clock has only just begun: a time that nobody wrote is not a failure of a moment ago.
    in_a_process_of_its_own("strategy::a_burst_in_the_first_minute");
}

#[test]
#[ignore = "needs a process of its own"]
fn a_burst_in_the_first_minute() {
    let _alone = isolate();
    let breaker = with("burst", Burst { failures: 3, within: secs(60), ..Burst::DEFAULT }, BASIC);
    assert!(breaker.fail() && breaker.fail());
    assert_eq!(breaker.status(), Status::Closed);
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open);
}

/// Opens on the n-th failure and writes down all that it is shown.
#[derive(Clone, Copy)]
struct Diary {
    failures: u32,
}

#[derive(Default)]
struct Pages(Mutex<Vec<String>>);

impl Strategy for Diary {
    type State = Pages;
    const NEW: Pages = Pages(Mutex::new(Vec::new()));
    const NEEDS_ELAPSED: bool = true;

    fn record(&self, Pages(pages): &Pages, era: Era, call: &Call) -> Verdict {
        let mut pages = pages.lock().unwrap();
        let took = call.elapsed.expect("asked for").as_secs();
        pages.push(format!("{} in {} after {took}", call.outcome, era.get()));
        let failures = pages.iter().filter(|line| line.starts_with(&format!("failure in {} ", era.get()))).count();
        SEEN.lock().unwrap().clone_from(&pages);
        if failures >= self.failures as usize { Verdict::Open { rule: "diary" } } else { Verdict::Stay }
    }

    fn begin(&self, Pages(pages): &Pages, era: Era) {
        let mut pages = pages.lock().unwrap();
        pages.push(format!("begin {}", era.get()));
        SEEN.lock().unwrap().clone_from(&pages);
    }
}

/// The diary's last copy, since a breaker shows nobody its strategy's memory.
static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[test]
fn r24_a_strategy_sees_outcomes_of_closed_eras_only_never_a_probes() {
    let _alone = isolate();
    SEEN.lock().unwrap().clear();
    let breaker = with("diary", Diary { failures: 2 }, BASIC);
    breaker.come_to(Outcome::Ignored);
    breaker.come_to(Outcome::Abandoned);
    assert!(breaker.succeed());
    let slow = breaker.acquire().expect("closed");
    advance(secs(3));
    slow.failure();
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open);
    advance(secs(30));
    assert!(breaker.fail(), "the probe fails");
    advance(secs(30));
    assert!(breaker.succeed(), "the probe succeeds");
    assert!(breaker.fail());
    breaker.force_open();
    breaker.force_close();
    let seen = SEEN.lock().unwrap().clone();
    assert_eq!(
        seen,
        [
            "success in 0 after 0",
            "failure in 0 after 3",
            "failure in 0 after 0",
            "begin 7",
            "failure in 7 after 0",
            "begin 9"
        ]
    );
}

#[test]
fn r24_a_strategy_is_shown_an_old_abandoned_call_as_a_failure() {
    let _alone = isolate();
    SEEN.lock().unwrap().clear();
    let breaker = with("diary", Diary { failures: 9 }, BASIC);
    let permit = breaker.acquire().expect("closed");
    advance(secs(2));
    drop(permit);
    assert_eq!(*SEEN.lock().unwrap(), ["abandoned in 0 after 2"], "a failure whose cause is `abandoned`");
}

#[test]
fn r24_a_would_open_begins_the_strategy_anew() {
    let _alone = isolate();
    SEEN.lock().unwrap().clear();
    let breaker = with("diary", Diary { failures: 1 }, BASIC);
    breaker.override_closed(Override::lasting(secs(60)));
    assert!(breaker.fail());
    assert_eq!(*SEEN.lock().unwrap(), ["begin 1", "failure in 1 after 0", "begin 2"]);
}

/// Opens at every record; a breaker opens once all the same.
#[derive(Clone, Copy)]
struct Always;

impl Strategy for Always {
    type State = AtomicU32;
    const NEW: AtomicU32 = AtomicU32::new(0);

    fn record(&self, state: &AtomicU32, _: Era, _: &Call) -> Verdict {
        state.fetch_add(1, Ordering::Relaxed);
        Verdict::Open { rule: "always" }
    }

    fn begin(&self, _: &AtomicU32, _: Era) {}
}

#[test]
fn r24_a_strategy_that_ignores_eras_cannot_open_twice() {
    let _alone = isolate();
    let breaker = with("always", Always, BASIC);
    let late: Vec<_> = (0..3).map(|_| breaker.acquire().expect("closed")).collect();
    assert!(breaker.succeed());
    let era = breaker.snapshot().era;
    for permit in late {
        permit.failure();
    }
    assert_eq!((breaker.snapshot().era, breaker.snapshot().last_trip.unwrap().openings), (era, 1));
}

#[test]
fn r22_the_tally_of_a_burst_is_what_is_young_enough_of_this_era() {
    let _alone = isolate();
    let burst = Burst { failures: 4, within: secs(2), ..Burst::DEFAULT };
    let breaker = with("tally", burst, BASIC);
    let tally = |failures| assert_eq!(breaker.snapshot().tally, Tally::new(failures, failures));
    tally(0);
    assert!(breaker.fail() && breaker.fail());
    tally(2);
    advance(secs(1));
    assert!(breaker.fail());
    tally(3);
    advance(secs(1));
    tally(1);
    breaker.force_close();
    tally(0);
}

#[test]
fn r21_a_slow_call_rate_doubts_a_volume_that_its_traffic_never_reaches() {
    let _alone = isolate();
    let slow = SlowCallRate { slower_than: secs(1), min_calls: 3, ..SlowCallRate::DEFAULT };
    let state = SlowCallRate::NEW;
    let call = || slow.record(&state, Era::new(0), &Call::new(Outcome::Success));
    assert_eq!(slow.doubts(&state), Vec::<String>::new(), "nothing was seen");
    call();
    advance(secs(1));
    call();
    advance(secs(9) - TICK);
    assert_eq!(slow.doubts(&state), Vec::<String>::new(), "not for a whole window yet");
    advance(TICK);
    let doubts = slow.doubts(&state);
    assert!(matches!(&*doubts, [one] if one.contains("its busiest 10s held 2 calls")), "{doubts:?}");
    let _ = (call(), call(), call());
    assert_eq!(slow.doubts(&state), Vec::<String>::new(), "three within ten seconds");
}

//! `force_open` and `force_close`.

use crate::support::{BASIC, Calls, Ear, advance, count, isolate, named, secs, with};
use breaker::{Backoff, BasicTimeout, Breaker, Count, Override, Status, Tally};

type Command = fn(&Breaker<Count, BasicTimeout>);

/// Into each state, from closed.
const WAYS: [Command; 7] = [
    |_| {},
    |breaker| breaker.trip(),
    |breaker| breaker.half_open(),
    |breaker| {
        breaker.half_open();
        std::mem::forget(breaker.acquire());
    },
    |breaker| breaker.override_open(Override::lasting(secs(60))),
    |breaker| breaker.override_closed(Override::lasting(secs(60))),
    // At the end of its time, which nobody has seen.
    |breaker| {
        breaker.trip();
        advance(secs(30));
    },
];

#[test]
fn r10_force_open_holds_from_any_state_until_force_close() {
    let _alone = isolate();
    for go in WAYS {
        let breaker = named("forced");
        go(&breaker);
        breaker.force_open();
        for _ in 0..5 {
            let snapshot = breaker.snapshot();
            assert_eq!((snapshot.status, snapshot.retry_after), (Status::Open, None));
            assert!(snapshot.forced.is_some());
            assert!(breaker.acquire().is_err(), "no timer, no probe");
            advance(secs(100_000));
        }
        breaker.force_close();
        assert_eq!(breaker.snapshot().forced, None);
        assert!(breaker.succeed());
    }
}

#[test]
fn r10_what_the_strategy_counted_is_none_of_a_forced_open() {
    let _alone = isolate();
    let breaker = named("counted");
    breaker.trip();
    assert_eq!(breaker.snapshot().tally, Tally::new(3, 3), "of the opening");
    breaker.force_open();
    assert_eq!(breaker.snapshot().tally, Tally::default());
}

#[test]
fn r10_calls_in_flight_finish_and_are_ignored() {
    let _alone = isolate();
    let breaker = named("forced");
    let inside = breaker.run(|| {
        breaker.force_open();
        Ok::<_, ()>("done")
    });
    assert_eq!(inside, Ok("done"));
    assert_eq!(breaker.status(), Status::Open);
    breaker.force_close();
    breaker.half_open();
    let probe = breaker.acquire().expect("half open");
    breaker.force_open();
    probe.success();
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r10_repeating_it_is_quiet() {
    let _alone = isolate();
    let breaker = named("quiet");
    let ear = Ear::of("quiet");
    breaker.force_open();
    let before = breaker.snapshot();
    for _ in 0..3 {
        breaker.force_open();
    }
    assert_eq!(breaker.snapshot(), before, "no new era either");
    assert_eq!(ear.heard(), ["closed -> open, forced"]);
}

#[test]
fn r33_forcing_what_is_already_open_tells_one_transition() {
    let _alone = isolate();
    let breaker = named("already");
    breaker.trip();
    let ear = Ear::of("already");
    breaker.force_open();
    breaker.force_open();
    assert_eq!(ear.heard(), ["open -> open, forced"]);
    breaker.override_open(Override::lasting(secs(5)));
    assert_eq!(ear.heard(), ["open -> open, overridden"]);
}

#[test]
fn r11_force_close_works_from_any_state_with_a_fresh_strategy() {
    let _alone = isolate();
    let forced: Command = |breaker| breaker.force_open();
    for go in WAYS.into_iter().chain([forced]) {
        let breaker = named("closed");
        breaker.fail();
        breaker.succeed();
        go(&breaker);
        breaker.force_close();
        let snapshot = breaker.snapshot();
        assert_eq!((snapshot.status, snapshot.forced, snapshot.retry_after), (Status::Closed, None, None));
        assert_eq!((snapshot.since, snapshot.tally.failures), (secs(0), 0));
        assert!(breaker.fail() && breaker.fail());
        assert_eq!(breaker.status(), Status::Closed);
        assert!(breaker.fail());
        assert_eq!(breaker.status(), Status::Open);
    }
}

#[test]
fn r11_earlier_timers_and_permits_are_void() {
    let _alone = isolate();
    let breaker = named("void");
    breaker.half_open();
    let probe = breaker.acquire().expect("half open");
    breaker.force_close();
    breaker.trip();
    advance(secs(10));
    assert_eq!(breaker.status(), Status::Open, "the lease of before is void");
    probe.success();
    assert_eq!(breaker.status(), Status::Open);
    breaker.override_open(Override::lasting(secs(5)));
    breaker.force_close();
    breaker.force_open();
    advance(secs(5));
    assert_eq!(breaker.status(), Status::Open, "the override's end of before is void");
}

#[test]
fn r11_a_lapse_and_a_row_of_before_are_void() {
    let _alone = isolate();
    let breaker = with("void", count(3), BasicTimeout { successes: 2, ..BASIC });
    breaker.half_open();
    std::mem::forget(breaker.acquire());
    advance(secs(10));
    assert!(breaker.succeed());
    breaker.force_close();
    breaker.half_open();
    let probe = breaker.acquire().expect("half open");
    assert_eq!(breaker.snapshot().retry_after, Some(secs(10)));
    probe.success();
    assert_eq!(breaker.status(), Status::HalfOpen, "one of two");
}

#[test]
fn r11_force_close_forgets_the_growth_of_a_backoff() {
    let _alone = isolate();
    let breaker = with("growth", count(3), Backoff { jitter: 0.0, successes: 1, ..Backoff::DEFAULT });
    breaker.trip();
    for wait in [1, 2, 4] {
        assert_eq!(breaker.snapshot().retry_after, Some(secs(wait)));
        advance(secs(wait));
        assert!(breaker.fail());
    }
    breaker.force_close();
    breaker.trip();
    assert_eq!(breaker.snapshot().retry_after, Some(secs(1)));
}

#[test]
fn r03_every_command_finds_the_state_that_time_has_brought() {
    let _alone = isolate();
    let commands: [(Command, &str); 4] = [
        (Breaker::force_open, "half_open -> open, forced"),
        (Breaker::force_close, "half_open -> closed, forced"),
        (|breaker| breaker.override_open(Override::lasting(secs(60))), "half_open -> open, overridden"),
        (|breaker| breaker.override_closed(Override::lasting(secs(60))), "half_open -> closed, overridden"),
    ];
    for (command, told) in commands {
        let breaker = named("found");
        breaker.trip();
        let ear = Ear::of("found");
        advance(secs(30));
        command(&breaker);
        assert_eq!(ear.heard(), ["open -> half_open, elapsed", told]);
    }
}

//! What is told, once, in order, with nothing held.

use crate::support::{Calls, Ear, advance, isolate, line, named, secs};
use breaker::{Event, Outcome, Override, Status, observe};
use std::sync::{Arc, Mutex};

#[test]
fn r33_each_event_of_a_life_is_told_once_and_in_order() {
    let _alone = isolate();
    let breaker = named("life");
    let ear = Ear::of("life");
    assert!(breaker.succeed() && breaker.fail() && breaker.fail() && breaker.fail());
    assert!(breaker.acquire().is_err());
    advance(secs(30));
    assert!(breaker.come_to(Outcome::Ignored));
    let probe = breaker.acquire().expect("half open");
    assert!(breaker.acquire().is_err());
    probe.success();
    assert_eq!(
        ear.heard(),
        [
            "permitted",
            "success",
            "permitted",
            "failure",
            "permitted",
            "failure",
            "permitted",
            "closed -> open, tripped",
            "failure",
            "rejected, open",
            "open -> half_open, elapsed",
            "half_open -> probing, probed",
            "permitted to probe",
            "probing -> half_open, probe released",
            "ignored",
            "half_open -> probing, probed",
            "permitted to probe",
            "rejected, probing",
            "probing -> closed, probe succeeded",
            "success",
        ]
    );
}

#[test]
fn r33_eras_in_transitions_follow_one_another() {
    let _alone = isolate();
    let breaker = named("eras in order");
    let eras = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&eras);
    let _observation = observe(move |event| {
        if let Event::Transition { breaker, era, .. } = event
            && *breaker == "eras in order"
        {
            to.lock().unwrap().push(*era);
        }
    });
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    breaker.force_open();
                    breaker.force_close();
                }
            });
        }
    });
    // Another thread may be telling the last of them for us; one more change of our own is told after them.
    let last = breaker.snapshot().era;
    let eras = eras.lock().unwrap();
    assert_eq!(*eras, (1..=last).collect::<Vec<_>>());
}

#[test]
fn r33_open_to_half_open_is_told_by_whoever_first_sees_it() {
    let _alone = isolate();
    let breaker = named("first sees");
    breaker.trip();
    let ear = Ear::of("first sees");
    advance(secs(60));
    assert_eq!(ear.heard(), [""; 0], "nobody has looked");
    for _ in 0..3 {
        assert_eq!(breaker.status(), Status::HalfOpen);
    }
    assert_eq!(ear.heard(), ["open -> half_open, elapsed"]);
}

#[test]
fn r33_elapsed_is_told_where_it_is_known() {
    let _alone = isolate();
    let breaker = named("elapsed");
    let seen = Arc::new(Mutex::new(None));
    let to = Arc::clone(&seen);
    let _observation = observe(move |event| {
        if let Event::Finished { breaker, elapsed, .. } = event
            && *breaker == "elapsed"
        {
            *to.lock().unwrap() = *elapsed;
        }
    });
    let _: Result<(), _> = breaker.run(|| {
        advance(secs(3));
        Err(())
    });
    assert_eq!(*seen.lock().unwrap(), Some(secs(3)));
}

#[test]
fn r33_a_dropped_observation_hears_nothing_more() {
    let _alone = isolate();
    let breaker = named("dropped");
    let heard = Arc::new(Mutex::new(0));
    let to = Arc::clone(&heard);
    let observation = observe(move |event| *to.lock().unwrap() += usize::from(*event.breaker() == "dropped"));
    assert!(breaker.succeed());
    drop(observation);
    assert!(breaker.succeed());
    breaker.force_open();
    assert_eq!(*heard.lock().unwrap(), 2);
}

#[test]
fn r34_an_observer_may_call_the_same_breaker() {
    let _alone = isolate();
    let breaker = Arc::new(named("called back"));
    let ear = Ear::of("called back");
    let (inside, seen) = (Arc::clone(&breaker), Arc::new(Mutex::new(Vec::new())));
    let to = Arc::clone(&seen);
    let observation = observe(move |event| {
        if let Event::Transition { breaker, to: Status::Open, .. } = event
            && *breaker == "called back"
        {
            // All that the library offers, on the breaker that is just telling.
            let snapshot = inside.snapshot();
            let rejected = inside.run(|| Ok::<_, ()>(())).is_err();
            to.lock().unwrap().push((snapshot.status, rejected, inside.status()));
            drop(observe(|_| {}));
            inside.stats();
            inside.force_close();
        }
    });
    assert!(breaker.fail() && breaker.fail() && breaker.fail());
    assert_eq!(*seen.lock().unwrap(), [(Status::Open, true, Status::Open)]);
    assert_eq!(breaker.status(), Status::Closed);
    drop(observation);
    let heard = ear.heard();
    let after = heard.iter().position(|line| line.contains("tripped")).expect("told");
    assert_eq!(heard[after..], ["closed -> open, tripped", "rejected, open", "open -> closed, forced", "failure"]);
}

#[test]
fn r34_a_panicking_observer_harms_neither_the_call_nor_the_others() {
    let _alone = isolate();
    let breaker = named("harmless");
    let before = Ear::of("harmless");
    let _panics = observe(|event| assert!(*event.breaker() != "harmless", "observer"));
    let after = Ear::of("harmless");
    assert_eq!(breaker.run(|| Ok::<_, ()>(7)), Ok(7));
    breaker.trip();
    advance(secs(30));
    assert!(breaker.succeed());
    assert_eq!(breaker.status(), Status::Closed);
    let heard = before.heard();
    assert_eq!((heard.len(), heard.last().map(String::as_str)), (14, Some("success")));
    assert_eq!(heard, after.heard());
}

#[test]
fn r10_a_would_open_is_told_with_its_rule() {
    let _alone = isolate();
    let breaker = named("rule");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&seen);
    let _observation = observe(move |event| {
        if *event.breaker() == "rule" {
            to.lock().unwrap().push(match event {
                Event::WouldOpen { rule, .. } => (*rule).to_owned(),
                other => line(other),
            });
        }
    });
    breaker.override_closed(Override::lasting(secs(10)));
    for _ in 0..3 {
        assert!(breaker.fail());
    }
    let seen = seen.lock().unwrap();
    assert_eq!(seen.iter().filter(|line| *line == "consecutive failures").count(), 1, "{seen:?}");
}

#[test]
fn r33_who_did_not_hear_of_a_calls_beginning_does_not_hear_of_its_end() {
    let _alone = isolate();
    let breaker = named("overheard");
    breaker.override_closed(Override::lasting(secs(60)));
    let before = breaker.acquire().expect("held closed");
    let ear = Ear::of("overheard");
    before.success();
    assert!(breaker.succeed());
    assert_eq!(ear.heard(), ["permitted", "success"]);
}

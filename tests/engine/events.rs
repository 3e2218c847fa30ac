//! R33, R34: what is told, in order, once, with nothing held.

use breaker::{Event, Status, test_util};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

breaker::breakers! {
    pub told { strategy: Count { threshold: 1 }, recover: BasicTimeout { reset_timeout: 1s }, on_event: own }
    pub heard { strategy: Count { threshold: 2 }, recover: BasicTimeout { reset_timeout: 1s } }
}

static OWN: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn own(event: &Event) {
    OWN.lock().unwrap().push(line(event));
}

/// An event in a word or two.
fn line(event: &Event) -> String {
    match event {
        Event::Permitted { probe, .. } => format!("permitted {probe}"),
        Event::Rejected { status, .. } => format!("rejected {status}"),
        Event::Finished { outcome, late, .. } => format!("finished {outcome} {late}"),
        Event::Transition { from, to, cause, .. } => format!("{from} {to} {cause}"),
        Event::WouldOpen { rule, .. } => format!("would open: {rule}"),
        _ => "?".to_owned(),
    }
}

#[test]
fn r33_on_event_hears_every_event_of_its_breaker() {
    let _alone = test_util::isolate();
    OWN.lock().unwrap().clear();
    let late = told().acquire().unwrap();
    told().acquire().unwrap().failure();
    assert!(told().acquire().is_err());
    test_util::advance(Duration::from_secs(1));
    told().acquire().unwrap().success();
    late.success();
    let lines = std::mem::take(&mut *OWN.lock().unwrap());
    assert_eq!(
        lines,
        [
            "permitted false",
            "permitted false",
            "closed open tripped",
            "finished failure false",
            "rejected open",
            "open half_open elapsed",
            "half_open probing probed",
            "permitted true",
            "probing closed probe succeeded",
            "finished success false",
            "finished success true",
        ]
    );
}

/// What an observer hears of one breaker while `test` runs.
fn heard_while(name: &'static str, test: impl FnOnce()) -> Vec<String> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&lines);
    let observation = breaker::observe(move |event| {
        if *event.breaker() == name {
            into.lock().unwrap().push(line(event));
        }
    });
    test();
    drop(observation);
    std::mem::take(&mut *lines.lock().unwrap())
}

#[test]
fn r33_an_observer_hears_until_it_is_dropped() {
    let _alone = test_util::isolate();
    let lines = heard_while("heard", || drop(heard().run(|| Ok::<_, ()>(()))));
    assert_eq!(lines, ["permitted false", "finished success false"]);
    let lines = heard_while("heard", || heard().force_open());
    assert_eq!(lines, ["closed open forced"]);
}

#[test]
fn r10_a_breaker_held_closed_tells_what_would_have_opened_and_starts_afresh() {
    let _alone = test_util::isolate();
    let lines = heard_while("heard", || {
        heard().override_closed(breaker::Override::lasting(Duration::from_secs(9)));
        for _ in 0..3 {
            heard().acquire().unwrap().failure();
        }
        assert_eq!(heard().status(), Status::Closed);
        test_util::advance(Duration::from_secs(9));
        assert_eq!((heard().status(), heard().snapshot().forced), (Status::Closed, None));
        heard().acquire().unwrap().failure();
        assert_eq!(heard().status(), Status::Closed, "its end is a fresh closed");
    });
    let kept: Vec<_> =
        lines.iter().filter(|line| !line.starts_with("permitted") && !line.starts_with("finished")).collect();
    assert_eq!(kept, ["closed closed overridden", "would open: consecutive failures", "closed closed override ended"]);
}

#[test]
fn r34_an_observer_that_calls_back_or_panics_harms_nobody() {
    let _alone = test_util::isolate();
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let busy = breaker::observe(move |event| {
        if *event.breaker() == "heard"
            && matches!(event, Event::Transition { .. })
            && counter.fetch_add(1, Ordering::SeqCst) < 3
        {
            let _ = (heard().snapshot(), heard().explain(), heard().stats());
            heard().force_close();
            drop(heard().acquire());
        }
    });
    let panicking = breaker::observe(|event| {
        assert!(*event.breaker() != "heard", "an observer's own fault");
    });
    let lines = heard_while("heard", || {
        assert_eq!(heard().run(|| Err::<(), _>(1)), Err(breaker::Error::Inner(1)));
        assert_eq!(heard().run(|| Err::<(), _>(2)), Err(breaker::Error::Inner(2)));
    });
    drop((busy, panicking));
    assert_eq!(calls.load(Ordering::SeqCst), 4, "the trip, and three commands of the observer's own");
    let transitions: Vec<_> =
        lines.iter().filter(|line| line.contains("closed") && !line.contains("rejected")).collect();
    assert_eq!(transitions[0], "closed open tripped");
    assert_eq!(heard().status(), Status::Closed);
}

#[test]
fn r33_transitions_of_many_threads_are_told_in_order() {
    let _alone = test_util::isolate();
    let eras = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&eras);
    let observation = breaker::observe(move |event| match event {
        Event::Transition { breaker, era, .. } if *breaker == "heard" => into.lock().unwrap().push(*era),
        _ => {}
    });
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    heard().force_open();
                    heard().force_close();
                }
            });
        }
    });
    drop(observation);
    let eras = eras.lock().unwrap();
    assert!(eras.len() >= 800, "each close at least");
    assert!(eras.windows(2).all(|pair| pair[0] + 1 == pair[1]), "each once, none out of order");
}

//! What cannot work is a typed error with the names in it; no argument makes a public function panic.

use crate::support::{BASIC, Calls, count, isolate, secs, three, with};
use breaker::{
    Backoff, BasicTimeout, Breaker, Call, Count, Era, LookupError, Outcome, Override, Plan, Recover, SettingsError,
    Status, Strategy, Time, Trip, Verdict, get, registry,
};
use std::{cell::Cell, time::Duration};

fn refused(strategy: Count, recover: impl Recover) -> SettingsError {
    Breaker::new("refused", strategy, recover).expect_err("it cannot work")
}

#[test]
fn r36_settings_that_cannot_work_are_refused_by_name() {
    let cases = [
        ("threshold", refused(count(0), BASIC)),
        ("reset_timeout", refused(count(1), BasicTimeout { reset_timeout: secs(0), ..BASIC })),
        ("probing_timeout", refused(count(1), BasicTimeout { probing_timeout: secs(0), ..BASIC })),
        ("successes", refused(count(1), BasicTimeout { successes: 0, ..BASIC })),
        ("successes", refused(count(1), BasicTimeout { successes: 256, ..BASIC })),
        ("initial", refused(count(1), Backoff { initial: secs(0), ..Backoff::DEFAULT })),
        ("max", refused(count(1), Backoff { max: Duration::from_millis(999), ..Backoff::DEFAULT })),
        ("multiplier", refused(count(1), Backoff { multiplier: 0.5, ..Backoff::DEFAULT })),
        ("multiplier", refused(count(1), Backoff { multiplier: f64::NAN, ..Backoff::DEFAULT })),
        ("jitter", refused(count(1), Backoff { jitter: 1.5, ..Backoff::DEFAULT })),
    ];
    for (field, error) in cases {
        assert_eq!(error.field, field);
        let text = error.to_string();
        assert!(text.contains(&format!("`{field}`")) && text.contains("; "), "problem; remedy: {text}");
    }
}

/// A strategy of the user's own that refuses itself.
#[derive(Clone, Copy)]
struct Refuses;

impl Strategy for Refuses {
    type State = ();
    const NEW: () = ();

    fn check(&self) -> Result<(), SettingsError> {
        Err(SettingsError::new("mood", "`mood` is bad; give a better one"))
    }

    fn record(&self, (): &(), _: Era, _: &Call) -> Verdict {
        Verdict::Stay
    }

    fn begin(&self, (): &(), _: Era) {}
}

#[test]
fn r36_a_users_own_check_is_asked() {
    let error = Breaker::new("moody", Refuses, BASIC).expect_err("it refuses itself");
    assert_eq!((&*error.field, error.to_string().as_str()), ("mood", "`mood` is bad; give a better one"));
}

#[test]
fn r36_no_public_function_panics_on_any_argument() {
    let _alone = isolate();
    for duration in [Duration::ZERO, Duration::from_nanos(1), Duration::MAX] {
        let time = Time::at(duration);
        assert_eq!(time.since(time), Duration::ZERO);
        let _ = time.since(Time::at(Duration::MAX));
        let _ = Plan::after(duration).probing_timeout(duration).ramp(duration).successes(u32::MAX);
        let _ = Outcome::failure().retry_after(duration);
        let _ = Call::new(Outcome::Abandoned).took(duration).at(time).now.read();
        let breaker = with("any argument", count(u32::MAX), BASIC).abandoned_after(duration);
        drop(breaker.acquire());
        breaker.override_open(Override::lasting(duration).reason("").actor(String::new()));
        breaker.override_closed(Override::lasting(duration));
        breaker.force_close();
        let _ = breaker.snapshot().to_string();
    }
    for openings in [0, 1, u32::MAX] {
        let _ = Backoff::DEFAULT.plan(&Trip::new(openings, Outcome::Ignored));
        let _ = Backoff { multiplier: f64::NAN, jitter: f64::INFINITY, ..Backoff::DEFAULT }
            .plan(&Trip::new(openings, Outcome::Success));
    }
    for name in ["", "::", "no such breaker", "\u{0}", &"x".repeat(100_000)] {
        assert!(matches!(get(name), Err(LookupError::Unknown(_))));
        assert!(registry().call_sites(name).is_empty());
    }
    assert!(Era::new(0).is_after(Era::new(u32::MAX)));
}

#[test]
fn r36_a_name_of_any_kind_will_do() {
    let _alone = isolate();
    let names = ["", "with space", "schön", "a\nb"];
    for name in names {
        let breaker = Breaker::new(name.to_owned(), count(1), BASIC).expect("a name is free");
        assert_eq!(breaker.name(), name);
        breaker.fail();
        let _ = (breaker.acquire().unwrap_err().to_string(), breaker.snapshot().to_string());
    }
}

#[test]
fn no_change_of_settings_is_lost_to_one_that_came_between() {
    let _alone = isolate();
    let breaker = three();
    let runs = Cell::new(0);
    let outer = breaker.configure(|settings| {
        if runs.replace(runs.get() + 1) == 0 {
            breaker.configure(|settings| settings.recover.reset_timeout = secs(45)).expect("sound");
        }
        settings.strategy.threshold = 1;
    });
    assert_eq!((outer, runs.get()), (Ok(()), 2));
    assert!(breaker.fail());
    assert_eq!(breaker.snapshot().retry_after, Some(secs(45)));
}

#[test]
fn a_call_that_nobody_counts_is_judged_by_the_settings_that_it_began_under() {
    let _alone = isolate();
    let breaker = three();
    let flying = breaker.acquire().expect("closed");
    breaker.configure(|settings| settings.strategy.threshold = 1).expect("sound");
    flying.failure();
    assert_eq!(breaker.status(), Status::Closed);
    assert!(breaker.fail());
    assert_eq!(breaker.status(), Status::Open);
}

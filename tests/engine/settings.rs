//! Settings that change while the program runs.

use breaker::{Status, apply_settings, test_util};
use std::time::Duration;

breaker::breakers! {
    pub cards { strategy: Count { threshold: 5 }, recover: BasicTimeout { reset_timeout: 30s } }
    pub hotel {
        strategy: AnyOf(FailureRate { window: Calls(50), min_calls: 20 }, Burst { failures: 9, within: 1s }),
        recover: Backoff {},
    }
}

fn fail(times: usize) {
    for _ in 0..times {
        cards().acquire().unwrap().failure();
    }
}

#[test]
fn state_counts_and_calls_in_flight_survive() {
    let _alone = test_util::isolate();
    breaker::collect_stats();
    fail(3);
    let flying = cards().acquire().unwrap();
    let era = cards().snapshot().era;
    apply_settings("[cards]\nthreshold = 4\nreset_timeout = \"45s\"\nabandoned_after = \"2s\"").unwrap();
    assert_eq!((cards().snapshot().era, cards().snapshot().tally.failures), (era, 3));
    flying.failure();
    assert_eq!(cards().snapshot().tally.failures, 4);
    assert_eq!(cards().status(), Status::Closed, "it began under the threshold of then");
    fail(1);
    assert_eq!(cards().status(), Status::Open);
    assert_eq!(cards().snapshot().last_trip.unwrap().tally.failures, 5);
    assert_eq!(cards().snapshot().retry_after, Some(Duration::from_secs(45)));
    let settings: Vec<_> = cards().snapshot().settings.iter().map(ToString::to_string).collect();
    assert!(settings.contains(&"threshold: 4".to_owned()) && settings.contains(&"reset_timeout: 45s".to_owned()));
}

#[test]
fn a_typed_change_is_checked_whole() {
    let _alone = test_util::isolate();
    let error = cards()
        .configure(|settings| {
            settings.strategy.threshold = 1;
            settings.recover.reset_timeout = Duration::ZERO;
        })
        .unwrap_err();
    assert_eq!(error.field, "reset_timeout");
    fail(4);
    assert_eq!(cards().status(), Status::Closed, "the threshold did not change either");
    cards().configure(|settings| settings.strategy.threshold = 6).unwrap();
    fail(1);
    assert_eq!(cards().status(), Status::Closed);
    fail(1);
    assert_eq!(cards().status(), Status::Open);
}

#[test]
fn a_text_is_applied_whole_or_not_at_all() {
    let _alone = test_util::isolate();
    let error = apply_settings(
        r#"
        [cards]
        threshold = 1
        reset_timout = "10s"

        [hotle]
        initial = "1s"

        [hotel]
        strategy.0.rate = 1.5
        "#,
    )
    .unwrap_err();
    let text = error.to_string();
    assert_eq!(error.problems.len(), 3, "{text}");
    for part in
        ["`cards`: no setting is called `reset_timout`", "`threshold`, `reset_timeout`", "`hotel`?", "`rate` must be"]
    {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    fail(4);
    assert_eq!(cards().status(), Status::Closed);
}

#[test]
fn what_is_fixed_is_a_typed_error() {
    let _alone = test_util::isolate();
    for (text, part) in [
        ("[hotel]\nstrategy.0.window = 60", "`window` is fixed"),
        ("[hotel]\n\"1.failures\" = 60", "`failures` is fixed"),
        ("[cards]\nstrategy = \"FailureRate\"", "no setting is called `strategy`"),
        ("[cards]\nthreshold = -1", "give a whole number"),
        ("[cards]\nreset_timeout = 30", "give a time with a unit"),
        ("[cards]\nthreshold = 0", "give at least 1"),
        ("cards = 3", "give a table"),
        ("[cards", "TOML"),
    ] {
        let error = apply_settings(text).unwrap_err().to_string();
        assert!(error.contains(part), "no `{part}` in: {error}");
    }
    let error = hotel().configure(|settings| settings.strategy.1.failures = 3).unwrap_err();
    assert_eq!(error.field, "failures");
}

#[test]
fn keys_of_two_in_one_have_their_number() {
    let _alone = test_util::isolate();
    apply_settings("[hotel]\n\"0.min_calls\" = 30\nstrategy.1.within = \"2s\"\nrecover.jitter = 0\nmultiplier = 3")
        .unwrap();
    hotel()
        .configure(|settings| {
            assert_eq!((settings.strategy.0.min_calls, settings.strategy.1.within), (30, Duration::from_secs(2)));
            assert!(settings.recover.jitter == 0.0 && (settings.recover.multiplier - 3.0).abs() < f64::EPSILON);
        })
        .unwrap();
}

#[test]
fn the_declaration_holds_again_in_the_next_test() {
    {
        let _alone = test_util::isolate();
        cards().configure(|settings| settings.strategy.threshold = 1).unwrap();
    }
    let _alone = test_util::isolate();
    fail(4);
    assert_eq!(cards().status(), Status::Closed);
    let seen = std::cell::Cell::new(0);
    cards().configure(|settings| seen.set(settings.strategy.threshold)).unwrap();
    assert_eq!(seen.get(), 5, "the next change begins with the declaration's");
}

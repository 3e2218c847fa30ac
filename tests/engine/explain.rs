//! Why a breaker opened, in words.

use breaker::{BasicTimeout, Breaker, Call, Era, Error, Outcome, Strategy, Verdict, circuit_breaker, test_util};
use std::time::Duration;

breaker::breakers! {
    pub charges {
        strategy: FailureRate { window: Calls(100), min_calls: 8, rate: 0.5, streak: 0 },
        recover: BasicTimeout { reset_timeout: 30s },
    }
    pub quiet {}
}

#[circuit_breaker(charges)]
fn refund() -> Result<(), Error<&'static str>> {
    Err(Error::Inner("down"))
}

#[circuit_breaker(charges, classify = |_| Outcome::failure().cause("503"))]
fn charge() -> Result<(), Error<&'static str>> {
    Err(Error::Inner("down"))
}

#[test]
fn explain_says_why_by_which_rule_from_which_fns_and_until_when() {
    let _alone = test_util::isolate();
    test_util::advance(Duration::from_secs(5));
    for _ in 0..7 {
        assert_eq!(refund(), Err(Error::Inner("down")));
    }
    assert_eq!(charge(), Err(Error::Inner("down")));
    for _ in 0..3 {
        assert!(matches!(refund(), Err(Error::Rejected(_))));
    }
    test_util::advance(Duration::from_secs(2));
    let text = breaker::explain("charges").unwrap();
    for part in [
        "charges (engine::explain) is open, for 2s by now, and for another 28s",
        "opened 2s ago on failure rate: 8",
        "the last: 503",
        "min_calls: 8",
        "rate: 0.5",
        "7 of 8 from `refund` (engine::explain), 1 of 8 from `charge`",
        "rejected since then: 3",
        "limits then: window",
        "reset_timeout: 30s",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    for part in ["in a row", "admitting", "failures that count now"] {
        assert!(!text.contains(part), "`{part}` at a first opening in:\n{text}");
    }
    charges().force_close();
    let _ = charge();
    assert!(charges().explain().contains("failures that count now: 1 of 1 calls"), "{}", charges().explain());
}

/// A strategy without settings, as a user's own may be.
#[derive(Clone, Copy)]
struct Nervous;

impl Strategy for Nervous {
    type State = ();
    const NEW: () = ();

    fn record(&self, (): &(), _: Era, call: &Call) -> Verdict {
        if call.outcome.is_failure() { Verdict::Open { rule: "any failure" } } else { Verdict::Stay }
    }

    fn begin(&self, (): &(), _: Era) {}
}

#[test]
fn explain_has_no_line_for_what_there_is_not() {
    let _alone = test_util::isolate();
    let bare = Breaker::new("bare", Nervous, BasicTimeout::DEFAULT).unwrap();
    bare.acquire().unwrap().failure();
    let text = bare.explain();
    assert!(text.contains("opened 0ns ago on any failure") && !text.contains("limits then"), "{text}");
}

#[test]
fn a_rejection_carries_the_same_cause() {
    let _alone = test_util::isolate();
    while refund() == Err(Error::Inner("down")) {}
    let Err(Error::Rejected(rejected)) = refund() else { panic!("it is open") };
    let trip = rejected.cause().expect("it tripped");
    assert_eq!((trip.rule, trip.tally.failures), ("failure rate", 8));
    let text = rejected.to_string();
    assert!(text.contains("`charges` is open; retry in 30s") && text.contains("failure rate: 8"), "{text}");
    charges().force_open();
    let Err(Error::Rejected(rejected)) = refund() else { panic!("it is open") };
    assert_eq!(rejected.cause(), None, "it was forced");
}

#[test]
fn explain_names_who_holds_a_breaker_and_why() {
    let _alone = test_util::isolate();
    let hold = breaker::Override::lasting(Duration::from_secs(60)).reason("migration").actor("ops");
    breaker::override_open("quiet", hold.clone()).unwrap();
    let text = breaker::explain("quiet").unwrap();
    assert!(text.contains("open, overridden by ops (migration)") && text.contains("for another 60s"), "{text}");
    assert_eq!(breaker::snapshot("quiet").unwrap().forced, Some(hold));
    breaker::force_open("quiet").unwrap();
    let text = breaker::explain("quiet").unwrap();
    assert!(text.contains("open, forced until further notice"), "{text}");
    assert!(breaker::explain("quite").unwrap_err().to_string().contains("`quiet`"));
}

#[test]
fn the_failures_of_an_earlier_era_are_not_named_again() {
    let _alone = test_util::isolate();
    assert!(refund().is_err());
    charges().force_close();
    while charge() == Err(Error::Inner("down")) {}
    let sources = charges().snapshot().last_trip.unwrap().sources;
    assert_eq!(sources.iter().map(|source| (source.function, source.failures)).collect::<Vec<_>>(), [("charge", 8)]);
}

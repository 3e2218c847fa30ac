//! `#[derive(Classify)]`.

use crate::support::counts;
use breaker::{ByError, Classify, ClassifyError, Error, Outcome, Rejected, breakers, circuit_breaker, collect_stats};
use std::{fmt::Debug, time::Duration};

breakers! {
    classify: Fail;

    marked { strategy: Count { threshold: 50 } }
    shared { strategy: Count { threshold: 50 }, classify: ByError }
    inner { strategy: Count { threshold: 50 }, classify: ByError }
}

#[derive(Debug, Classify)]
#[expect(dead_code, reason = "an error says more than is read here")]
enum Fail {
    #[breaker(ignored)]
    Missing,
    #[breaker(success)]
    Declined {
        #[cfg(any())]
        gone: NoSuchType,
        code: u8,
    },
    #[breaker(failure, retry_after = 1)]
    Throttled(u8, Duration),
    #[breaker(retry_after = after)]
    Perhaps { after: Option<Duration> },
    #[breaker(classify = by_code)]
    Http(u16, String),
    #[breaker(rejected)]
    Open(Rejected),
    #[cfg_attr(all(), breaker(success))]
    Fine,
    #[cfg_attr(any(), breaker(success))]
    Down,
    #[cfg(any())]
    #[breaker(no_such_mark)]
    Gone(NoSuchType),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "fields come by reference")]
fn by_code(code: &u16, body: &str) -> Outcome {
    if *code < 500 && body.is_empty() { Outcome::Ignored } else { Outcome::failure().cause("http") }
}

impl From<Rejected> for Fail {
    fn from(rejected: Rejected) -> Self {
        Self::Open(rejected)
    }
}

#[circuit_breaker(marked)]
fn call(error: Fail) -> Result<(), Fail> {
    Err(error)
}

#[test]
fn each_mark_means_what_it_says() {
    let three = Duration::from_secs(3);
    let failure = Outcome::failure();
    for (error, outcome) in [
        (Fail::Missing, Outcome::Ignored),
        (Fail::Declined { code: 1 }, Outcome::Success),
        (Fail::Throttled(1, three), failure.retry_after(three)),
        (Fail::Perhaps { after: Some(three) }, failure.retry_after(three)),
        (Fail::Perhaps { after: None }, failure),
        (Fail::Http(404, String::new()), Outcome::Ignored),
        (Fail::Http(503, String::new()), failure.cause("http")),
        (Fail::Fine, Outcome::Success),
        (Fail::Down, failure),
    ] {
        assert_eq!(error.outcome(), outcome, "{error:?}");
        assert_eq!(<Fail as Classify<_>>::classify(&Err::<u8, _>(error)), outcome);
    }
    assert_eq!(<Fail as Classify<_>>::classify(&Ok::<u8, Fail>(1)), Outcome::Success);
}

#[test]
fn r18_a_rejection_inside_is_ignored() {
    collect_stats();
    assert!(call(Fail::Down).is_err() && call(Fail::Missing).is_err());
    assert_eq!(counts(&marked().stats()), (0, 1, 1));
    marked().force_open();
    let Err(rejected @ Fail::Open(_)) = call(Fail::Down) else { panic!("it is open") };
    assert_eq!(rejected.outcome(), Outcome::Ignored);
    assert_eq!(<Fail as Classify<_>>::classify(&Err::<u8, _>(Error::Inner(rejected))), Outcome::Ignored);
}

#[derive(Debug, Classify)]
#[breaker(success)]
struct Unit;

#[derive(Debug, Classify)]
#[breaker(classify = T::judge)]
struct Generic<T: Judge>(T);

trait Judge {
    fn judge(&self) -> Outcome;
}

impl Judge for u8 {
    fn judge(&self) -> Outcome {
        if *self == 0 { Outcome::Ignored } else { Outcome::failure() }
    }
}

#[derive(Debug, Classify)]
enum Never {}

#[circuit_breaker(inner)]
fn low(n: u8) -> Result<u8, Error<Generic<u8>>> {
    Err(Error::Inner(Generic(n)))
}

#[circuit_breaker(shared)]
fn high(n: u8) -> Result<u8, Error<Generic<u8>>> {
    low(n)
}

#[circuit_breaker(shared, on_open = Err(Unit))]
fn other() -> Result<u8, Unit> {
    Err(Unit)
}

#[test]
fn one_breaker_judges_every_error_that_judges_itself() {
    collect_stats();
    assert!(high(0).is_err() && high(1).is_err() && other().is_err());
    assert_eq!(counts(&shared().stats()), (1, 1, 1));
    inner().force_open();
    assert!(matches!(high(1), Err(Error::Rejected(_))));
    assert_eq!(counts(&shared().stats()), (1, 1, 2));
    assert!(<ByError as Classify<Result<u8, Never>>>::classify(&Ok(1)) == Outcome::Success);
}

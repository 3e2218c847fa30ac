//! What a return type must be able to do, as traits of our own: each says in one message what is missing, and every
//! cure. Without `do_not_recommend` the compiler would name the inner bound only.

use breaker_core::{Outcome, Rejected, TimedOut, hidden::Judge};
use std::{any::Any, marker::PhantomData, time::Duration};

/// Its outcome can be told: by the breaker's policy or by the fn's own.
#[diagnostic::on_unimplemented(
    message = "the breaker cannot tell what a `{Self}` means, so it would never open; give `classify = |value| …` here, or name a `classify` that judges it in `breakers!`",
    label = "no `classify` judges this",
    note = "without `classify` a breaker judges `Result`s: `Err` is a failure"
)]
pub trait JudgedBy<J>: Sized {
    /// See `Classify::INSPECTS_PANICS`.
    const INSPECTS_PANICS: bool;

    /// What it says.
    fn judged(&self, judge: &mut J) -> Outcome;

    /// What a panic says.
    fn panicked(payload: &(dyn Any + Send)) -> Outcome;
}

#[diagnostic::do_not_recommend]
impl<Ret, J: Judge<Ret>> JudgedBy<J> for Ret {
    const INSPECTS_PANICS: bool = J::INSPECTS_PANICS;

    #[inline]
    fn judged(&self, judge: &mut J) -> Outcome {
        judge.judge(self)
    }

    fn panicked(payload: &(dyn Any + Send)) -> Outcome {
        J::panicked(payload)
    }
}

/// Brings [`JudgedBy`] back to what the core asks for.
#[derive(Debug)]
pub struct Through<J>(pub J);

impl<Ret: JudgedBy<J>, J> Judge<Ret> for Through<J> {
    const INSPECTS_PANICS: bool = Ret::INSPECTS_PANICS;

    #[inline]
    fn judge(&mut self, result: &Ret) -> Outcome {
        result.judged(&mut self.0)
    }

    fn panicked(payload: &(dyn Any + Send)) -> Outcome {
        Ret::panicked(payload)
    }
}

/// It judges such results. The compiler tells what an impl lacks in the words of its trait where both ask the same type,
/// so what a `Result` needs to be judged is asked of the judge.
#[diagnostic::on_unimplemented(
    message = "this breaker's `classify` does not judge a `{Ret}`; give `classify = |result| …` here, or name in `breakers!` a type that judges it: this error, if it derives `Classify`, or `ByError` for all that do",
    label = "no `classify` judges this"
)]
pub trait Judges<Ret>: Judge<Ret> {}

#[diagnostic::do_not_recommend]
impl<Ret, J: Judge<Ret>> Judges<Ret> for J {}

/// It can say that a call was rejected.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot say that a call was rejected; return a `Result` whose error is `From<breaker::Rejected>`, or give `on_open = …` and, where it is no `Result`, `classify = …`",
    label = "no place for a rejection",
    note = "a future behind a type alias is not seen as one: write `impl Future<Output = …>` or `Pin<Box<dyn Future<Output = …>>>`"
)]
pub trait Carries<J>: JudgedBy<J> {
    /// What a rejected call returns.
    fn rejected(rejected: Rejected) -> Self;
}

impl<T, E: FromRejected, J> Carries<J> for Result<T, E>
where
    J: Judges<Self>,
{
    #[inline]
    fn rejected(rejected: Rejected) -> Self {
        Err(E::from_rejected(rejected))
    }
}

/// `From<Rejected>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot carry a rejection; implement `From<breaker::Rejected>` for it, wrap it where it is of another crate, or say with `on_open = …` what a rejected call returns",
    label = "its error is not `From<breaker::Rejected>`",
    note = "`breaker::Error<E>`, boxed errors, `std::io::Error` and `anyhow::Error` can carry one as they are"
)]
pub trait FromRejected {
    /// The conversion.
    fn from_rejected(rejected: Rejected) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<Rejected>> FromRejected for E {
    #[inline]
    fn from_rejected(rejected: Rejected) -> Self {
        Self::from(rejected)
    }
}

/// It can say that a call took too long.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot say that a call took too long; `timeout` needs a fn that returns a `Result` whose error is `From<breaker::TimedOut>`",
    label = "no place for a time-out"
)]
pub trait CarriesTimeout {
    /// What a call returns that took too long.
    fn timed_out(timed_out: TimedOut) -> Self;
}

impl<T, E: FromTimedOut> CarriesTimeout for Result<T, E> {
    fn timed_out(timed_out: TimedOut) -> Self {
        Err(E::from_timed_out(timed_out))
    }
}

/// `From<TimedOut>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot carry a time-out; implement `From<breaker::TimedOut>` for it, wrap it where it is of another crate, or remove `timeout`",
    label = "its error is not `From<breaker::TimedOut>`",
    note = "`breaker::Error<E>`, boxed errors, `std::io::Error` and `anyhow::Error` can carry one as they are"
)]
pub trait FromTimedOut {
    /// The conversion.
    fn from_timed_out(timed_out: TimedOut) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<TimedOut>> FromTimedOut for E {
    fn from_timed_out(timed_out: TimedOut) -> Self {
        Self::from(timed_out)
    }
}

/// A `Result`. The error is a parameter: a projection to it would be told missing a second time.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` has no error to fall back from; `fallback` needs a fn that returns a `Result`",
    label = "not a `Result`"
)]
pub trait Fallible<E>: Sized {
    /// Itself, or its error.
    fn split(self) -> Result<Self, E>;
}

impl<T, E> Fallible<E> for Result<T, E> {
    #[inline]
    fn split(self) -> Result<Self, E> {
        self.map(Ok)
    }
}

/// When to come back, as errors hold it.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` does not say when to come back; `retry_after` names a field of type `Duration` or `Option<Duration>`",
    label = "neither `Duration` nor `Option<Duration>`"
)]
pub trait RetryHint {
    /// The time, where there is one.
    fn hint(&self) -> Option<Duration>;
}

impl RetryHint for Duration {
    fn hint(&self) -> Option<Duration> {
        Some(*self)
    }
}

impl RetryHint for Option<Duration> {
    fn hint(&self) -> Option<Duration> {
        *self
    }
}

/// Asks a type whether it is a future: the inherent fn is found first, where it applies.
#[derive(Debug)]
pub struct Returned<T: ?Sized>(PhantomData<T>);

/// What a future behind a type alias is.
#[derive(Debug)]
pub struct AFuture;

/// What everything else is.
#[derive(Debug)]
pub struct AValue;

impl<T: Future + ?Sized> Returned<T> {
    /// A future.
    pub const fn kind() -> AFuture {
        AFuture
    }
}

/// Found where the inherent fn does not apply.
pub trait AnyValue {
    /// A value.
    fn kind() -> AValue {
        AValue
    }
}

impl<T: ?Sized> AnyValue for Returned<T> {}

/// It can be judged at once.
#[diagnostic::on_unimplemented(
    message = "this type alias hides a future, so the breaker would judge the call and not the future; write `impl Future<Output = …>` or `Pin<Box<dyn Future<Output = …>>>` out",
    label = "a future behind a type alias"
)]
pub trait NoFuture {}

impl NoFuture for AValue {}

/// Takes what is not a future.
#[inline]
pub fn no_future<K: NoFuture>(_: K) {}

//! What a call turned out to be, and who says so. Nothing here knows of states.

use std::{any::Any, fmt, marker::PhantomData, time::Duration};

/// What a call turned out to be, for its dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The dependency works.
    Success,
    /// The dependency failed; made by [`Outcome::failure`].
    Failure(Failure),
    /// It says nothing about the dependency: no effect on the strategy, and a probe gives its slot back (R13).
    Ignored,
    /// The call did not come to its end; judged by its age (R14).
    Abandoned,
}

/// What a failed call said besides that it failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// When the dependency asked to be tried again.
    pub retry_after: Option<Duration>,
    /// Why it failed, in a few static words.
    pub cause: Option<&'static str>,
}

impl Outcome {
    /// A failure that says nothing more.
    ///
    /// ```
    /// # use breaker_core as breaker;
    /// use breaker::Outcome;
    /// use std::time::Duration;
    ///
    /// let throttled = Outcome::failure().retry_after(Duration::from_secs(3)).cause("429");
    /// assert!(throttled.is_failure());
    /// ```
    pub const fn failure() -> Self {
        Self::Failure(Failure { retry_after: None, cause: None })
    }

    /// Whether it is a failure.
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failure(_))
    }

    /// The same failure, with the time after which the dependency asked to be tried again; of no effect on others.
    #[must_use]
    pub const fn retry_after(self, after: Duration) -> Self {
        match self {
            Self::Failure(failure) => Self::Failure(Failure { retry_after: Some(after), ..failure }),
            other => other,
        }
    }

    /// The same failure, with the reason for it in a few static words; of no effect on others.
    #[must_use]
    pub const fn cause(self, cause: &'static str) -> Self {
        match self {
            Self::Failure(failure) => Self::Failure(Failure { cause: Some(cause), ..failure }),
            other => other,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Success => f.write_str("success"),
            Self::Failure(Failure { cause: Some(cause), .. }) => f.write_str(cause),
            Self::Failure(_) => f.write_str("failure"),
            Self::Ignored => f.write_str("ignored"),
            Self::Abandoned => f.write_str("abandoned"),
        }
    }
}

/// Judges what a guarded call returned. The implementor is only a name: there is no `self`.
///
/// Of the breakers studied, only those that let the caller say which errors are the dependency's fault count right
/// (the `gen_statem` breaker: only dependency failures count).
pub trait Classify<R> {
    /// Whether [`Classify::panicked`] is asked; where not, a panic is a failure and costs no catch.
    const INSPECTS_PANICS: bool = false;

    /// What `result` says about the dependency.
    fn classify(result: &R) -> Outcome;

    /// What a panic says about the dependency; asked only where [`Classify::INSPECTS_PANICS`].
    fn panicked(payload: &(dyn Any + Send)) -> Outcome {
        let _ = payload;
        PANICKED
    }
}

/// The outcome of a call that panicked, unless classify says otherwise (R12).
pub(crate) const PANICKED: Outcome = Outcome::failure().cause("panicked");

/// What an error says about the dependency it came from; derived by `#[derive(Classify)]`.
pub trait ClassifyError {
    /// What this error says.
    fn outcome(&self) -> Outcome;
}

/// The default: `Ok` is a success, `Err` and a panic are failures.
#[derive(Clone, Copy, Debug, Default)]
pub struct ErrIsFailure;

impl<T, E> Classify<Result<T, E>> for ErrIsFailure {
    #[inline]
    fn classify(result: &Result<T, E>) -> Outcome {
        if result.is_ok() { Outcome::Success } else { Outcome::failure() }
    }
}

/// Every error type that implements [`ClassifyError`] judges itself: one breaker, many error types.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByError;

impl<T, E: ClassifyError> Classify<Result<T, E>> for ByError {
    #[inline]
    fn classify(result: &Result<T, E>) -> Outcome {
        match result {
            Ok(_) => Outcome::Success,
            Err(error) => error.outcome(),
        }
    }
}

/// Judges one call: by the breaker's policy or by the guarded fn's own.
#[doc(hidden)]
pub trait Judge<R> {
    /// See [`Classify::INSPECTS_PANICS`].
    const INSPECTS_PANICS: bool = false;

    /// What `result` says about the dependency; asked once.
    fn judge(&mut self, result: &R) -> Outcome;

    /// What a panic says about the dependency.
    fn panicked(payload: &(dyn Any + Send)) -> Outcome {
        let _ = payload;
        PANICKED
    }
}

/// Judges by a [`Classify`].
#[doc(hidden)]
pub struct ByPolicy<C>(PhantomData<fn() -> C>);

impl<C> ByPolicy<C> {
    /// The policy has no value of its own.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<C> Default for ByPolicy<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C> fmt::Debug for ByPolicy<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByPolicy")
    }
}

impl<R, C: Classify<R>> Judge<R> for ByPolicy<C> {
    const INSPECTS_PANICS: bool = C::INSPECTS_PANICS;

    #[inline]
    fn judge(&mut self, result: &R) -> Outcome {
        C::classify(result)
    }

    fn panicked(payload: &(dyn Any + Send)) -> Outcome {
        C::panicked(payload)
    }
}

/// Judges by a closure or fn; a panic is a failure.
#[doc(hidden)]
#[derive(Debug)]
pub struct ByFn<F>(Option<F>);

impl<F> ByFn<F> {
    /// Judges by `classify`.
    pub const fn new(classify: F) -> Self {
        Self(Some(classify))
    }
}

impl<R, F: FnOnce(&R) -> Outcome> Judge<R> for ByFn<F> {
    #[inline]
    fn judge(&mut self, result: &R) -> Outcome {
        // Nothing is judged a second time: a call that is done says nothing more.
        self.0.take().map_or(Outcome::Ignored, |classify| classify(result))
    }
}

//! What a caller gets instead of a result.

use crate::{
    name::Name,
    outcome::{ClassifyError, Outcome},
    status::Status,
    trip::Trip,
    trips,
};
use std::{error, fmt, io, sync::Arc, time::Duration};

/// The breaker let no call through; the body was not touched.
///
/// `Display` is one line for the person on call.
#[derive(Clone)]
#[non_exhaustive]
pub struct Rejected {
    /// The breaker's name.
    pub breaker: Name,
    /// Its state.
    pub status: Status,
    /// When a call may be let through: none where no time is known (R37).
    pub retry_after: Option<Duration>,
    /// The opening that this goes back to, or [`Rejected::HELD`]; no text is copied.
    pub(crate) trip: u64,
}

// What speed.md asks: the error type of every guarded call carries one.
const _: () = assert!(size_of::<Rejected>() <= 64);

impl Rejected {
    /// No opening: an operator holds it open.
    pub(crate) const HELD: u64 = u64::MAX;

    /// The opening that this goes back to, while the breaker or another still remembers it; none where the breaker
    /// was forced.
    pub fn cause(&self) -> Option<Arc<Trip>> {
        trips::find(self.trip)
    }
}

impl fmt::Debug for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { breaker, status, retry_after, .. } = self;
        f.debug_struct("Rejected")
            .field("breaker", breaker)
            .field("status", status)
            .field("retry_after", retry_after)
            .finish_non_exhaustive()
    }
}

/// Two rejections are equal when their public fields are.
impl PartialEq for Rejected {
    fn eq(&self, other: &Self) -> bool {
        self.breaker == other.breaker && self.status == other.status && self.retry_after == other.retry_after
    }
}

impl Eq for Rejected {}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "circuit breaker `{}` is ", self.breaker)?;
        match self.status {
            // Only a ramp rejects while it is closed.
            Status::Closed => f.write_str("letting calls back in by degrees")?,
            status => status.fmt(f)?,
        }
        match self.retry_after {
            Some(after) => write!(f, "; retry in {}", Rounded(after))?,
            None if self.status == Status::HalfOpen => f.write_str("; this call may not probe")?,
            None => {}
        }
        match self.cause() {
            Some(trip) => write!(f, " (opened on {trip})"),
            None if self.trip == Self::HELD => f.write_str(" (held open by an operator)"),
            None => Ok(()),
        }
    }
}

impl error::Error for Rejected {}

impl From<Rejected> for io::Error {
    /// Of the kind [`io::ErrorKind::ConnectionRefused`]: the call was refused before it was made.
    fn from(rejected: Rejected) -> Self {
        Self::new(io::ErrorKind::ConnectionRefused, rejected)
    }
}

/// A duration as a person reads it: `1.5s`, rounded up to milliseconds.
pub(crate) struct Rounded(pub(crate) Duration);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(time) = *self;
        let millis = time.as_nanos().div_ceil(1_000_000);
        let millis = u64::try_from(millis).unwrap_or(u64::MAX);
        write!(f, "{:?}", Duration::from_millis(millis))
    }
}

/// The call took longer than its `timeout` and was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimedOut {
    /// The breaker's name.
    pub breaker: Name,
    /// The time that it had.
    pub timeout: Duration,
    /// It was noticed later than twice that time: this process itself stalled, which says nothing about the
    /// dependency, so that the call is ignored (R16).
    pub stalled: bool,
}

impl TimedOut {
    /// A call through `breaker` that had `timeout`.
    pub const fn after(breaker: Name, timeout: Duration) -> Self {
        Self { breaker, timeout, stalled: false }
    }

    /// The same, noticed late because this process stalled, or not.
    #[must_use]
    pub fn stalled(self, stalled: bool) -> Self {
        Self { stalled, ..self }
    }
}

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a call through circuit breaker `{}` took longer than {:?}", self.breaker, self.timeout)?;
        if self.stalled { f.write_str("; this process stalled meanwhile, so that it does not count") } else { Ok(()) }
    }
}

impl error::Error for TimedOut {}

impl From<TimedOut> for io::Error {
    fn from(timed_out: TimedOut) -> Self {
        Self::new(io::ErrorKind::TimedOut, timed_out)
    }
}

/// The error of a guarded call whose own error is `E`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error<E> {
    /// The breaker let no call through.
    Rejected(Rejected),
    /// The call took longer than its `timeout`.
    TimedOut(TimedOut),
    /// The call's own error.
    Inner(E),
}

impl<E: From<Rejected> + From<TimedOut>> Error<E> {
    /// The same error as an `E` that can carry all three.
    ///
    /// ```
    /// # use breaker_core as breaker;
    /// use breaker::Error;
    ///
    /// let error: Error<std::io::Error> = Error::Inner(std::io::ErrorKind::NotFound.into());
    /// assert_eq!(error.merge().kind(), std::io::ErrorKind::NotFound);
    /// ```
    pub fn merge(self) -> E {
        match self {
            Self::Rejected(rejected) => rejected.into(),
            Self::TimedOut(timed_out) => timed_out.into(),
            Self::Inner(error) => error,
        }
    }
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejected) => rejected.fmt(f),
            Self::TimedOut(timed_out) => timed_out.fmt(f),
            Self::Inner(error) => error.fmt(f),
        }
    }
}

impl<E: error::Error + 'static> error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Rejected(rejected) => rejected.source(),
            Self::TimedOut(timed_out) => timed_out.source(),
            Self::Inner(error) => error.source(),
        }
    }
}

impl<E> From<Rejected> for Error<E> {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected)
    }
}

impl<E> From<TimedOut> for Error<E> {
    fn from(timed_out: TimedOut) -> Self {
        Self::TimedOut(timed_out)
    }
}

impl ClassifyError for Rejected {
    /// A rejection of another breaker says nothing about this one's dependency (R18).
    fn outcome(&self) -> Outcome {
        Outcome::Ignored
    }
}

impl ClassifyError for TimedOut {
    /// A time-out is a failure, unless this process itself stalled (R16).
    fn outcome(&self) -> Outcome {
        if self.stalled { Outcome::Ignored } else { Outcome::failure().cause("timed out") }
    }
}

impl<E: ClassifyError> ClassifyError for Error<E> {
    fn outcome(&self) -> Outcome {
        match self {
            Self::Rejected(rejected) => rejected.outcome(),
            Self::TimedOut(timed_out) => timed_out.outcome(),
            Self::Inner(error) => error.outcome(),
        }
    }
}

/// No breaker, or more than one, has the name that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LookupError {
    /// No breaker has it.
    Unknown(UnknownBreaker),
    /// More than one has it.
    Ambiguous(AmbiguousName),
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(error) => error.fmt(f),
            Self::Ambiguous(error) => error.fmt(f),
        }
    }
}

impl error::Error for LookupError {}

/// No breaker has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownBreaker {
    /// The name that was asked for.
    pub name: String,
    /// The declared names that are nearest to it, the nearest first; none where all are far.
    pub nearest: Vec<Name>,
}

impl fmt::Display for UnknownBreaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no circuit breaker is named `{}`", self.name)?;
        for (at, name) in self.nearest.iter().enumerate() {
            f.write_str(if at == 0 { "; did you mean " } else { " or " })?;
            write!(f, "`{name}`")?;
        }
        if self.nearest.is_empty() {
            f.write_str("; `breaker::registry().iter()` lists those there are")?;
        }
        f.write_str(if self.nearest.is_empty() { "" } else { "?" })
    }
}

impl error::Error for UnknownBreaker {}

/// More than one breaker has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AmbiguousName {
    /// The name that was asked for.
    pub name: String,
    /// Where each was declared.
    pub places: Vec<Place>,
}

impl fmt::Display for AmbiguousName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.places.iter().all(|place| place.path == self.name) {
            // Built at run time, all of them: no path tells them apart.
            return write!(
                f,
                "a circuit breaker named `{0}` has entered already; let it leave, or enter another name",
                self.name
            );
        }
        write!(f, "{} circuit breakers are named `{}`; ask by full path:", self.places.len(), self.name)?;
        for (at, place) in self.places.iter().enumerate() {
            f.write_str(if at == 0 { " " } else { ", " })?;
            place.fmt(f)?;
        }
        Ok(())
    }
}

impl error::Error for AmbiguousName {}

/// Where a breaker was declared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The full path: module and name.
    pub path: String,
    /// The file; empty for a breaker built at run time.
    pub file: &'static str,
    /// The line in it.
    pub line: u32,
}

/// `` `app::cards::payments` (src/cards.rs:7) ``
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.path)?;
        if self.file.is_empty() { Ok(()) } else { write!(f, " ({}:{})", self.file, self.line) }
    }
}

/// What [`Registry::verify`](crate::Registry::verify) found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifyError {
    /// Every name that more than one breaker has.
    pub ambiguous: Vec<AmbiguousName>,
    /// Every breaker whose settings refuse themselves.
    pub unsound: Vec<(Place, crate::SettingsError)>,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = self.ambiguous.iter().map(ToString::to_string).collect::<Vec<_>>();
        lines.extend(self.unsound.iter().map(|(place, error)| format!("{place}: {error}")));
        f.write_str(&lines.join("\n"))
    }
}

impl error::Error for VerifyError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    const fn rejected(breaker: &'static str, status: Status, retry_after: Option<Duration>) -> Rejected {
        Rejected { breaker: Name::from_static(breaker), status, retry_after, trip: 0 }
    }

    #[derive(Debug)]
    struct Caused;

    impl fmt::Display for Caused {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("caused")
        }
    }

    impl error::Error for Caused {
        fn source(&self) -> Option<&(dyn error::Error + 'static)> {
            Some(&fmt::Error)
        }
    }

    #[test]
    fn rejections_are_equal_when_all_that_they_say_is() {
        let one = rejected("a", Status::Open, None);
        assert_eq!(one, Rejected { trip: 7, ..one.clone() });
        for other in [
            rejected("b", Status::Open, None),
            rejected("a", Status::Probing, None),
            rejected("a", Status::Open, Some(Duration::ZERO)),
        ] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn r40_a_rejection_says_why_it_gives_no_time() {
        let half_open = rejected("a", Status::HalfOpen, None).to_string();
        assert_eq!(half_open, "circuit breaker `a` is half_open; this call may not probe");
        assert_eq!(rejected("a", Status::Open, None).to_string(), "circuit breaker `a` is open");
    }

    #[test]
    fn an_error_shows_what_it_carries() {
        let timed_out = TimedOut::after("a".into(), Duration::from_secs(3));
        let text = "a call through circuit breaker `a` took longer than 3s";
        assert_eq!(timed_out.to_string(), text);
        let stalled = timed_out.clone().stalled(true);
        assert_eq!(stalled.to_string(), format!("{text}; this process stalled meanwhile, so that it does not count"));
        assert_eq!(Error::<fmt::Error>::TimedOut(timed_out).to_string(), text);
        assert_eq!(Error::Inner(fmt::Error).to_string(), fmt::Error.to_string());

        let source = Error::Inner(Caused).source().map(ToString::to_string);
        assert_eq!(source, Some(fmt::Error.to_string()), "the call's own error is shown already; its source follows");
        assert!(Error::<io::Error>::Rejected(rejected("a", Status::Open, None)).source().is_none());
    }

    #[test]
    fn a_look_up_names_what_is_near_and_where_each_stands() {
        let unknown = |nearest: &[&'static str]| {
            let nearest = nearest.iter().map(|name| Name::from_static(name)).collect();
            UnknownBreaker { name: "x".to_owned(), nearest }.to_string()
        };
        assert_eq!(unknown(&["a", "b", "c"]), "no circuit breaker is named `x`; did you mean `a` or `b` or `c`?");
        assert_eq!(unknown(&[]), "no circuit breaker is named `x`; `breaker::registry().iter()` lists those there are");

        let place = |path: &str, file| Place { path: path.to_owned(), file, line: 7 };
        let places = vec![place("m::x", "m.rs"), place("x", "")];
        let ambiguous = AmbiguousName { name: "x".to_owned(), places };
        let named = "2 circuit breakers are named `x`; ask by full path: `m::x` (m.rs:7), `x`";
        assert_eq!(ambiguous.to_string(), named);

        let twice = AmbiguousName { name: "x".to_owned(), places: vec![place("x", ""), place("x", "")] };
        assert_eq!(
            twice.to_string(),
            "a circuit breaker named `x` has entered already; let it leave, or enter another name"
        );

        let unsound = vec![(place("m::y", "m.rs"), crate::SettingsError::new("wait", "wait is zero"))];
        let found = VerifyError { ambiguous: vec![ambiguous], unsound };
        assert_eq!(found.to_string(), format!("{named}\n`m::y` (m.rs:7): wait is zero"));
    }
}

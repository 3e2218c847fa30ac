//! What is wrong with a setting.

pub(crate) mod value;

pub use value::{Setting, Value};

use std::{borrow::Cow, error::Error, fmt, time::Duration};

/// A setting that cannot work.
///
/// `Display` is the problem and its remedy: `threshold is 0; give at least 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingsError {
    /// The setting.
    pub field: Cow<'static, str>,
    /// What is wrong with it, and what would be right: `problem; remedy`.
    pub problem: Cow<'static, str>,
}

impl SettingsError {
    /// `field` has a problem.
    ///
    /// ```
    /// # use breaker_core as breaker;
    /// use breaker::SettingsError;
    ///
    /// let error = SettingsError::new("wait", "wait is zero; give it some time");
    /// assert_eq!(error.to_string(), "wait is zero; give it some time");
    /// ```
    pub const fn new(field: &'static str, problem: &'static str) -> Self {
        Self { field: Cow::Borrowed(field), problem: Cow::Borrowed(problem) }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl Error for SettingsError {}

/// A field and what is wrong with it, in a form that const evaluation can carry.
pub(crate) type Problem = (&'static str, &'static str);

/// The first of two problems.
pub(crate) const fn first(a: Option<Problem>, b: Option<Problem>) -> Option<Problem> {
    if a.is_some() { a } else { b }
}

/// `problem` where `bad`.
pub(crate) const fn when(bad: bool, field: &'static str, problem: &'static str) -> Option<Problem> {
    if bad { Some((field, problem)) } else { None }
}

/// A problem as the error of a `check`.
pub(crate) fn checked(problem: Option<Problem>) -> Result<(), SettingsError> {
    match problem {
        None => Ok(()),
        Some((field, problem)) => Err(SettingsError::new(field, problem)),
    }
}

/// A problem as a compile error.
pub(crate) const fn assert_none(problem: Option<Problem>) {
    if let Some((_, problem)) = problem {
        panic!("{}", problem);
    }
}

/// The most successful probes in a row that a plan may ask for: as many as the word can count.
pub(crate) const SUCCESSES_MAX: u32 = 255;

/// What every recover takes besides its own settings.
pub(crate) const fn probing_problem(probing_timeout: Duration, successes: u32) -> Option<Problem> {
    first(
        when(
            probing_timeout.is_zero(),
            "probing_timeout",
            "`probing_timeout` is zero, so every probe would be too late; give the time a slow but healthy call needs",
        ),
        when(
            successes == 0 || successes > SUCCESSES_MAX,
            "successes",
            "`successes` must be from 1 to 255; give the number of probes in a row that close the breaker",
        ),
    )
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use crate::{Backoff, BasicTimeout, Burst, Count, EveryNth, FailureRate, Recover as _, RetryAfter, SlowCallRate};
    use std::{panic::catch_unwind, time::Duration};

    /// In const evaluation, where `breakers!` asks, such a panic is a compile error.
    #[test]
    fn r36_a_declaration_asserts_that_its_settings_can_work() {
        let zero = Duration::ZERO;
        let refused = [
            catch_unwind(|| Count { threshold: 0, ..Count::DEFAULT }.assert_valid()),
            catch_unwind(|| FailureRate { min_calls: 0, ..FailureRate::DEFAULT }.assert_valid()),
            catch_unwind(|| SlowCallRate::DEFAULT.assert_valid()),
            catch_unwind(|| Burst::DEFAULT.assert_valid()),
            catch_unwind(|| Backoff { initial: zero, ..Backoff::DEFAULT }.assert_valid()),
            catch_unwind(|| BasicTimeout { reset_timeout: zero, ..BasicTimeout::DEFAULT }.assert_valid()),
            catch_unwind(|| EveryNth { rejections: 0, ..EveryNth::DEFAULT }.assert_valid()),
            catch_unwind(|| RetryAfter { default: zero, ..RetryAfter::DEFAULT }.assert_valid()),
        ];
        assert!(refused.iter().all(Result::is_err), "{refused:?}");
        Count::DEFAULT.assert_valid();
    }

    #[test]
    fn r36_as_many_successes_as_can_be_counted_are_legal() {
        let with = |successes| BasicTimeout { successes, ..BasicTimeout::DEFAULT }.check().map_err(|error| error.field);
        assert_eq!([1, 255].map(with), [Ok(()), Ok(())]);
        assert_eq!([0, 256].map(with), ["successes", "successes"].map(|field| Err(field.into())));
    }
}

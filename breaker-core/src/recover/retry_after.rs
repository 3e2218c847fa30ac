//! As long as the dependency asked for.

use super::{PROBING_TIMEOUT, Plan, Recover};
use crate::{
    Outcome,
    settings::{Problem, SettingsError, assert_none, checked, first, probing_problem, value::by_key, when},
    trip::Trip,
};
use std::time::Duration;

/// Open for as long as the failure that opened it asked for with `retry_after`, within bounds (R28).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryAfter {
    /// For a failure that asked for nothing; more than zero.
    pub default: Duration,
    /// The least that is granted.
    pub min: Duration,
    /// The most that is granted; at least `min`.
    pub max: Duration,
    /// How many successful probes in a row close it; 1 to 255.
    pub successes: u32,
    /// The lease of a probe; more than zero.
    pub probing_timeout: Duration,
    /// How long the share of admitted calls grows after the close; zero for not at all.
    pub ramp: Duration,
    #[doc(hidden)]
    pub more: (),
}

impl RetryAfter {
    /// `default: 5s, min: 1s, max: 300s, successes: 1, probing_timeout: 30s, ramp: 0s`.
    pub const DEFAULT: Self = Self {
        default: Duration::from_secs(5),
        min: Duration::from_secs(1),
        max: Duration::from_secs(300),
        successes: 1,
        probing_timeout: PROBING_TIMEOUT,
        ramp: Duration::ZERO,
        more: (),
    };

    const fn problem(&self) -> Option<Problem> {
        let most_is_less = self.max.as_nanos() < self.min.as_nanos();
        first(
            when(
                self.default.is_zero() || self.max.is_zero(),
                "default",
                "`default` or `max` is zero, so an open breaker would reject nothing; give it some time",
            ),
            first(
                when(
                    most_is_less,
                    "max",
                    "`max` is shorter than `min`; give at least as much, it is 300s where left out",
                ),
                probing_problem(self.probing_timeout, self.successes),
            ),
        )
    }

    /// Fails const evaluation on settings that cannot work.
    #[doc(hidden)]
    pub const fn assert_valid(&self) {
        assert_none(self.problem());
    }
}

impl Recover for RetryAfter {
    fn check(&self) -> Result<(), SettingsError> {
        checked(self.problem())
    }

    by_key!(default, min, max, probing_timeout, successes, ramp);

    fn plan(&self, trip: &Trip) -> Plan {
        let asked = match trip.outcome {
            Outcome::Failure(failure) => failure.retry_after,
            _ => None,
        };
        // Not `clamp`, which panics where a setting nobody checked has the bounds the wrong way round.
        Plan::after(asked.unwrap_or(self.default).max(self.min).min(self.max))
            .probing_timeout(self.probing_timeout)
            .successes(self.successes)
            .ramp(self.ramp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r28_the_failure_decides_within_bounds() {
        let wait = |outcome| RetryAfter::DEFAULT.plan(&Trip::new(1, outcome)).wait;
        let asked = |after| wait(Outcome::failure().retry_after(after));
        let planned = |seconds| Plan::after(Duration::from_secs(seconds)).wait;
        assert_eq!(wait(Outcome::failure()), planned(5));
        assert_eq!(wait(Outcome::Success), planned(5));
        assert_eq!(asked(Duration::from_secs(17)), planned(17));
        assert_eq!(asked(Duration::ZERO), planned(1));
        assert_eq!(asked(Duration::MAX), planned(300));
    }

    #[test]
    fn r36_bounds_the_wrong_way_round_are_refused() {
        let error = RetryAfter { min: Duration::from_secs(301), ..RetryAfter::DEFAULT }.check().unwrap_err();
        assert_eq!(error.field, "max");
        let one = Duration::from_secs(1);
        assert_eq!(RetryAfter { min: one, max: one, ..RetryAfter::DEFAULT }.check(), Ok(()));
        assert_eq!(RetryAfter { default: Duration::ZERO, ..RetryAfter::DEFAULT }.check().unwrap_err().field, "default");
    }
}

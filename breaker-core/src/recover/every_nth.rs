//! After so many rejected calls.

use super::{PROBING_TIMEOUT, Plan, Recover};
use crate::{
    settings::{Problem, SettingsError, assert_none, checked, first, probing_problem, value::by_key, when},
    trip::Trip,
};
use std::time::Duration;

/// Half open after the n-th rejected call, by no clock (R29): the Go article's retry after every N rejected calls.
///
/// A service that is called often probes often, one that is not called does not probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EveryNth {
    /// How many calls are rejected before the next one probes; at least 1.
    pub rejections: u32,
    /// How many successful probes in a row close it; 1 to 255.
    pub successes: u32,
    /// The lease of a probe; more than zero.
    pub probing_timeout: Duration,
    /// How long the share of admitted calls grows after the close; zero for not at all.
    pub ramp: Duration,
    #[doc(hidden)]
    pub more: (),
}

impl EveryNth {
    /// `rejections: 10, successes: 1, probing_timeout: 30s, ramp: 0s`.
    pub const DEFAULT: Self =
        Self { rejections: 10, successes: 1, probing_timeout: PROBING_TIMEOUT, ramp: Duration::ZERO, more: () };

    const fn problem(&self) -> Option<Problem> {
        first(
            when(
                self.rejections == 0,
                "rejections",
                "`rejections` is 0, so an open breaker would reject nothing; give at least 1",
            ),
            probing_problem(self.probing_timeout, self.successes),
        )
    }

    /// Fails const evaluation on settings that cannot work.
    #[doc(hidden)]
    pub const fn assert_valid(&self) {
        assert_none(self.problem());
    }
}

impl Recover for EveryNth {
    fn check(&self) -> Result<(), SettingsError> {
        checked(self.problem())
    }

    by_key!(rejections, probing_timeout, successes, ramp);

    fn plan(&self, _: &Trip) -> Plan {
        Plan::after_rejections(self.rejections)
            .probing_timeout(self.probing_timeout)
            .successes(self.successes)
            .ramp(self.ramp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r36_zero_rejections_are_refused() {
        let error = EveryNth { rejections: 0, ..EveryNth::DEFAULT }.check().unwrap_err();
        assert_eq!(error.field, "rejections");
    }
}

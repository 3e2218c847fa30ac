//! A fixed time.

use super::{PROBING_TIMEOUT, Plan, Recover};
use crate::{
    settings::{Problem, SettingsError, assert_none, checked, first, probing_problem, value::by_key, when},
    trip::Trip,
};
use std::time::Duration;

/// Open for `reset_timeout`, every time (R26); Rexsilient's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicTimeout {
    /// How long it stays open; more than zero.
    pub reset_timeout: Duration,
    /// The lease of a probe; more than zero.
    pub probing_timeout: Duration,
    /// How many successful probes in a row close it; 1 to 255.
    pub successes: u32,
    /// How long the share of admitted calls grows after the close; zero for not at all.
    pub ramp: Duration,
    #[doc(hidden)]
    pub more: (),
}

impl BasicTimeout {
    /// `reset_timeout: 30s, probing_timeout: 30s, successes: 1, ramp: 0s`.
    pub const DEFAULT: Self = Self {
        reset_timeout: Duration::from_secs(30),
        probing_timeout: PROBING_TIMEOUT,
        successes: 1,
        ramp: Duration::ZERO,
        more: (),
    };

    const fn problem(&self) -> Option<Problem> {
        first(
            when(
                self.reset_timeout.is_zero(),
                "reset_timeout",
                "`reset_timeout` is zero, so an open breaker would reject nothing; give it some time",
            ),
            probing_problem(self.probing_timeout, self.successes),
        )
    }

    /// Fails const evaluation on settings that cannot work.
    #[doc(hidden)]
    pub const fn assert_valid(self) {
        assert_none(self.problem());
    }
}

impl Recover for BasicTimeout {
    fn check(&self) -> Result<(), SettingsError> {
        checked(self.problem())
    }

    by_key!(reset_timeout, probing_timeout, successes, ramp);

    fn plan(&self, _: &Trip) -> Plan {
        Plan::after(self.reset_timeout).probing_timeout(self.probing_timeout).successes(self.successes).ramp(self.ramp)
    }
}

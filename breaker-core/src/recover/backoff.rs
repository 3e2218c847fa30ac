//! A time that grows with each opening in a row, with jitter.

use super::{PROBING_TIMEOUT, Plan, Recover};
use crate::{
    settings::{Problem, SettingsError, assert_none, checked, first, probing_problem, value::by_key, when},
    trip::Trip,
};
use std::time::Duration;

/// Open for `initial`, then `multiplier` times as long at each opening in a row, up to `max` (R27).
///
/// A close does not forget the growth at once: each `max` spent closed forgets one step, so that a dependency that
/// flaps is not probed every second for ever. `force_close` forgets all. Jitter keeps many instances of a program
/// from probing at the same moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backoff {
    /// The first time; more than zero.
    pub initial: Duration,
    /// The growth; at least 1.
    pub multiplier: f64,
    /// The longest time, jitter included; at least `initial`.
    pub max: Duration,
    /// The share by which a time is moved at random, in both directions; 0 to 1.
    pub jitter: f64,
    /// How many successful probes in a row close it; 1 to 255.
    pub successes: u32,
    /// The lease of a probe; more than zero.
    pub probing_timeout: Duration,
    /// How long the share of admitted calls grows after the close; zero for not at all.
    pub ramp: Duration,
    #[doc(hidden)]
    pub more: (),
}

impl Backoff {
    /// `initial: 1s, multiplier: 2.0, max: 30s, jitter: 0.2, successes: 3, probing_timeout: 30s, ramp: 0s`.
    pub const DEFAULT: Self = Self {
        initial: Duration::from_secs(1),
        multiplier: 2.0,
        max: Duration::from_secs(30),
        jitter: 0.2,
        successes: 3,
        probing_timeout: PROBING_TIMEOUT,
        ramp: Duration::ZERO,
        more: (),
    };

    const fn problem(&self) -> Option<Problem> {
        let longest_is_shorter = self.max.as_nanos() < self.initial.as_nanos();
        let grows = self.multiplier >= 1.0 && self.multiplier < f64::INFINITY;
        let shares = self.jitter >= 0.0 && self.jitter <= 1.0;
        first(
            first(
                when(
                    self.initial.is_zero(),
                    "initial",
                    "`initial` is zero, so an open breaker would reject nothing; give it some time",
                ),
                when(
                    longest_is_shorter,
                    "max",
                    "`max` is shorter than `initial`; give at least as much, it is 30s where left out",
                ),
            ),
            first(
                first(
                    when(!grows, "multiplier", "`multiplier` must be a number from 1.0; 2.0 doubles each time"),
                    when(!shares, "jitter", "`jitter` must be from 0.0 to 1.0; 0.2 moves a time by up to a fifth"),
                ),
                probing_problem(self.probing_timeout, self.successes),
            ),
        )
    }

    /// Fails const evaluation on settings that cannot work.
    #[doc(hidden)]
    pub const fn assert_valid(self) {
        assert_none(self.problem());
    }

    /// The time for the `openings`-th opening in a row, moved by `share` of it, from -1 to 1 times the jitter.
    fn wait(&self, openings: u32, share: f64) -> Duration {
        let growth = self.multiplier.powi(openings.saturating_sub(1).min(1 << 20).cast_signed());
        let seconds = self.initial.as_secs_f64() * growth * (1.0 + share * self.jitter);
        // What a `Duration` cannot hold is longer than any `max`.
        Duration::try_from_secs_f64(seconds).map_or(self.max, |wait| wait.min(self.max))
    }
}

impl Recover for Backoff {
    fn check(&self) -> Result<(), SettingsError> {
        checked(self.problem())
    }

    by_key!(initial, multiplier, max, jitter, probing_timeout, successes, ramp);

    fn plan(&self, trip: &Trip) -> Plan {
        Plan::after(self.wait(trip.openings, fastrand::f64() * 2.0 - 1.0))
            .probing_timeout(self.probing_timeout)
            .successes(self.successes)
            .ramp(self.ramp)
    }

    fn forgets(&self) -> Option<Duration> {
        Some(self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Backoff = Backoff { jitter: 0.0, ..Backoff::DEFAULT };

    #[test]
    fn r27_grows_with_openings_up_to_max() {
        let waits: Vec<_> = (1..=7).map(|n| PLAIN.wait(n, 1.0).as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(PLAIN.wait(u32::MAX, 1.0), PLAIN.max);
    }

    #[test]
    fn r27_jitter_goes_both_ways_and_never_past_max() {
        let jittery = Backoff { jitter: 0.5, ..Backoff::DEFAULT };
        assert_eq!(jittery.wait(3, -1.0), Duration::from_secs(2));
        assert_eq!(jittery.wait(3, 1.0), Duration::from_secs(6));
        assert_eq!(jittery.wait(6, 1.0), jittery.max);
        assert_eq!(jittery.wait(6, -1.0), Duration::from_secs(16));
    }

    #[test]
    fn r30_no_setting_overflows() {
        let endless = Backoff { initial: Duration::MAX, max: Duration::MAX, multiplier: 1e300, ..PLAIN };
        assert_eq!(endless.check(), Ok(()));
        assert_eq!(endless.wait(9, 1.0), Duration::MAX);
    }

    #[test]
    fn r36_impossible_settings_are_refused() {
        let field = |backoff: Backoff| backoff.check().unwrap_err().field;
        assert_eq!(field(Backoff { initial: Duration::ZERO, ..PLAIN }), "initial");
        assert_eq!(field(Backoff { max: Duration::from_millis(1), ..PLAIN }), "max");
        for multiplier in [0.9, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(field(Backoff { multiplier, ..PLAIN }), "multiplier");
        }
        for jitter in [-0.1, 1.1, f64::NAN] {
            assert_eq!(field(Backoff { jitter, ..PLAIN }), "jitter");
        }
        assert_eq!(field(Backoff { successes: 256, ..PLAIN }), "successes");
        assert_eq!(field(Backoff { probing_timeout: Duration::ZERO, ..PLAIN }), "probing_timeout");
    }
}

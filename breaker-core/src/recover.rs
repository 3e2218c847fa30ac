//! How long to stay open and how to probe: the contract, and the recovers that ship, one a file.
//!
//! A recover is pure: it is told of an opening and gives a plan. It runs at most once for each opening (R30).

use crate::{
    settings::{SUCCESSES_MAX, Setting, SettingsError, Value, value::unknown},
    trip::Trip,
};
use std::time::Duration;

mod backoff;
mod basic_timeout;
mod every_nth;
mod retry_after;

pub use backoff::Backoff;
pub use basic_timeout::BasicTimeout;
pub use every_nth::EveryNth;
pub use retry_after::RetryAfter;

/// What connection pools wait.
pub(crate) const PROBING_TIMEOUT: Duration = Duration::from_secs(30);

/// Decides how long an opened breaker stays open, and how it probes.
///
/// ```
/// # use breaker_core as breaker;
/// use breaker::{Plan, Recover, Trip};
/// use std::time::Duration;
///
/// /// Twice as patient after each opening in a row.
/// #[derive(Clone, Copy)]
/// struct Doubling;
///
/// impl Recover for Doubling {
///     fn plan(&self, trip: &Trip) -> Plan {
///         Plan::after(Duration::from_secs(1 << trip.openings.min(6)))
///     }
/// }
/// ```
pub trait Recover: Copy + Send + Sync + 'static {
    /// What is wrong with the settings, if anything.
    fn check(&self) -> Result<(), SettingsError> {
        Ok(())
    }

    /// The settings by key, for those who look; none unless given.
    fn settings(&self) -> Vec<Setting> {
        Vec::new()
    }

    /// Changes one setting by key, for live settings; refused unless given. [`Recover::check`] is asked afterwards.
    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingsError> {
        let _ = value;
        Err(unknown(key, &[]))
    }

    /// The plan for this opening. If it panics, the breaker stays open for 30 s and the panic goes on.
    fn plan(&self, trip: &Trip) -> Plan;

    /// Staying closed this long forgets one opening; `None`: a close forgets all.
    fn forgets(&self) -> Option<Duration> {
        None
    }
}

/// The longest that doubling makes a lease (R6).
const LEASE_MAX: Duration = Duration::from_secs(600);

/// How long to stay open and how to probe, for one opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(crate) wait: Wait,
    pub(crate) probing_timeout: Duration,
    pub(crate) successes: u32,
    pub(crate) ramp: Duration,
}

/// What ends the stay in open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    Time(Duration),
    Rejections(u32),
}

impl Plan {
    /// Half open after `wait`; any duration is legal, and [`Duration::MAX`] never ends.
    pub const fn after(wait: Duration) -> Self {
        Self::new(Wait::Time(wait))
    }

    /// Half open after the `n`-th rejected call, at no time that a clock could tell; at once where `n` is 0.
    pub const fn after_rejections(n: u32) -> Self {
        Self::new(Wait::Rejections(n))
    }

    const fn new(wait: Wait) -> Self {
        Self { wait, probing_timeout: PROBING_TIMEOUT, successes: 1, ramp: Duration::ZERO }
    }

    /// The lease of a probe (R6); 30 s unless set.
    #[must_use]
    pub const fn probing_timeout(self, lease: Duration) -> Self {
        Self { probing_timeout: lease, ..self }
    }

    /// How many successful probes in a row close it (R7): 1 unless set; below 1 is taken as 1, above 255 as 255.
    #[must_use]
    pub const fn successes(self, n: u32) -> Self {
        let successes = if n == 0 {
            1
        } else if n > SUCCESSES_MAX {
            SUCCESSES_MAX
        } else {
            n
        };
        Self { successes, ..self }
    }

    /// How long the share of admitted calls grows after the close (R38); not at all unless set.
    #[must_use]
    pub const fn ramp(self, over: Duration) -> Self {
        Self { ramp: over, ..self }
    }

    /// The lease of the next probe after `lapses` of them: doubled by each, up to ten minutes, never shortened (R6).
    pub(crate) fn lease(&self, lapses: u32) -> Duration {
        let planned = self.probing_timeout;
        let doubled = planned.saturating_mul(1_u32.checked_shl(lapses).unwrap_or(u32::MAX));
        doubled.min(LEASE_MAX).max(planned)
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r06_a_lease_doubles_up_to_ten_minutes_and_is_never_shortened() {
        let lease = |planned, lapses| {
            Plan::after(Duration::ZERO).probing_timeout(Duration::from_secs(planned)).lease(lapses).as_secs()
        };
        assert_eq!([0, 1, 2, 6, 31, 32].map(|lapses| lease(10, lapses)), [10, 20, 40, 600, 600, 600]);
        assert_eq!([0, 1, 31].map(|lapses| lease(3_600, lapses)), [3_600; 3]);
    }

    #[derive(Clone, Copy)]
    struct Bare;

    impl Recover for Bare {
        fn plan(&self, _: &Trip) -> Plan {
            Plan::after(Duration::ZERO)
        }
    }

    #[test]
    fn r30_a_recover_that_gives_only_what_it_must_has_no_keys_and_forgets_at_each_close() {
        assert!(Bare.settings().is_empty());
        assert_eq!(Bare.set("wait", &Value::Number(1)).unwrap_err().field, "wait");
        assert_eq!(Bare.forgets(), None);
    }

    #[test]
    fn r07_successes_stay_within_what_can_be_counted() {
        let successes = |n| Plan::after(Duration::ZERO).successes(n).successes;
        assert_eq!([0, 1, 255, 256, u32::MAX].map(successes), [1, 1, 255, 255, 255]);
    }
}

//! The machine: one packed word, and the times that belong to it.
//!
//! ```text
//!                      trip                          elapse
//!         ┌──────────────────────────────┐   ┌──────────────────────┐
//!         │                              ▼   │                      ▼
//!     ┌────────┐                       ┌────────┐              ┌───────────┐
//!     │ closed │                       │  open  │◀──┐     ┌───▶│ half_open │
//!     └────────┘                       └────────┘   │     │    └───────────┘
//!         ▲                     fail, third lapse   │     │ release,   │
//!         │                                         │     │ lapse,     │ probe
//!         │         enough successes in a row       │     │ more to go ▼
//!         └─────────────────────────────────────────┴─────┴──────[ probing ]
//! ```
//!
//! | status | hold | ramp | legal |
//! | --- | --- | --- | --- |
//! | closed | none | yes or no | the strategy decides |
//! | closed | overridden closed | no | everything passes, trips are told as `would_open` |
//! | open | none | no | until the time, or the rejections, that recover gave |
//! | open | forced open | no | until `force_close` |
//! | open | overridden open | no | until its end |
//! | half open, probing | none | no | the way back |
//!
//! # The ordering promise
//!
//! Every change of the word is one compare-and-swap by one winner, and every load of it acquires. What a stay needs
//! besides the word (its deadline) is published after the word, under the stamp of its era, by the winner alone; the
//! terms of an opening are published before its deadline. So who finds a deadline finds the terms with it, who finds
//! none knows that it is yet to come, and a winner that was stalled publishes nothing over a later one.

use crate::{
    clock::Time,
    era::Era,
    recover::{Plan, Wait},
    stamp::{self, Stamped},
};
use std::time::Duration;

pub(crate) mod cell;
pub(crate) mod transition;
pub(crate) mod word;

/// The longest that doubling makes a lease (R6).
const LEASE_MAX: Duration = Duration::from_secs(600);

/// What ends a stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// A time.
    Time(Time),
    /// So many rejections.
    Rejections(u32),
    /// Nothing that a clock could tell: a time past the 4th year.
    Never,
}

/// In a 48-bit value: the rest is a number of rejections, not of microseconds.
const COUNTED: u64 = 1 << 47;
/// The last value that is a time.
const NEVER: u64 = COUNTED - 1;

impl Until {
    const fn pack(self) -> u64 {
        match self {
            Self::Time(time) => time.micros(),
            Self::Rejections(left) => COUNTED | left as u64,
            Self::Never => NEVER,
        }
    }

    const fn unpack(value: u64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "the flag is above the low half")]
        match value {
            NEVER => Self::Never,
            _ if value & COUNTED != 0 => Self::Rejections(value as u32),
            _ => Self::Time(Time::from_micros(value)),
        }
    }

    /// `after` from `now`, rounded up to whole microseconds.
    pub(crate) const fn after(now: Time, after: Duration) -> Self {
        let micros = now.micros_after(after);
        if micros >= NEVER { Self::Never } else { Self::Time(Time::from_micros(micros)) }
    }

    /// The moment of it, if that has come; `now` is read only where a clock tells.
    pub(crate) fn due(self, now: impl FnOnce() -> Time) -> Option<Time> {
        match self {
            Self::Time(time) => (now() >= time).then_some(time),
            Self::Rejections(0) => Some(now()),
            Self::Rejections(_) | Self::Never => None,
        }
    }

    /// The time that is left.
    pub(crate) fn left(self, now: Time) -> Option<Duration> {
        match self {
            Self::Time(time) => Some(time.since(now)),
            Self::Rejections(_) | Self::Never => None,
        }
    }
}

/// The times that belong to the word, each under the stamp of its era.
#[derive(Debug)]
pub(crate) struct Times {
    /// When this stay ends: open, probing, overridden, ramping.
    until: Stamped,
    /// When this stay began, in microseconds.
    since: Stamped,
    /// The lease that the last plan gives a probe, in microseconds.
    lease: Stamped,
    /// The last plan's successes, in 8 bits, and its ramp in milliseconds: up to 34 years.
    terms: Stamped,
}

const SUCCESSES_AT: u32 = 40;
const RAMP_MAX: u64 = (1 << SUCCESSES_AT) - 1;

impl Times {
    pub(crate) const fn new() -> Self {
        Self { until: Stamped::new(0), since: Stamped::new(0), lease: Stamped::new(0), terms: Stamped::new(0) }
    }

    /// When the stay of `era` ends; `None` where that is not published yet, or there is no such time.
    #[inline]
    pub(crate) fn until(&self, era: Era) -> Option<Until> {
        self.until.of(era).map(Until::unpack)
    }

    /// When the stay of `era` began; `None` where that is not published yet.
    pub(crate) fn since(&self, era: Era) -> Option<Time> {
        self.since.of(era).map(Time::from_micros)
    }

    /// The stay of `era` began at `at`.
    pub(crate) fn begin(&self, era: Era, at: Time) {
        self.since.publish(era, at.micros());
        self.lease.restamp(era);
        self.terms.restamp(era);
    }

    /// The stay of `era` ends at `until`.
    pub(crate) fn end(&self, era: Era, until: Until) {
        self.until.publish(era, until.pack());
    }

    /// Publishes what recover planned for the opening that began `era` at `at`: the terms first, then the end.
    pub(crate) fn plan(&self, era: Era, at: Time, plan: &Plan) {
        self.lease.publish(era, whole_micros(plan.probing_timeout).min(stamp::VALUE_MAX));
        let ramp = whole_micros(plan.ramp).div_ceil(1_000).min(RAMP_MAX);
        self.terms.publish(era, (u64::from(plan.successes) << SUCCESSES_AT) | ramp);
        self.end(
            era,
            match plan.wait {
                Wait::Time(wait) => Until::after(at, wait),
                Wait::Rejections(left) => Until::Rejections(left),
            },
        );
    }

    /// The lease of the next probe after `lapses` of them: doubled by each, up to ten minutes, never shortened.
    pub(crate) fn lease(&self, lapses: u32) -> Duration {
        let planned = Duration::from_micros(self.lease.latest());
        let doubled = planned.saturating_mul(1_u32.checked_shl(lapses).unwrap_or(u32::MAX));
        doubled.min(LEASE_MAX).max(planned)
    }

    /// How many successes in a row close, by the last plan.
    pub(crate) fn successes(&self) -> u32 {
        (self.terms.latest() >> SUCCESSES_AT) as u32
    }

    /// How long the share of admitted calls grows after the close, by the last plan.
    pub(crate) fn ramp(&self) -> Duration {
        Duration::from_millis(self.terms.latest() & RAMP_MAX)
    }

    /// A probe that is alive begins its lease anew, unless that is over.
    pub(crate) fn renew(&self, era: Era, now: Time, lease: Duration) {
        self.until.renew(era, |value| {
            let due = Until::unpack(value).due(|| now).is_some();
            (!due).then(|| Until::after(now, lease).pack())
        });
    }

    /// One rejection more; whether it was the one that ends the stay of `era`.
    pub(crate) fn count_rejection(&self, era: Era) -> bool {
        let left = self.until.renew(era, |value| match Until::unpack(value) {
            Until::Rejections(left @ 1..) => Some(Until::Rejections(left - 1).pack()),
            _ => None,
        });
        left.map(Until::unpack) == Some(Until::Rejections(0))
    }
}

/// Rounded up, so that nothing ends early.
fn whole_micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000)).unwrap_or(u64::MAX)
}

#[cfg(all(test, not(breaker_loom)))]
mod tests {
    use super::*;

    #[test]
    fn r30_every_duration_packs_and_none_ends_early() {
        let now = Time::at(Duration::from_secs(1));
        for wait in [1, 999, 1_000, 1_001].map(Duration::from_nanos) {
            let Until::Time(time) = Until::after(now, wait) else { panic!("{wait:?} is soon") };
            assert!(time.since(now) >= wait && time.since(now) < wait + Duration::from_micros(1));
        }
        assert_eq!(Until::after(now, Duration::MAX), Until::Never);
        assert_eq!(Until::unpack(Until::Never.pack()), Until::Never);
        assert_eq!(Until::Never.due(|| Time::at(Duration::MAX)), None);
        for until in [Until::Time(now), Until::Rejections(0), Until::Rejections(u32::MAX)] {
            assert_eq!(Until::unpack(until.pack()), until);
        }
    }

    #[test]
    fn r06_a_lease_doubles_up_to_ten_minutes_and_is_never_shortened() {
        let lease = |planned: u64, lapses| {
            let times = Times::new();
            let plan = Plan::after(Duration::ZERO).probing_timeout(Duration::from_secs(planned));
            times.plan(Era::new(1), Time::at(Duration::ZERO), &plan);
            times.lease(lapses).as_secs()
        };
        assert_eq!([0, 1, 2, 6, 31].map(|lapses| lease(10, lapses)), [10, 20, 40, 600, 600]);
        assert_eq!([0, 1, 31].map(|lapses| lease(3_600, lapses)), [3_600; 3]);
    }

    #[test]
    fn r29_the_last_rejection_is_told_once() {
        let times = Times::new();
        times.plan(Era::new(3), Time::at(Duration::ZERO), &Plan::after_rejections(2));
        assert!(!times.count_rejection(Era::new(2)), "of another era");
        let ends = [(); 4].map(|()| times.count_rejection(Era::new(3)));
        assert_eq!(ends, [false, true, false, false]);
    }

    #[test]
    fn a_plan_keeps_its_terms() {
        let times = Times::new();
        let plan = Plan::after(Duration::ZERO).successes(255).ramp(Duration::from_secs(60));
        times.plan(Era::new(1), Time::at(Duration::ZERO), &plan);
        assert_eq!((times.successes(), times.ramp()), (255, Duration::from_secs(60)));
        times.plan(Era::new(2), Time::at(Duration::ZERO), &plan.ramp(Duration::MAX));
        assert_eq!(times.successes(), 255, "a ramp past the width does not reach them");
    }
}

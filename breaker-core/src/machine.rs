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
//! plan of an opening is noted before its deadline. So who finds a deadline finds the plan with it, who finds none knows
//! that it is yet to come, and a winner that was stalled publishes nothing over a later one.

use crate::{clock::Time, era::Era, recover::Wait, stamp::Stamped};
use std::time::Duration;

pub(crate) mod cell;
pub(crate) mod transition;
pub(crate) mod word;

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

    /// The end of a stay that began at `at`, as recover planned it.
    pub(crate) const fn planned(at: Time, wait: Wait) -> Self {
        match wait {
            Wait::Time(wait) => Self::after(at, wait),
            Wait::Rejections(left) => Self::Rejections(left),
        }
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
}

impl Times {
    pub(crate) const fn new() -> Self {
        Self { until: Stamped::new(0), since: Stamped::new(0) }
    }

    /// When the stay of `era` ends; `None` where that is not published yet, or there is no such time.
    #[inline]
    pub(crate) fn until(&self, era: Era) -> Option<Until> {
        self.until.of(era).map(Until::unpack)
    }

    /// The same where it is a time.
    #[inline]
    pub(crate) fn time(&self, era: Era) -> Option<Time> {
        // Rejections, and never, are above all times.
        self.until.below(era, NEVER).map(Time::from_micros)
    }

    /// When the stay of `era` began; `None` where that is not published yet.
    pub(crate) fn since(&self, era: Era) -> Option<Time> {
        self.since.of(era).map(Time::from_micros)
    }

    /// The stay of `era` began at `at`.
    pub(crate) fn begin(&self, era: Era, at: Time) {
        self.since.publish(era, at.micros());
    }

    /// The stay of `era` ends at `until`.
    pub(crate) fn end(&self, era: Era, until: Until) {
        self.until.publish(era, until.pack());
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

#[cfg(not(breaker_loom))]
#[cfg(test)]
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
    fn r37_only_a_time_is_a_time() {
        let (times, era, now) = (Times::new(), Era::new(3), Time::at(Duration::from_secs(1)));
        for (until, time) in [(Until::Time(now), Some(now)), (Until::Rejections(7), None), (Until::Never, None)] {
            times.end(era, until);
            assert_eq!((times.until(era), times.time(era)), (Some(until), time));
            assert_eq!(times.time(Era::new(2)), None, "of another era");
        }
    }

    #[test]
    fn r29_the_last_rejection_is_told_once() {
        let times = Times::new();
        times.end(Era::new(3), Until::planned(Time::at(Duration::ZERO), Wait::Rejections(2)));
        assert!(!times.count_rejection(Era::new(2)), "of another era");
        let ends = [(); 4].map(|()| times.count_rejection(Era::new(3)));
        assert_eq!(ends, [false, true, false, false]);
    }
}

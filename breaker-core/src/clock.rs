//! The only reader of a clock.
//!
//! Deadlines are set from the precise clock and compared with the coarse one where the platform has it, at a
//! quarter of the price: up to a few milliseconds late, never early (R31).

use std::time::Duration;

#[cfg(any(feature = "test-util", breaker_loom))]
pub(crate) mod by_hand;

/// A moment of the monotonic clock.
///
/// Moments of one process can be compared with each other and with nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

impl Time {
    /// The moment `age` after the clock's origin, wherever that is; a strategy's own tests make theirs so.
    /// Past the 584th year it stands still.
    pub const fn at(age: Duration) -> Self {
        let nanos = age.as_nanos();
        #[expect(clippy::cast_possible_truncation, reason = "what does not fit is the last moment")]
        Self(if nanos > u64::MAX as u128 { u64::MAX } else { nanos as u64 })
    }

    /// How long ago `earlier` was; zero where it was not.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// How many nanoseconds this is after `now`; `None` where it has come.
    #[inline]
    pub(crate) const fn nanos_after(self, now: Self) -> Option<u64> {
        if now.0 >= self.0 { None } else { Some(self.0 - now.0) }
    }

    /// The nanoseconds before this moment.
    pub(crate) const fn nanos(self) -> u64 {
        self.0
    }

    pub(crate) const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// The whole microseconds before this moment.
    pub(crate) const fn micros(self) -> u64 {
        self.0 / 1_000
    }

    /// The first whole microsecond that is not before `after` from now: what is rounded up never ends early.
    pub(crate) const fn micros_after(self, after: Duration) -> u64 {
        let nanos = (self.0 as u128).saturating_add(after.as_nanos());
        let micros = nanos.div_ceil(1_000);
        #[expect(clippy::cast_possible_truncation, reason = "what does not fit is never")]
        if micros > u64::MAX as u128 { u64::MAX } else { micros as u64 }
    }

    pub(crate) const fn from_micros(micros: u64) -> Self {
        Self(micros.saturating_mul(1_000))
    }
}

/// The precise clock: what deadlines and latencies are measured with.
pub(crate) fn now() -> Time {
    #[cfg(any(feature = "test-util", breaker_loom))]
    if let Some(time) = by_hand::time() {
        return time;
    }
    system::precise()
}

/// The coarse clock: a few milliseconds behind [`now`] at the most, and never ahead of it.
pub(crate) fn recent() -> Time {
    #[cfg(any(feature = "test-util", breaker_loom))]
    if let Some(time) = by_hand::time() {
        return time;
    }
    system::coarse()
}

/// The moment at which this process first looked: what began before began then.
///
/// Above zero, which stands for no time. Counted from the start of the machine, which may be years ago, times would
/// outgrow their 47 bits of microseconds.
pub(crate) const ORIGIN: Time = Time(1_000_000_000);

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use super::{ORIGIN, Time};
    use crate::sync::OnceLock;
    use rustix::time::{ClockId, Timespec, clock_gettime};

    pub(super) fn precise() -> Time {
        read(ClockId::Monotonic)
    }

    pub(super) fn coarse() -> Time {
        read(ClockId::MonotonicCoarse)
    }

    fn read(clock: ClockId) -> Time {
        static FIRST: OnceLock<u64> = OnceLock::new();

        let nanos = nanos(clock_gettime(clock));
        // The coarse clock may lag behind a first look at the precise one.
        Time(ORIGIN.0 + nanos.saturating_sub(*FIRST.get_or_init(|| nanos)))
    }

    /// Neither part is ever negative on a monotonic clock.
    #[inline]
    pub(super) const fn nanos(read: Timespec) -> u64 {
        read.tv_sec.cast_unsigned() * 1_000_000_000 + read.tv_nsec.cast_unsigned()
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod system {
    use super::{ORIGIN, Time};
    use crate::sync::OnceLock;
    use std::time::Instant;

    pub(super) fn precise() -> Time {
        static FIRST: OnceLock<Instant> = OnceLock::new();
        let Time(elapsed) = Time::at(FIRST.get_or_init(Instant::now).elapsed());
        Time(ORIGIN.0 + elapsed)
    }

    pub(super) fn coarse() -> Time {
        precise()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r30_no_duration_overflows_and_none_ends_early() {
        let now = Time::at(Duration::from_nanos(1_001));
        assert_eq!(now.micros(), 1);
        assert_eq!(now.micros_after(Duration::from_nanos(1)), 2);
        assert_eq!(now.micros_after(Duration::from_micros(1)), 3);
        assert_eq!(now.micros_after(Duration::MAX), Time::at(Duration::MAX).micros_after(Duration::MAX));
        assert!(Time::at(Duration::MAX).micros_after(Duration::MAX) > 1 << 48);
    }

    #[test]
    fn r30_the_clock_begins_with_the_process_and_not_with_the_machine() {
        let now = now();
        assert!(now >= ORIGIN && now.since(ORIGIN) < Duration::from_secs(3_600), "{now:?}");
        assert!(recent() >= ORIGIN);
    }

    #[test]
    fn r31_the_coarse_clock_is_never_ahead() {
        for _ in 0..1_000 {
            let coarse = recent();
            assert!(coarse <= now());
        }
    }

    #[test]
    fn r30_a_moment_past_the_last_is_the_last() {
        assert_eq!(Time::at(Duration::from_nanos(u64::MAX)).nanos(), u64::MAX);
        assert_eq!(Time::at(Duration::from_secs(u64::MAX)).nanos(), u64::MAX);
    }

    #[test]
    fn r37_the_time_left_is_none_from_the_very_moment_on() {
        let at = Time::from_nanos;
        assert_eq!([0, 6, 7, 8].map(|now| at(7).nanos_after(at(now))), [Some(7), Some(1), None, None]);
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    #[test]
    fn r31_a_second_of_the_system_is_one_of_ours() {
        assert_eq!(system::nanos(rustix::time::Timespec { tv_sec: 3, tv_nsec: 7 }), 3_000_000_007);
    }
}

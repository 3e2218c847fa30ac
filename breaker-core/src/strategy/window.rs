//! What a rate is taken over: the last so many calls, or the calls of the last so much time.

use super::Tally;
use crate::{
    Era,
    clock::{self, Time},
    era::EraWord,
    settings::{Problem, Value, first, value::Field, when},
    sync::{AtomicU64, OnceBox, update},
};
use std::time::Duration;

mod calls;
mod time;

pub(crate) use calls::LastCalls;
pub(crate) use time::LastTime;

/// The shortest window of time: no clock that is read tells less.
pub(crate) const SHORTEST: u128 = 1_000_000;

/// The most calls that a window can hold.
pub(crate) const CALLS_MAX: u32 = 16_384;

/// What a rate is taken over. Its kind and size are fixed once a breaker has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Window {
    /// The last so many calls, exactly; 1 to 16,384.
    Calls(u32),
    /// The calls of the last so much time; up to a tenth of it may be forgotten early, and none late.
    Time(Duration),
}

impl Window {
    /// What is wrong with this window beside `min_calls` and `rate`.
    pub(crate) const fn problem(self, min_calls: u32, rate: f64) -> Option<Problem> {
        let size = match self {
            Self::Calls(calls) => first(
                when(
                    calls == 0 || calls > CALLS_MAX,
                    "window",
                    "a window of `Calls` must hold from 1 to 16_384 of them; `Time(10s)` has no such bound",
                ),
                when(
                    min_calls > calls,
                    "min_calls",
                    "`min_calls` is above the window, which would never open; give at most as many as it holds, it is 20 where left out",
                ),
            ),
            Self::Time(time) => when(
                time.as_nanos() < SHORTEST,
                "window",
                "a window of `Time` must be at least a millisecond; `Time(10s)` is usual",
            ),
        };
        first(
            size,
            first(
                when(min_calls == 0, "min_calls", "`min_calls` is 0; give at least 1"),
                when(
                    !(rate > 0.0 && rate <= 1.0),
                    "rate",
                    "`rate` must be above 0.0 and at most 1.0; 0.5 opens at half of the calls",
                ),
            ),
        )
    }
}

impl Field for Window {
    const ACCEPTS: &'static str = "the window of the declaration";

    fn show(self) -> Value {
        Value::Text(
            match self {
                Self::Calls(calls) => format!("Calls({calls})"),
                Self::Time(time) => format!("Time({time:?})"),
            }
            .into(),
        )
    }

    fn read(_: &Value) -> Option<Self> {
        None
    }
}

/// A size that nobody has checked, for a user's strategy that forwards to a shipped one.
fn clamped(calls: u32) -> u32 {
    calls.clamp(1, CALLS_MAX)
}

/// The newest era that came to a window, whole. Heads have 16 bits of one, and between two closed ones may be more than
/// those tell apart.
#[derive(Debug)]
struct Newest(AtomicU64);

impl Newest {
    const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Whether no newer one than this was heard of.
    fn is(&self, era: Era) -> bool {
        self.hear(era) != Heard::Over
    }

    /// Whether this one is new here, though the head, read before, has its stamp: that is of one that was 65,536 before. To
    /// read it first keeps out the calls of this era, none of which can have begun it before it is heard of.
    fn comes_again(&self, era: Era, stamp: u16) -> bool {
        self.hear(era) == Heard::New && stamp == era.stamp()
    }

    fn hear(&self, era: Era) -> Heard {
        #[expect(clippy::cast_possible_truncation, reason = "an era's own 32 bits")]
        let heard = update(&self.0, |seen| era.is_after(Era::new(seen as u32)).then_some((era.get(), ())));
        match heard {
            Ok(()) => Heard::New,
            Err(newest) if newest == era.get() => Heard::Known,
            Err(_) => Heard::Over,
        }
    }
}

/// What an era is to a window.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    New,
    Known,
    Over,
}

/// The memory of a window of either kind, allocated when the first call comes.
#[doc(hidden)]
#[derive(Debug)]
pub struct Counted {
    calls: LastCalls,
    time: OnceBox<LastTime>,
}

impl Counted {
    pub(crate) const fn new() -> Self {
        Self { calls: LastCalls::new(), time: OnceBox::new() }
    }

    /// Whether it is full and holds successes of this era only, so that one more changes nothing.
    #[inline]
    pub(crate) fn is_clean(&self, window: Window, era: EraWord) -> bool {
        matches!(window, Window::Calls(_)) && self.calls.is_clean(era)
    }

    /// Counts one call; what the window then holds, or `None` where no rate can be over it: the era is over, or, in a
    /// window of time, nothing that it holds is bad.
    #[inline]
    pub(crate) fn push(&self, window: Window, era: Era, bad: bool, now: impl FnOnce() -> Time) -> Option<Tally> {
        match window {
            Window::Calls(calls) => self.calls.push(clamped(calls), era, bad),
            Window::Time(time) => self.last_time(time).push(era, bad, now()),
        }
    }

    /// The same for a success that most successes are like, in a window of calls; `None` where it is to be pushed.
    #[inline]
    pub(crate) fn push_plainly(&self, era: Era) -> Option<Tally> {
        self.calls.push_plainly(era)
    }

    /// From `era` on.
    pub(crate) fn begin(&self, window: Window, era: Era) {
        match window {
            Window::Calls(calls) => self.calls.begin(clamped(calls), era),
            Window::Time(time) => self.last_time(time).begin(era, clock::recent()),
        }
    }

    /// What the window holds.
    pub(crate) fn tally(&self, window: Window, now: impl FnOnce() -> Time) -> Tally {
        match window {
            Window::Calls(calls) => self.calls.tally(clamped(calls)),
            Window::Time(time) => self.last_time(time).tally(now()),
        }
    }

    /// What its traffic says about `min_calls`, if it has said enough.
    pub(crate) fn doubts(&self, window: Window, min_calls: u32) -> Vec<String> {
        let Window::Time(time) = window else { return Vec::new() };
        let busiest = self.time.get().and_then(|last| last.busiest(time, clock::recent()));
        let never = busiest.filter(|busiest| *busiest < min_calls);
        let doubt = |busiest| {
            format!(
                "its busiest {time:?} held {busiest} calls and `min_calls` is {min_calls}, so that the rate was never \
                 judged; lower `min_calls`, or widen the window"
            )
        };
        never.map(doubt).into_iter().collect()
    }

    fn last_time(&self, window: Duration) -> &LastTime {
        self.time.get_or_init(|| Box::new(LastTime::new(window)))
    }
}

/// Whether so many of so many reach the rate: the `f64` quotient decides, so that 7 of 100 reach 0.07 (R20).
pub(crate) fn reaches(tally: Tally, rate: f64) -> bool {
    tally.failures > 0 && f64::from(tally.failures) / f64::from(tally.calls) >= rate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r20_no_failure_reaches_no_rate_not_even_one_that_nobody_has_checked() {
        assert!(reaches(Tally::new(7, 100), 0.07) && !reaches(Tally::new(6, 100), 0.07));
        for rate in [0.0, -1.0, f64::NAN] {
            assert!(!reaches(Tally::new(0, 5), rate));
        }
    }
}

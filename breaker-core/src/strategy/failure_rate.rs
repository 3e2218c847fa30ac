//! The share of calls that failed.

use super::{
    Call, Now, Strategy, Tally, Verdict,
    count::{MOST, Streak},
    window::{Counted, Window, reaches},
};
use crate::{
    Era, clock,
    era::EraWord,
    settings::{
        Problem, SettingsError, assert_none, checked,
        value::{by_key, fixed},
    },
};
use std::time::Duration;

/// Opens when at least `rate` of the calls in `window` failed, once it holds `min_calls` (R20).
///
/// Five failures in a row happen every minute at 1,000 calls a second of which 10 % are bad; a rate does not care.
/// Below `min_calls`, `streak` failures in a row open it too, so that low traffic is protected. Hystrix's rolling
/// window, volume threshold and error percentage, without its threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailureRate {
    /// What the rate is taken over.
    pub window: Window,
    /// How many calls it must hold before the rate is judged; at least 1, at most as many as the window holds.
    pub min_calls: u32,
    /// The share that opens it; above 0.0, at most 1.0.
    pub rate: f64,
    /// How many failures in a row open it while it holds fewer than `min_calls`; 0 for never.
    pub streak: u32,
    #[doc(hidden)]
    pub more: (),
}

impl FailureRate {
    /// `window: Time(10s), min_calls: 20, rate: 0.5, streak: 5`.
    pub const DEFAULT: Self =
        Self { window: Window::Time(Duration::from_secs(10)), min_calls: 20, rate: 0.5, streak: 5, more: () };

    const fn problem(&self) -> Option<Problem> {
        self.window.problem(self.min_calls, self.rate)
    }

    /// Fails const evaluation on settings that cannot work.
    #[doc(hidden)]
    pub const fn assert_valid(&self) {
        assert_none(self.problem());
    }
}

impl FailureRate {
    #[inline(never)]
    fn success_in_calls(&self, size: u32, state: &Rated, era: Era) -> Verdict {
        match state.window.push_plainly(era) {
            Some(tally) => self.judge(tally, None),
            None => self.in_calls(size, state, era, false),
        }
    }

    #[cold]
    #[inline(never)]
    fn in_calls(&self, size: u32, state: &Rated, era: Era, failed: bool) -> Verdict {
        let pushed = state.window.push(Window::Calls(size), era, failed, clock::recent);
        let Some(tally) = pushed else { return Verdict::Stay };
        // A window that is full holds `min_calls` for the rest of the era, so that no streak counts any more.
        let in_a_row = if tally.calls == size { None } else { state.in_a_row(era, failed) };
        self.judge(tally, in_a_row)
    }

    #[inline(never)]
    fn in_time(&self, state: &Rated, era: Era, failed: bool, now: Now) -> Verdict {
        let tally = state.window.push(self.window, era, failed, || now.read());
        let in_a_row = state.in_a_row(era, failed);
        tally.map_or(Verdict::Stay, |tally| self.judge(tally, in_a_row))
    }

    #[inline]
    fn judge(&self, tally: Tally, in_a_row: Option<u32>) -> Verdict {
        if tally.calls >= self.min_calls {
            if reaches(tally, self.rate) {
                return Verdict::Open { rule: RATE };
            }
        } else if self.streak > 0 && in_a_row.is_some_and(|failures| failures >= self.streak.min(MOST)) {
            return Verdict::Open { rule: STREAK };
        }
        Verdict::Stay
    }
}

impl Rated {
    /// The failures in a row that this call makes; none where it ends them, or comes from an era that is over.
    #[inline]
    fn in_a_row(&self, era: Era, failed: bool) -> Option<u32> {
        if failed {
            return self.streak.fail(era);
        }
        self.streak.succeed(era);
        None
    }
}

/// The window, and the failures in a row.
#[doc(hidden)]
#[derive(Debug)]
pub struct Rated {
    window: Counted,
    streak: Streak,
}

const RATE: &str = "failure rate";
const STREAK: &str = "consecutive failures at low traffic";

impl Strategy for FailureRate {
    type State = Rated;

    const NEW: Rated = Rated { window: Counted::new(), streak: Streak::new() };

    fn check(&self) -> Result<(), SettingsError> {
        checked(self.problem())
    }

    by_key!(min_calls, rate, streak; window: "since its memory has that size");

    fn fixed(&self, other: &Self) -> Option<SettingsError> {
        (self.window != other.window).then(|| fixed("window", "since its memory has that size"))
    }

    // Which way it goes is known where it is called from; the two ways are compiled once.
    #[inline]
    fn record(&self, state: &Rated, era: Era, call: &Call) -> Verdict {
        let failed = call.outcome.is_failure();
        match self.window {
            Window::Calls(size) if failed => self.in_calls(size, state, era, true),
            Window::Calls(size) => self.success_in_calls(size, state, era),
            Window::Time(_) => self.in_time(state, era, failed, call.now),
        }
    }

    #[inline]
    fn unmoved(&self, state: &Rated, era: EraWord) -> bool {
        // Full of successes: no streak either.
        state.window.is_clean(self.window, era)
    }

    fn begin(&self, state: &Rated, era: Era) {
        state.streak.begin(era);
        state.window.begin(self.window, era);
    }

    fn doubts(&self, state: &Rated) -> Vec<String> {
        state.window.doubts(self.window, self.min_calls)
    }

    fn owns(&self, rule: &str) -> bool {
        rule == RATE || rule == STREAK
    }

    fn tally(&self, state: &Rated) -> Tally {
        state.window.tally(self.window, clock::recent)
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    const OPEN: Verdict = Verdict::Open { rule: "failure rate" };

    fn calls(window: u32, min_calls: u32, rate: f64, streak: u32) -> FailureRate {
        FailureRate { window: Window::Calls(window), min_calls, rate, streak, ..FailureRate::DEFAULT }
    }

    fn record(strategy: FailureRate, state: &Rated, failed: bool) -> Verdict {
        let outcome = if failed { Outcome::failure() } else { Outcome::Success };
        strategy.record(state, Era::new(0), &Call::new(outcome))
    }

    #[test]
    fn r20_is_exact_at_the_boundary() {
        for percent in 1..=100 {
            let strategy = calls(100, 100, f64::from(percent) / 100.0, 0);
            let state = FailureRate::NEW;
            let verdicts: Vec<_> = (1..=100).map(|call| record(strategy, &state, call > 100 - percent)).collect();
            assert_eq!(verdicts[99], OPEN, "{percent} of 100");
            let state = FailureRate::NEW;
            let last = (1..=100).map(|call| record(strategy, &state, call > 101 - percent)).last();
            assert_eq!(last, Some(Verdict::Stay), "{} of 100", percent - 1);
        }
    }

    #[test]
    fn r20_a_success_that_completes_the_volume_is_judged() {
        let strategy = calls(10, 4, 0.5, 0);
        let state = FailureRate::NEW;
        let verdicts = [true, true, false, false].map(|failed| record(strategy, &state, failed));
        assert_eq!(verdicts, [Verdict::Stay, Verdict::Stay, Verdict::Stay, OPEN]);
    }

    #[test]
    fn r20_a_streak_opens_only_below_the_volume() {
        let low = Verdict::Open { rule: "consecutive failures at low traffic" };
        let strategy = calls(10, 10, 1.0, 3);
        let state = FailureRate::NEW;
        let verdicts = [true, true, false, true, true, true].map(|failed| record(strategy, &state, failed));
        assert_eq!(verdicts[5], low);
        assert!(verdicts[..5].iter().all(|verdict| *verdict == Verdict::Stay));

        let state = FailureRate::NEW;
        let full = [false; 10].map(|failed| record(strategy, &state, failed));
        assert_eq!(full, [Verdict::Stay; 10]);
        assert_eq!([true; 5].map(|failed| record(strategy, &state, failed)), [Verdict::Stay; 5]);

        let never = calls(10, 10, 1.0, 0);
        let state = FailureRate::NEW;
        assert_eq!([true; 9].map(|failed| record(never, &state, failed)), [Verdict::Stay; 9]);
    }

    #[test]
    fn r20_an_idle_gap_clears_the_window_and_not_the_streak() {
        let strategy = FailureRate { streak: 3, ..FailureRate::DEFAULT };
        let state = FailureRate::NEW;
        let fail = |second| {
            let call = Call::new(Outcome::failure()).at(clock::Time::at(Duration::from_secs(second)));
            strategy.record(&state, Era::new(0), &call)
        };
        assert_eq!([fail(1), fail(1_000)], [Verdict::Stay; 2]);
        assert_eq!(fail(1_000_000), Verdict::Open { rule: "consecutive failures at low traffic" });
    }

    #[test]
    fn r08_a_new_era_starts_afresh_and_an_old_one_is_refused() {
        let strategy = calls(4, 2, 0.5, 0);
        let state = FailureRate::NEW;
        assert_eq!([true, true].map(|failed| record(strategy, &state, failed)), [Verdict::Stay, OPEN]);
        strategy.begin(&state, Era::new(2));
        assert_eq!(strategy.tally(&state), Tally::new(0, 0));
        assert_eq!(record(strategy, &state, true), Verdict::Stay, "of era 0");
        assert_eq!(strategy.tally(&state), Tally::new(0, 0));
    }

    #[test]
    fn r36_impossible_settings_are_refused() {
        let field = |strategy: FailureRate| strategy.check().unwrap_err().field;
        for window in [0, 16_385] {
            assert_eq!(field(calls(window, 1, 0.5, 0)), "window");
        }
        assert_eq!(field(calls(10, 11, 0.5, 0)), "min_calls");
        assert_eq!(field(calls(10, 0, 0.5, 0)), "min_calls");
        for rate in [0.0, -1.0, 1.1, f64::NAN] {
            assert_eq!(field(calls(10, 1, rate, 0)), "rate");
        }
        assert_eq!(field(FailureRate { window: Window::Time(Duration::ZERO), ..FailureRate::DEFAULT }), "window");
        for strategy in [FailureRate::DEFAULT, calls(1, 1, 1.0, 0), calls(16_384, 16_384, 1e-9, 0)] {
            assert_eq!(strategy.check(), Ok(()));
        }
        let shortest = Window::Time(Duration::from_millis(1));
        assert_eq!(FailureRate { window: shortest, ..FailureRate::DEFAULT }.check(), Ok(()));
    }

    #[test]
    fn r23_a_rate_knows_its_two_rules() {
        let owns = [RATE, STREAK, "consecutive failures"].map(|rule| FailureRate::DEFAULT.owns(rule));
        assert_eq!(owns, [true, true, false]);
    }

    #[test]
    fn r25_a_success_moves_nothing_where_the_window_is_full_of_them() {
        let strategy = calls(3, 3, 0.5, 0);
        let state = FailureRate::NEW;
        let unmoved = || strategy.unmoved(&state, Era::new(0).word());
        let after = [false, false, false, true].map(|failed| {
            record(strategy, &state, failed);
            unmoved()
        });
        assert_eq!(after, [false, false, true, false]);
    }

    #[test]
    fn r36_the_window_is_fixed_once_a_breaker_has_it() {
        let (strategy, other) = (calls(3, 3, 0.5, 0), calls(4, 3, 0.5, 0));
        assert_eq!(strategy.fixed(&other).unwrap().field, "window");
        assert_eq!(strategy.fixed(&calls(3, 2, 1.0, 1)), None);
    }
}

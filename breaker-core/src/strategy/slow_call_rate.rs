//! The share of calls that took too long.

use super::{
    Call, Strategy, Tally, Verdict,
    window::{Counted, Window, reaches},
};
use crate::{
    Era, clock,
    settings::{
        Problem, SettingsError, assert_none, checked, first,
        value::{by_key, fixed},
        when,
    },
};
use std::time::Duration;

/// Opens when at least `rate` of the calls in `window` took longer than `slower_than`, once it holds `min_calls`
/// (R21).
///
/// Every call is in the total; a slow failure counts once. Calls read the clock twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowCallRate {
    /// Longer than this is slow; required, since no value fits two services.
    pub slower_than: Duration,
    /// What the rate is taken over.
    pub window: Window,
    /// How many calls it must hold before the rate is judged; at least 1, at most as many as the window holds.
    pub min_calls: u32,
    /// The share that opens it; above 0.0, at most 1.0.
    pub rate: f64,
    #[doc(hidden)]
    pub more: (),
}

impl SlowCallRate {
    /// `window: Time(10s), min_calls: 20, rate: 0.5`, and no `slower_than`: it is refused without one.
    pub const DEFAULT: Self = Self {
        slower_than: Duration::ZERO,
        window: Window::Time(Duration::from_secs(10)),
        min_calls: 20,
        rate: 0.5,
        more: (),
    };

    const fn problem(&self) -> Option<Problem> {
        first(
            when(
                self.slower_than.is_zero(),
                "slower_than",
                "`slower_than` is missing or zero; give the time from which on a call is slow",
            ),
            self.window.problem(self.min_calls, self.rate),
        )
    }

    /// Fails const evaluation on settings that cannot work.
    #[doc(hidden)]
    pub const fn assert_valid(&self) {
        assert_none(self.problem());
    }
}

const RULE: &str = "slow call rate";

impl Strategy for SlowCallRate {
    type State = Counted;

    const NEW: Counted = Counted::new();

    const NEEDS_ELAPSED: bool = true;

    fn check(&self) -> Result<(), SettingsError> {
        checked(self.problem())
    }

    by_key!(slower_than, min_calls, rate; window: "since its memory has that size");

    fn fixed(&self, other: &Self) -> Option<SettingsError> {
        (self.window != other.window).then(|| fixed("window", "since its memory has that size"))
    }

    fn record(&self, state: &Counted, era: Era, call: &Call) -> Verdict {
        let slow = call.elapsed.is_some_and(|elapsed| elapsed > self.slower_than);
        match state.push(self.window, era, slow, || call.now.read()) {
            Some(tally) if tally.calls >= self.min_calls && reaches(tally, self.rate) => Verdict::Open { rule: RULE },
            _ => Verdict::Stay,
        }
    }

    fn begin(&self, state: &Counted, era: Era) {
        state.begin(self.window, era);
    }

    fn doubts(&self, state: &Counted) -> Vec<String> {
        state.doubts(self.window, self.min_calls)
    }

    fn owns(&self, rule: &str) -> bool {
        rule == RULE
    }

    fn tally(&self, state: &Counted) -> Tally {
        state.tally(self.window, clock::recent)
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    #[test]
    fn r21_slow_is_longer_than_and_a_slow_failure_counts_once() {
        let slower_than = Duration::from_millis(100);
        let strategy =
            SlowCallRate { slower_than, window: Window::Calls(4), min_calls: 4, rate: 0.5, ..SlowCallRate::DEFAULT };
        let state = SlowCallRate::NEW;
        let record = |outcome, elapsed| strategy.record(&state, Era::new(0), &Call::new(outcome).took(elapsed));
        let longer = slower_than + Duration::from_nanos(1);
        assert_eq!(record(Outcome::Success, slower_than), Verdict::Stay);
        assert_eq!(record(Outcome::failure(), longer), Verdict::Stay);
        assert_eq!(record(Outcome::failure(), slower_than), Verdict::Stay);
        assert_eq!(strategy.tally(&state), Tally::new(1, 3));
        assert_eq!(record(Outcome::Success, longer), Verdict::Open { rule: "slow call rate" });
    }

    #[test]
    fn r36_a_slow_call_rate_asks_for_its_limit() {
        assert_eq!(SlowCallRate::DEFAULT.check().unwrap_err().field, "slower_than");
    }

    #[test]
    fn r23_a_slow_call_rate_knows_its_rule() {
        assert!(SlowCallRate::DEFAULT.owns(RULE) && !SlowCallRate::DEFAULT.owns("failure rate"));
    }

    #[test]
    fn r36_the_window_is_fixed_once_a_breaker_has_it() {
        let other = SlowCallRate { window: Window::Calls(20), ..SlowCallRate::DEFAULT };
        assert_eq!(SlowCallRate::DEFAULT.fixed(&other).unwrap().field, "window");
        assert_eq!(other.fixed(&SlowCallRate { rate: 1.0, ..other }), None);
    }

    #[test]
    fn r08_a_new_era_starts_afresh() {
        let state = SlowCallRate::NEW;
        let strategy = SlowCallRate { window: Window::Calls(20), ..SlowCallRate::DEFAULT };
        strategy.record(&state, Era::new(0), &Call::new(Outcome::Success));
        assert_eq!(strategy.tally(&state), Tally::new(0, 1));
        strategy.begin(&state, Era::new(2));
        assert_eq!(strategy.tally(&state), Tally::new(0, 0));
    }
}

//! Either of two.

use super::{Call, Strategy, Tally, Verdict};
use crate::{
    Era,
    era::EraWord,
    settings::{Setting, SettingsError, Value, value::unknown},
};

/// Opens when either strategy would; the report says which (R23). It nests.
///
/// ```
/// # use breaker_core as breaker;
/// use breaker::{AnyOf, Backoff, Breaker, Burst, Count};
/// use std::time::Duration;
///
/// let burst = Burst { failures: 20, within: Duration::from_secs(1), ..Burst::DEFAULT };
/// let search = Breaker::new("search", AnyOf(Count::DEFAULT, burst), Backoff::DEFAULT)?;
/// # Ok::<_, breaker::SettingsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyOf<A, B>(pub A, pub B);

impl<A: Strategy, B: Strategy> Strategy for AnyOf<A, B> {
    type State = (A::State, B::State);

    const NEW: Self::State = (A::NEW, B::NEW);

    const NEEDS_ELAPSED: bool = A::NEEDS_ELAPSED || B::NEEDS_ELAPSED;

    fn check(&self) -> Result<(), SettingsError> {
        self.0.check()?;
        self.1.check()
    }

    /// Those of both, as `0.threshold`, `1.within`.
    fn settings(&self) -> Vec<Setting> {
        let both = [("0", self.0.settings()), ("1", self.1.settings())];
        let numbered = |(at, settings): (&'static str, Vec<Setting>)| {
            settings.into_iter().map(move |setting| Setting::new(format!("{at}.{}", setting.key), setting.value))
        };
        both.into_iter().flat_map(numbered).collect()
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingsError> {
        match key.split_once('.') {
            Some(("0", key)) => self.0.set(key, value),
            Some(("1", key)) => self.1.set(key, value),
            _ => {
                let keys = self.settings().into_iter().map(|setting| setting.key).collect::<Vec<_>>();
                Err(unknown(key, &keys.iter().map(|key| &**key).collect::<Vec<_>>()))
            }
        }
    }

    fn fixed(&self, other: &Self) -> Option<SettingsError> {
        self.0.fixed(&other.0).or_else(|| self.1.fixed(&other.1))
    }

    #[inline]
    fn record(&self, state: &Self::State, era: Era, call: &Call) -> Verdict {
        let first = self.0.record(&state.0, era, call);
        // Both count every call, whatever the other concludes.
        let second = self.1.record(&state.1, era, call);
        if first == Verdict::Stay { second } else { first }
    }

    #[inline]
    fn unmoved(&self, state: &Self::State, era: EraWord) -> bool {
        self.0.unmoved(&state.0, era) && self.1.unmoved(&state.1, era)
    }

    fn begin(&self, state: &Self::State, era: Era) {
        self.0.begin(&state.0, era);
        self.1.begin(&state.1, era);
    }

    fn doubts(&self, state: &Self::State) -> Vec<String> {
        [self.0.doubts(&state.0), self.1.doubts(&state.1)].concat()
    }

    fn owns(&self, rule: &str) -> bool {
        self.0.owns(rule) || self.1.owns(rule)
    }

    /// Of the one whose rule it is; the second's, where neither says.
    fn tally_of(&self, state: &Self::State, rule: &str) -> Tally {
        if self.0.owns(rule) { self.0.tally_of(&state.0, rule) } else { self.1.tally_of(&state.1, rule) }
    }

    /// Of the one that holds more failures.
    fn tally(&self, state: &Self::State) -> Tally {
        let (first, second) = (self.0.tally(&state.0), self.1.tally(&state.1));
        if second.failures > first.failures { second } else { first }
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Burst, Count, Outcome, SlowCallRate};
    use std::time::Duration;

    #[test]
    fn r23_opens_when_either_would_and_says_which() {
        let burst = Burst { failures: 3, within: Duration::from_secs(60), ..Burst::DEFAULT };
        let both = AnyOf(Count { threshold: 2, ..Count::DEFAULT }, AnyOf(burst, burst));
        let state = AnyOf::<Count, AnyOf<Burst, Burst>>::NEW;
        let record = |outcome| both.record(&state, Era::new(0), &Call::new(outcome));
        assert_eq!(record(Outcome::failure()), Verdict::Stay);
        assert_eq!(record(Outcome::failure()), Verdict::Open { rule: "consecutive failures" });
        assert_eq!(record(Outcome::Success), Verdict::Stay);
        assert_eq!(record(Outcome::failure()), Verdict::Open { rule: "burst of failures" });
    }

    #[test]
    fn r21_either_may_need_to_know_how_long_a_call_took() {
        let needs = [
            AnyOf::<Count, SlowCallRate>::NEEDS_ELAPSED,
            AnyOf::<SlowCallRate, Count>::NEEDS_ELAPSED,
            AnyOf::<Count, Burst>::NEEDS_ELAPSED,
        ];
        assert_eq!(needs, [true, true, false]);
    }

    #[test]
    fn r36_both_are_checked() {
        let bad = Count { threshold: 0, ..Count::DEFAULT };
        assert!(AnyOf(bad, Count::DEFAULT).check().is_err());
        assert!(AnyOf(Count::DEFAULT, bad).check().is_err());
        assert!(AnyOf(Count::DEFAULT, Count::DEFAULT).check().is_ok());
    }

    #[test]
    fn r25_a_success_moves_either_where_it_moves_one() {
        let burst = Burst { failures: 9, within: Duration::from_secs(60), ..Burst::DEFAULT };
        let (first, second) = (AnyOf(Count::DEFAULT, burst), AnyOf(burst, Count::DEFAULT));
        let states = (AnyOf::<Count, Burst>::NEW, AnyOf::<Burst, Count>::NEW);
        let unmoved =
            |era| (first.unmoved(&states.0, Era::new(era).word()), second.unmoved(&states.1, Era::new(era).word()));
        assert_eq!(unmoved(0), (true, true));
        let failed = Call::new(Outcome::failure());
        first.record(&states.0, Era::new(0), &failed);
        second.record(&states.1, Era::new(0), &failed);
        assert_eq!(unmoved(0), (false, false), "a success would end the row");
        first.begin(&states.0, Era::new(2));
        second.begin(&states.1, Era::new(2));
        assert_eq!(unmoved(2), (true, true), "each has begun anew");
    }

    /// Says what it is told to.
    #[derive(Clone, Copy)]
    struct Says(&'static str, Tally);

    impl Strategy for Says {
        type State = ();
        const NEW: () = ();

        fn record(&self, (): &(), _: Era, _: &Call) -> Verdict {
            Verdict::Stay
        }

        fn begin(&self, (): &(), _: Era) {}

        fn owns(&self, rule: &str) -> bool {
            rule == self.0
        }

        fn tally(&self, (): &()) -> Tally {
            self.1
        }

        fn doubts(&self, (): &()) -> Vec<String> {
            vec![self.0.to_owned()]
        }
    }

    #[test]
    fn r23_either_of_two_says_what_both_say() {
        let [one, other, last] = [("a", 2, 3), ("b", 2, 4), ("c", 3, 3)]
            .map(|(rule, failures, calls)| Says(rule, Tally::new(failures, calls)));
        let (pair, states) = (AnyOf(one, other), ((), ()));
        assert_eq!(pair.doubts(&states), ["a", "b"]);
        assert_eq!(["a", "b", "c"].map(|rule| pair.owns(rule)), [true, true, false]);
        assert_eq!(pair.tally(&states), one.1, "as many failures: the first's");
        assert_eq!((AnyOf(one, last).tally(&states), AnyOf(last, one).tally(&states)), (last.1, last.1));
        let nested = AnyOf(pair, last);
        assert_eq!(["a", "b", "c"].map(|rule| nested.tally_of(&(states, ()), rule)), [one.1, other.1, last.1]);
    }
}

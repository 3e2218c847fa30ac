//! Consecutive failures.

use super::{Call, Strategy, Tally, Verdict};
use crate::{
    Era,
    era::EraWord,
    settings::{Problem, SettingsError, assert_none, checked, value::by_key, when},
    sync::{AtomicU64, Ordering, update},
};

/// Opens on exactly the `threshold`-th consecutive failure; a success sets the count to 0 (R19).
///
/// The rule of the `gen_statem` breaker and of Rexsilient. On the closed path a call that does not change its mind
/// writes to no shared memory (R25).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many failures in a row open it; at least 1. One of more than 2,147,483,647 opens at so many.
    pub threshold: u32,
    #[doc(hidden)]
    pub more: (),
}

impl Count {
    /// `threshold: 5`.
    pub const DEFAULT: Self = Self { threshold: 5, more: () };

    const fn problem(self) -> Option<Problem> {
        when(self.threshold == 0, "threshold", "`threshold` is 0, so it would never be closed; give at least 1")
    }

    /// Fails const evaluation on settings that cannot work.
    #[doc(hidden)]
    pub const fn assert_valid(self) {
        assert_none(self.problem());
    }
}

/// An era and its consecutive failures, in one word.
#[doc(hidden)]
#[derive(Debug)]
pub struct Streak(AtomicU64);

/// The most that it counts: above is the bit of [`EraWord::APART`].
pub(crate) const MOST: u32 = u32::MAX >> 1;

const fn pack(era: Era, failures: u32) -> u64 {
    era.word().bits() | failures as u64
}

const fn unpack(bits: u64) -> (Era, u32) {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    (Era::new((bits >> 32) as u32), bits as u32)
}

impl Streak {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Whether there is no failure in this era, and no other era counts.
    #[inline]
    pub(crate) fn is_clear(&self, era: EraWord) -> bool {
        // Acquire: pairs with the exchange that began this era.
        self.0.load(Ordering::Acquire) == era.bits()
    }

    /// Ends the streak.
    pub(crate) fn succeed(&self, era: Era) {
        // Of an older era: refused. Of a newer one: its count is 0 as it is.
        let _ = update(&self.0, |seen| {
            let (counting, failures) = unpack(seen);
            (counting == era && failures != 0).then_some((pack(era, 0), ()))
        });
    }

    /// One failure more; gives back how many in a row that makes, or `None` where the era is over.
    pub(crate) fn fail(&self, era: Era) -> Option<u32> {
        // Era and count are one word: the step that counts is the step that compares.
        let counted = update(&self.0, |seen| {
            let (counting, failures) = unpack(seen);
            let failures = if counting == era {
                (failures + 1).min(MOST)
            } else if era.is_after(counting) {
                // The first call of an era whose winner has not come to begin it here.
                1
            } else {
                return None;
            };
            Some((pack(era, failures), failures))
        });
        counted.ok()
    }

    /// From `era` on; an older era does not come back, and one that has begun by itself goes on.
    pub(crate) fn begin(&self, era: Era) {
        let _ = update(&self.0, |seen| era.is_after(unpack(seen).0).then_some((pack(era, 0), ())));
    }

    pub(crate) fn failures(&self) -> u32 {
        unpack(self.0.load(Ordering::Acquire)).1
    }
}

const RULE: &str = "consecutive failures";

impl Strategy for Count {
    type State = Streak;

    const NEW: Streak = Streak::new();

    fn check(&self) -> Result<(), SettingsError> {
        checked(self.problem())
    }

    by_key!(threshold);

    #[inline]
    fn record(&self, state: &Streak, era: Era, call: &Call) -> Verdict {
        if !call.outcome.is_failure() {
            state.succeed(era);
            return Verdict::Stay;
        }
        match state.fail(era) {
            Some(failures) if failures >= self.threshold.min(MOST) => Verdict::Open { rule: RULE },
            _ => Verdict::Stay,
        }
    }

    #[inline]
    fn unmoved(&self, state: &Streak, era: EraWord) -> bool {
        state.is_clear(era)
    }

    fn begin(&self, state: &Streak, era: Era) {
        state.begin(era);
    }

    fn owns(&self, rule: &str) -> bool {
        rule == RULE
    }

    fn tally(&self, state: &Streak) -> Tally {
        let failures = state.failures();
        Tally::new(failures, failures)
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    const THREE: Count = Count { threshold: 3, ..Count::DEFAULT };
    const OPEN: Verdict = Verdict::Open { rule: "consecutive failures" };

    fn fail(state: &Streak, era: u32) -> Verdict {
        THREE.record(state, Era::new(era), &Call::new(Outcome::failure()))
    }

    fn succeed(state: &Streak, era: u32) -> Verdict {
        THREE.record(state, Era::new(era), &Call::new(Outcome::Success))
    }

    #[test]
    fn r19_opens_on_exactly_the_threshold_and_a_success_starts_again() {
        let state = Count::NEW;
        assert_eq!([fail(&state, 0), fail(&state, 0)], [Verdict::Stay; 2]);
        assert_eq!(succeed(&state, 0), Verdict::Stay);
        assert_eq!([fail(&state, 0), fail(&state, 0), fail(&state, 0)], [Verdict::Stay, Verdict::Stay, OPEN]);
    }

    #[test]
    fn r08_an_older_era_counts_nothing_and_ends_no_streak() {
        let state = Count::NEW;
        THREE.begin(&state, Era::new(4));
        assert_eq!([fail(&state, 4), fail(&state, 4)], [Verdict::Stay; 2]);
        assert_eq!([fail(&state, 2), succeed(&state, 2)], [Verdict::Stay; 2]);
        THREE.begin(&state, Era::new(2));
        assert_eq!(fail(&state, 4), OPEN);
    }

    #[test]
    fn r24_a_call_may_come_before_its_era_is_begun() {
        let state = Count::NEW;
        assert_eq!(fail(&state, 0), Verdict::Stay);
        assert_eq!([fail(&state, 2), fail(&state, 2)], [Verdict::Stay; 2]);
        THREE.begin(&state, Era::new(2));
        assert_eq!(fail(&state, 2), OPEN);
    }

    #[test]
    fn r25_a_success_moves_nothing_where_no_failure_of_its_era_counts() {
        let state = Count::NEW;
        let unmoved = |era| THREE.unmoved(&state, Era::new(era).word());
        assert_eq!((unmoved(0), unmoved(2)), (true, false));
        fail(&state, 0);
        assert!(!unmoved(0));
        succeed(&state, 0);
        assert!(unmoved(0));
    }

    #[test]
    fn r25_no_number_of_failures_looks_like_a_call_that_is_not_of_the_fast_path() {
        let state = Streak(AtomicU64::new(pack(Era::new(0), MOST - 1)));
        assert_eq!([state.fail(Era::new(0)), state.fail(Era::new(0))], [Some(MOST); 2]);
        let most = Count { threshold: u32::MAX, ..Count::DEFAULT };
        assert_eq!(most.record(&state, Era::new(0), &Call::new(Outcome::failure())), OPEN, "R19");
        assert!(EraWord::from_bits(state.0.load(Ordering::Relaxed)).is_plain());
        assert_eq!(u64::from(MOST), EraWord::APART - 1);
    }

    #[test]
    fn r36_a_threshold_of_zero_is_refused() {
        let error = Count { threshold: 0, ..Count::DEFAULT }.check().unwrap_err();
        assert_eq!(error.field, "threshold");
        assert!(error.to_string().contains("at least 1"), "{error}");
        assert_eq!(Count::DEFAULT.check(), Ok(()));
    }

    #[test]
    fn r23_a_count_knows_its_rule() {
        assert!(THREE.owns(RULE) && !THREE.owns("failure rate"));
    }
}

//! So many failures within so much time.

use super::{Call, Strategy, Tally, Verdict};
use crate::{
    Era, clock,
    clock::Time,
    era::EraWord,
    settings::{
        Problem, SettingsError, assert_none, checked, first,
        value::{by_key, fixed},
        when,
    },
    stamp::Stamped,
    sync::{AtomicU64, OnceBox, Ordering, full_fence, update},
};
use std::time::Duration;

/// The most failures that it can look back on.
const FAILURES_MAX: u32 = 16_384;

/// Opens when `failures` failures are of an age below `within`; successes do not reset it (R22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    /// How many failures open it; 1 to 16,384, required.
    pub failures: u32,
    /// The age below which they count; more than zero, required.
    pub within: Duration,
    #[doc(hidden)]
    pub more: (),
}

impl Burst {
    /// Neither: it is refused without both, since no value fits two services.
    pub const DEFAULT: Self = Self { failures: 0, within: Duration::ZERO, more: () };

    const fn problem(&self) -> Option<Problem> {
        first(
            when(
                self.failures == 0 || self.failures > FAILURES_MAX,
                "failures",
                "`failures` is missing, or not from 1 to 16_384; give how many failures open it",
            ),
            when(
                self.within.is_zero(),
                "within",
                "`within` is missing or zero; give the age below which failures count",
            ),
        )
    }

    /// A size that nobody has checked, for a user's strategy that forwards to this one.
    fn size(self) -> u32 {
        self.failures.clamp(1, FAILURES_MAX)
    }

    /// Fails const evaluation on settings that cannot work.
    #[doc(hidden)]
    pub const fn assert_valid(&self) {
        assert_none(self.problem());
    }
}

/// The times of the last failures, in a ring.
///
/// The head, an era and a number in one word, gives each failure its number; that is the step that counts. Its time
/// is then written under the number's round of the ring. While a time is not written yet, its own writer is still to
/// judge, so that none is missed. A new era skips one whole round, whose times nobody writes.
#[doc(hidden)]
#[derive(Debug)]
pub struct Ring {
    head: AtomicU64,
    times: OnceBox<Box<[Stamped]>>,
}

const fn unpack(bits: u64) -> (Era, u32) {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    (Era::new((bits >> 32) as u32), bits as u32)
}

const fn pack(era: Era, next: u32) -> u64 {
    (era.get() << 32) | next as u64
}

#[expect(clippy::cast_possible_truncation, reason = "at most 16,384")]
fn size_of(times: &[Stamped]) -> u32 {
    times.len() as u32
}

/// Numbers start again after as many rounds as a stamp can tell apart.
const fn numbers(size: u32) -> u32 {
    size << 16
}

impl Ring {
    /// The number of one failure more, or `None` where the era is over.
    fn take(&self, size: u32, era: Era) -> Option<u32> {
        self.advance(size, era, 1)
    }

    /// Moves the head on by `by`, after one whole round where the era is new here; gives back the number before.
    fn advance(&self, size: u32, era: Era, by: u32) -> Option<u32> {
        // Era and number are one word: the step that counts is the step that compares.
        let advanced = update(&self.head, |seen| {
            let (counting, mut next) = unpack(seen);
            if counting != era {
                if !era.is_after(counting) {
                    return None;
                }
                next += size;
            }
            Some((pack(era, (next + by) % numbers(size)), next))
        });
        advanced.ok()
    }

    /// How many failures it looks back on. The first one fixes it: a user's strategy may forward to one with another
    /// size later.
    fn size(&self, asked: u32) -> u32 {
        self.times.get().map_or(asked, |times| size_of(times))
    }

    /// Writes over whatever stands there, however old, but for a failure of a later round.
    fn write(&self, size: u32, number: u32, time: Time) {
        let round = Era::new(number / size);
        let ahead = |stamp: u16| stamp.wrapping_sub(round.stamp());
        // Read after the slot, so that a later round that stands there is none that the head is yet to come to.
        let newest = || Era::new(unpack(self.head.load(Ordering::Acquire)).1 / size).stamp();
        let later = |stamp| ahead(stamp) != 0 && ahead(stamp) <= ahead(newest());
        self.slot(size, number).replace(round, time.micros(), later);
    }

    /// When the failure with this number was, where it was one and its time is written.
    fn read(&self, size: u32, number: u32) -> Option<Time> {
        self.slot(size, number).of(Era::new(number / size)).map(Time::from_micros)
    }

    /// The number of the failure `ago` before the newest, or one that has the same round and slot.
    fn last(&self, size: u32, ago: u32) -> u32 {
        unpack(self.head.load(Ordering::Acquire)).1 + numbers(size) - ago - 1
    }

    fn slot(&self, size: u32, number: u32) -> &Stamped {
        &self.times(size)[(number % size) as usize]
    }

    fn times(&self, size: u32) -> &[Stamped] {
        self.times.get_or_init(|| {
            // Of two rounds before the first: nobody takes such a time for a failure's, not even the first that
            // looks back one round.
            Box::new((0..size).map(|_| Stamped::under(Era::new(u32::MAX - 1), 0)).collect())
        })
    }
}

const RULE: &str = "burst of failures";

impl Strategy for Burst {
    type State = Ring;

    const NEW: Ring = Ring { head: AtomicU64::new(0), times: OnceBox::new() };

    fn check(&self) -> Result<(), SettingsError> {
        checked(self.problem())
    }

    by_key!(within; failures: "since its memory has that size");

    fn fixed(&self, other: &Self) -> Option<SettingsError> {
        (self.failures != other.failures).then(|| fixed("failures", "since its memory has that size"))
    }

    #[inline]
    fn record(&self, state: &Ring, era: Era, call: &Call) -> Verdict {
        if !call.outcome.is_failure() {
            return Verdict::Stay;
        }
        let size = size_of(state.times(self.size()));
        let Some(number) = state.take(size, era) else { return Verdict::Stay };
        let now = call.now.read();
        state.write(size, number, now);
        // Of two failures at once each writes its own time, then looks for the other's: one at least is to find it.
        full_fence();
        // All between are younger.
        let oldest = state.read(size, state.last(size, size - 1));
        match oldest {
            Some(oldest) if now.since(oldest) < self.within => Verdict::Open { rule: RULE },
            _ => Verdict::Stay,
        }
    }

    /// Successes do not count.
    #[inline]
    fn unmoved(&self, _: &Ring, era: EraWord) -> bool {
        era.is_plain()
    }

    fn begin(&self, state: &Ring, era: Era) {
        let _ = state.advance(state.size(self.size()), era, 0);
    }

    fn owns(&self, rule: &str) -> bool {
        rule == RULE
    }

    fn tally(&self, state: &Ring) -> Tally {
        let now = clock::recent();
        let size = state.size(self.size());
        let young = |ago: &u32| {
            let time = state.read(size, state.last(size, *ago));
            time.is_some_and(|time| now.since(time) < self.within)
        };
        let failures = (0..size).take_while(young).count();
        let failures = u32::try_from(failures).unwrap_or(u32::MAX);
        Tally::new(failures, failures)
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;
    use proptest::prelude::{prop, prop_assert_eq, proptest};

    const OPEN: Verdict = Verdict::Open { rule: "burst of failures" };

    fn burst(failures: u32, millis: u64) -> Burst {
        Burst { failures, within: Duration::from_millis(millis), ..Burst::DEFAULT }
    }

    fn fail(strategy: Burst, state: &Ring, era: u32, millis: u64) -> Verdict {
        let time = Time::at(Duration::from_millis(1_000_000 + millis));
        strategy.record(state, Era::new(era), &Call::new(Outcome::failure()).at(time))
    }

    #[test]
    fn r22_the_age_is_below_and_successes_do_not_reset() {
        let strategy = burst(3, 100);
        let state = Burst::NEW;
        assert_eq!(fail(strategy, &state, 0, 0), Verdict::Stay);
        strategy.record(&state, Era::new(0), &Call::new(Outcome::Success));
        assert_eq!(fail(strategy, &state, 0, 50), Verdict::Stay);
        assert_eq!(fail(strategy, &state, 0, 100), Verdict::Stay, "the first is exactly 100 ms old");
        assert_eq!(fail(strategy, &state, 0, 149), OPEN);
    }

    #[test]
    fn r08_a_new_era_starts_afresh_and_an_old_one_is_refused() {
        let strategy = burst(2, 1_000);
        let state = Burst::NEW;
        assert_eq!(fail(strategy, &state, 0, 0), Verdict::Stay);
        strategy.begin(&state, Era::new(2));
        assert_eq!(fail(strategy, &state, 2, 1), Verdict::Stay);
        assert_eq!(fail(strategy, &state, 0, 2), Verdict::Stay, "of era 0");
        assert_eq!(fail(strategy, &state, 2, 3), OPEN);
    }

    #[test]
    fn r08_a_new_era_passes_over_one_round() {
        let ring = Burst::NEW;
        let taken = [0, 0, 2, 2, 0].map(|era| ring.take(3, Era::new(era)));
        assert_eq!(taken, [Some(0), Some(1), Some(5), Some(6), None]);
    }

    #[test]
    fn r22_a_stalled_failure_writes_over_no_later_one() {
        let ring = Burst::NEW;
        let at = |micros| Time::from_micros(micros);
        let [stalled, .., later] = [(); 3].map(|()| ring.take(2, Era::new(0)).unwrap());
        ring.write(2, later, at(20));
        ring.write(2, stalled, at(10));
        assert_eq!((ring.read(2, later), ring.read(2, stalled)), (Some(at(20)), None));
        // The number of nobody, of a round that is yet to come after a wrap: that is older.
        ring.write(2, later + 2, at(30));
        ring.write(2, later, at(40));
        assert_eq!(ring.read(2, later), Some(at(40)));
    }

    #[test]
    fn r23_a_burst_knows_its_rule_and_no_success() {
        assert!(burst(2, 100).owns(RULE) && !burst(2, 100).owns("consecutive failures"));
        let state = Burst::NEW;
        assert!(burst(2, 100).unmoved(&state, Era::new(0).word()), "R25");
        assert!(!burst(2, 100).unmoved(&state, EraWord::from_bits(EraWord::APART)), "R25: not on the slow path");
    }

    #[test]
    fn r36_a_burst_asks_for_both() {
        assert_eq!(Burst::DEFAULT.check().unwrap_err().field, "failures");
        assert_eq!(burst(16_385, 1).check().unwrap_err().field, "failures");
        assert_eq!(burst(1, 0).check().unwrap_err().field, "within");
        assert_eq!([1, FAILURES_MAX].map(|failures| burst(failures, 1).check()), [Ok(()), Ok(())]);
    }

    #[test]
    fn r36_the_first_failure_fixes_the_size() {
        let state = Burst::NEW;
        let verdicts = [2, 9, 1, 16_384].map(|failures| fail(burst(failures, 100), &state, 0, 0));
        assert_eq!(verdicts, [Verdict::Stay, OPEN, OPEN, OPEN]);
        burst(9, 100).begin(&state, Era::new(2));
        let verdicts = [9, 9].map(|failures| fail(burst(failures, 100), &state, 2, 0));
        assert_eq!(verdicts, [Verdict::Stay, OPEN]);
        assert_eq!(burst(9, 100).tally(&state), Tally::new(2, 2));
    }

    proptest! {
        #[test]
        fn r22_opens_when_a_naive_one_would(
            failures in 1_u32..9,
            steps in prop::collection::vec((0_u64..60, 0_u32..20), 1..200),
        ) {
            let strategy = burst(failures, 100);
            let state = Burst::NEW;
            let (mut now, mut era) = (0, 0);
            let mut times = Vec::new();
            for (step, dice) in steps {
                now += step;
                if dice == 0 {
                    era += 2;
                    strategy.begin(&state, Era::new(era));
                    times.clear();
                }
                times.push(now);
                let young = times.iter().filter(|time| now - **time < 100).count();
                let expected = if young >= failures as usize { OPEN } else { Verdict::Stay };
                prop_assert_eq!(fail(strategy, &state, era, now), expected);
            }
        }
    }
}

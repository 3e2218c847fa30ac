//! The calls of the last so much time, in up to ten buckets.
//!
//! The head names the era, the tick that is current, and a generation: a number that grows by one for each bucket
//! that is passed, and by all buckets at once after a longer gap or at a new era. A bucket carries the generation it
//! was last used in and its era, beside its counts, in one word: a bucket of another generation than the head expects, or
//! of another era, counts as empty. So rolling on needs no clearing to be exact, and a call that counts into a bucket that
//! was passed meanwhile counts where nobody looks. Who rolls on clears what was passed all the same, before its
//! generation comes again.
//!
//! A rate can be over only where a bad call is held. So a bad call marks its generation before it counts, a good one looks
//! for the mark after it has counted, and the buckets are added up only where the mark is of one of them.

use super::{Newest, SHORTEST, Tally};
use crate::{
    Era,
    clock::Time,
    sync::{AtomicU64, Ordering, full_fence, process, update},
};
use std::time::Duration;

/// The most buckets; fewer for the model checker, which would try the loads of all in every order.
const BUCKETS: u32 = if cfg!(breaker_loom) { 2 } else { 10 };

/// The buckets and their head.
#[derive(Debug)]
pub(crate) struct LastTime {
    cut: Cut,
    head: AtomicU64,
    buckets: [AtomicU64; BUCKETS as usize],
    /// The newest generation in which a bad call counted: where it has been passed, there is nothing to add up. Its upper
    /// half is a version, so that a thread that slept does not take a later mark for the one it saw.
    worst: AtomicU64,
    newest: Newest,
    /// The most calls that it held at any moment, and when the first came: for those who look, and so not modelled.
    busiest: process::AtomicU64,
    first: process::AtomicU64,
}

/// No call has come yet.
const UNKNOWN: u64 = u64::MAX;
/// No bad call has: wider than any generation.
const NEVER: u64 = u32::MAX as u64;

/// How a window is cut.
#[derive(Clone, Copy, Debug)]
struct Cut {
    /// How many buckets, the current one among them.
    buckets: u32,
    /// The length of one in nanoseconds: all together at most the window, so that no call outlives it.
    width: u64,
}

impl Cut {
    fn new(window: Duration) -> Self {
        let nanos = window.as_nanos();
        let buckets = (nanos / SHORTEST).clamp(1, u128::from(BUCKETS));
        let width = u64::try_from(nanos / buckets).unwrap_or(u64::MAX);
        Self { buckets: u32::try_from(buckets).unwrap_or(BUCKETS), width: width.max(1) }
    }

    /// Whether `now` is of this tick: a multiplication, where to find it out would take a division.
    #[inline]
    fn is_at(self, tick: u64, now: Time) -> bool {
        now.nanos().wrapping_sub(tick.wrapping_mul(self.width)) < self.width
    }

    /// The tick of `now`; most often it is `last`.
    fn tick(self, now: Time, last: u64) -> u64 {
        if self.is_at(last, now) { last } else { (now.nanos() / self.width) & TICK }
    }
}

/// The head as a value.
///
/// ```text
/// 63    48 47       36 35           0
/// [ era  ][generation][    tick     ]
/// ```
///
/// A tick of 36 bits comes again after two years of buckets of a millisecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    era: u16,
    generation: u32,
    tick: u64,
}

const TICK: u64 = (1 << 36) - 1;
const GENERATION_AT: u32 = 36;
const GENERATION: u64 = (1 << 12) - 1;
const ERA_AT: u32 = 48;

#[expect(clippy::cast_possible_truncation, reason = "fields of known width")]
impl Head {
    const fn pack(self) -> u64 {
        ((self.era as u64) << ERA_AT) | ((self.generation as u64) << GENERATION_AT) | self.tick
    }

    const fn unpack(bits: u64) -> Self {
        Self {
            era: (bits >> ERA_AT) as u16,
            generation: ((bits >> GENERATION_AT) & GENERATION) as u32,
            tick: bits & TICK,
        }
    }

    /// The head at `tick`, which is not before its own; a clock that a reader saw later than this one stands.
    fn rolled(self, tick: u64) -> Self {
        let passed = tick.wrapping_sub(self.tick) & TICK;
        // More than half the range ahead is behind: another thread has read a later time already.
        if passed == 0 || passed > TICK / 2 {
            return self;
        }
        let passed = passed.min(u64::from(BUCKETS)) as u32;
        Self { generation: advance(self.generation, passed), tick, ..self }
    }
}

/// Generations count up to a multiple of the buckets, so that one names its bucket also when the count wraps: so many
/// rounds of all buckets.
const GENERATIONS: u32 = BUCKETS << ROUND_BITS;
const ROUND_BITS: u32 = 6;

const fn advance(generation: u32, by: u32) -> u32 {
    (generation + by) % GENERATIONS
}

const fn behind(generation: u32, by: u32) -> u32 {
    // Both are below the number of generations, so that a subtraction does for a division.
    let ahead = generation + GENERATIONS - by;
    if ahead < GENERATIONS { ahead } else { ahead - GENERATIONS }
}

/// A bucket as a value: the era and the round that it was last used in, in 16 bits and 6, its failures and its calls in
/// 21 each. Where it is, together with the round, is its generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bucket {
    era: u16,
    generation: u32,
    failures: u32,
    calls: u32,
}

const COUNT_BITS: u32 = 21;
const COUNT: u64 = (1 << COUNT_BITS) - 1;
const BUCKET_ERA_AT: u32 = 2 * COUNT_BITS + ROUND_BITS;

impl Bucket {
    const fn empty(head: Head) -> Self {
        Self { era: head.era, generation: head.generation, failures: 0, calls: 0 }
    }

    const fn is_of(self, head: Head) -> bool {
        self.era == head.era && self.generation == head.generation
    }

    const fn pack(self) -> u64 {
        let round = (self.generation / BUCKETS) as u64;
        let counts = ((self.failures as u64) << COUNT_BITS) | self.calls as u64;
        ((self.era as u64) << BUCKET_ERA_AT) | (round << (2 * COUNT_BITS)) | counts
    }

    const fn unpack(bits: u64, place: u32) -> Self {
        let round = (bits >> (2 * COUNT_BITS)) as u32 & ((1 << ROUND_BITS) - 1);
        Self {
            era: (bits >> BUCKET_ERA_AT) as u16,
            generation: round * BUCKETS + place,
            failures: ((bits >> COUNT_BITS) & COUNT) as u32,
            calls: (bits & COUNT) as u32,
        }
    }

    /// One call more; past two million both counts are halved, which keeps their rate.
    const fn counted(self, bad: bool) -> Self {
        let full = self.calls as u64 == COUNT;
        let halved = if full { 1 } else { 0 };
        let (failures, calls) = ((self.failures >> halved) + bad as u32, (self.calls >> halved) + 1);
        Self { failures, calls, ..self }
    }
}

/// The generation that is marked, if one is.
fn marked(worst: u64) -> Option<u32> {
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    let generation = worst as u32;
    (u64::from(generation) != NEVER).then_some(generation)
}

impl LastTime {
    pub(crate) fn new(window: Duration) -> Self {
        Self {
            cut: Cut::new(window),
            head: AtomicU64::new(0),
            buckets: [const { AtomicU64::new(0) }; BUCKETS as usize],
            worst: AtomicU64::new(NEVER),
            newest: Newest::new(),
            busiest: process::AtomicU64::new(0),
            first: process::AtomicU64::new(UNKNOWN),
        }
    }

    /// Counts one call that ended at `now`; what the window then holds, or `None` where no rate can be over it: the era
    /// is over, or nothing that it holds is bad.
    pub(crate) fn push(&self, era: Era, bad: bool, now: Time) -> Option<Tally> {
        loop {
            let head = self.roll(era, now)?;
            if self.first.load(Ordering::Relaxed) == UNKNOWN {
                self.first.store(now.nanos(), Ordering::Relaxed);
            }
            if bad {
                self.mark(head.generation);
            }
            if self.count(head, bad) {
                // Of two calls at once one at least is to see both: others may have rolled on since, and counted.
                full_fence();
                return if bad || self.holds_bad() { self.seen(head.era) } else { None };
            }
            // All buckets were passed meanwhile: the call counts with the later ones.
        }
    }

    /// A bad call is about to count in `generation`. Before it does: who counted and sees no mark was seen by that call.
    fn mark(&self, generation: u32) {
        let _ = update(&self.worst, |seen| {
            // Both ages are of one head, read after the mark: no generation that stands there is newer.
            let newest = Head::unpack(self.head.load(Ordering::Acquire)).generation;
            let known = marked(seen).is_some_and(|seen| behind(newest, seen) <= behind(newest, generation));
            (!known).then(|| ((seen >> u32::BITS).wrapping_add(1) << u32::BITS | u64::from(generation), ()))
        });
    }

    /// Whether a bad call may be held. A mark that has been passed by whole rounds of generations may look new, and one that
    /// a thread left that slept for a round may be ahead: then there is one sum too many.
    fn holds_bad(&self) -> bool {
        let worst = marked(self.worst.load(Ordering::Acquire));
        let newest = Head::unpack(self.head.load(Ordering::Acquire)).generation;
        worst
            .map(|worst| behind(newest, worst))
            .is_some_and(|ago| ago < self.cut.buckets || ago >= GENERATIONS - BUCKETS)
    }

    /// How many calls it held when it held the most, once it has been watched for a whole window.
    pub(crate) fn busiest(&self, window: Duration, now: Time) -> Option<u32> {
        let first = self.first.load(Ordering::Relaxed);
        let watched = first != UNKNOWN && u128::from(now.nanos().saturating_sub(first)) >= window.as_nanos();
        watched.then(|| {
            self.note(Head::unpack(self.head.load(Ordering::Acquire)));
            u32::try_from(self.busiest.load(Ordering::Relaxed)).unwrap_or(u32::MAX)
        })
    }

    /// It holds the most just before a bucket is passed. For people: what another thread counts or notes meanwhile may be
    /// missed.
    fn note(&self, head: Head) {
        let calls = u64::from(self.sum(head).calls);
        if calls > self.busiest.load(Ordering::Relaxed) {
            self.busiest.store(calls, Ordering::Relaxed);
        }
    }

    /// From `era` on, as of `now`; an older era does not come back, and one that has begun by itself goes on.
    pub(crate) fn begin(&self, era: Era, now: Time) {
        let mut seen = self.head.load(Ordering::Acquire);
        let comes_again = self.newest.comes_again(era, Head::unpack(seen).era);
        loop {
            let head = Head::unpack(seen);
            if (head.era == era.stamp() && !comes_again) || !self.newest.is(era) {
                return;
            }
            match self.exchange(seen, head, self.begun(head, era, now)) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    /// What the window holds at `now`; nothing is rolled on for a look.
    pub(crate) fn tally(&self, now: Time) -> Tally {
        let head = Head::unpack(self.head.load(Ordering::Acquire));
        self.sum(head.rolled(self.cut.tick(now, head.tick)))
    }

    /// The head at this time or a later one, rolled on if need be; `None` where the era is over.
    #[inline]
    fn roll(&self, era: Era, now: Time) -> Option<Head> {
        // Acquire: pairs with the exchange that made this head.
        let seen = self.head.load(Ordering::Acquire);
        let head = Head::unpack(seen);
        let holds = head.era == era.stamp() && self.cut.is_at(head.tick, now);
        if holds { Some(head) } else { self.roll_on(seen, era, now).map(Head::unpack) }
    }

    /// Gives the head back as it is packed: in a register, so that it need not lie in memory where nothing is rolled on.
    #[cold]
    #[inline(never)]
    fn roll_on(&self, mut seen: u64, era: Era, now: Time) -> Option<u64> {
        loop {
            let head = Head::unpack(seen);
            let mut next = head;
            if head.era != era.stamp() {
                if !self.newest.is(era) {
                    return None;
                }
                // The first call of an era whose winner has not come to begin it here.
                next = self.begun(head, era, now);
            }
            next = next.rolled(self.cut.tick(now, next.tick));
            if next == head {
                return Some(seen);
            }
            match self.exchange(seen, head, next) {
                Ok(head) => return Some(head.pack()),
                Err(now) => seen = now,
            }
        }
    }

    /// All buckets passed; the tick is the new era's own, whatever the clock of the one before was.
    fn begun(&self, head: Head, era: Era, now: Time) -> Head {
        let tick = self.cut.tick(now, head.tick);
        Head { era: era.stamp(), generation: advance(head.generation, BUCKETS), tick }
    }

    /// Moves the head on; the winner clears the buckets that were passed.
    fn exchange(&self, seen: u64, from: Head, to: Head) -> Result<Head, u64> {
        // One step for era and generation: what counts under the one before is not looked at from here on.
        self.head.compare_exchange_weak(seen, to.pack(), Ordering::AcqRel, Ordering::Acquire)?;
        if to.era == from.era {
            self.note(from);
        } else {
            self.busiest.store(0, Ordering::Relaxed);
            self.first.store(UNKNOWN, Ordering::Relaxed);
        }
        let passed = (to.generation + GENERATIONS - from.generation) % GENERATIONS;
        for ago in 0..passed.min(BUCKETS) {
            self.clear(Head { generation: behind(to.generation, ago), ..to });
        }
        Ok(to)
    }

    /// Makes the bucket of `head` an empty one, unless calls of its generation are in it, or all buckets have been passed
    /// meanwhile.
    fn clear(&self, head: Head) {
        let (at, place) = self.bucket(head.generation);
        let _ = update(at, |seen| {
            let passed = !Bucket::unpack(seen, place).is_of(head) && self.lives(head);
            passed.then(|| (Bucket::empty(head).pack(), ()))
        });
    }

    /// Counts into the bucket of `head`; `false` where all buckets have been passed meanwhile.
    fn count(&self, head: Head, bad: bool) -> bool {
        let (at, place) = self.bucket(head.generation);
        // Era, generation and counts are one word: the step that counts is the step that compares.
        let counted = update(at, |seen| {
            let mut bucket = Bucket::unpack(seen, place);
            if !bucket.is_of(head) {
                // Of the generations that live, this one alone has this bucket: what stands there is of the past.
                if !self.lives(head) {
                    return None;
                }
                bucket = Bucket::empty(head);
            }
            Some((bucket.counted(bad).pack(), ()))
        });
        counted.is_ok()
    }

    /// Whether the generation of `head` is one of the last, of an era that is not over. Asked after a bucket was read and
    /// before it is exchanged, so that a bucket that a later generation takes in between is seen by the exchange.
    #[cold]
    #[inline(never)]
    fn lives(&self, head: Head) -> bool {
        let newest = Head::unpack(self.head.load(Ordering::Acquire));
        // A stalled thread may name one that is yet to come, where the count has wrapped: that is of the past, too.
        newest.era == head.era && behind(newest.generation, head.generation) < BUCKETS
    }

    /// What the window holds after a call of `era` has counted, or `None` where that is over.
    #[cold]
    #[inline(never)]
    fn seen(&self, era: u16) -> Option<Tally> {
        let newest = Head::unpack(self.head.load(Ordering::Acquire));
        (newest.era == era).then(|| self.sum(newest))
    }

    fn sum(&self, head: Head) -> Tally {
        let (mut failures, mut calls) = (0, 0);
        for (bucket, place) in self.buckets.iter().zip(0..) {
            let bucket = Bucket::unpack(bucket.load(Ordering::Acquire), place);
            // Of all generations that share this bucket, at most one is this young. No branch: it would be taken now
            // and then, and guessed wrong.
            let young = behind(head.generation, bucket.generation) < self.cut.buckets;
            let young = u32::from((bucket.era == head.era) & young);
            failures += young * bucket.failures;
            calls += young * bucket.calls;
        }
        Tally::new(failures, calls)
    }

    /// The bucket of `generation`, and its place.
    fn bucket(&self, generation: u32) -> (&AtomicU64, u32) {
        let place = generation % BUCKETS;
        (&self.buckets[place as usize], place)
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};

    const WINDOW: Duration = Duration::from_secs(10);

    fn at(millis: u64) -> Time {
        Time::at(Duration::from_millis(millis))
    }

    /// What it holds after one call more; a push says it only where a bad call is held.
    fn after(window: &LastTime, era: Era, bad: bool, now: Time) -> Tally {
        let pushed = window.push(era, bad, now);
        let holds = window.tally(now);
        match pushed {
            Some(pushed) => assert_eq!(pushed, holds),
            None => assert_eq!(holds.failures, 0),
        }
        holds
    }

    proptest! {
        /// A naive window that keeps every call with its time: what is younger than nine tenths is held, what is
        /// older than the whole is not.
        #[test]
        fn r20_forgets_up_to_a_bucket_early_and_never_late(
            start in 0_u64..20_000,
            steps in prop::collection::vec((any::<bool>(), prop_oneof![0_u64..300, 0_u64..3_000, 5_000_u64..40_000], 0_u32..30), 1..300),
        ) {
            let window = LastTime::new(WINDOW);
            let mut calls: Vec<(u64, bool)> = Vec::new();
            let (mut now, mut era) = (start, 0);
            for (bad, step, dice) in steps {
                now += step;
                if dice == 0 {
                    era += 2;
                    window.begin(Era::new(era), at(now));
                    calls.clear();
                }
                if dice == 1 && era > 0 {
                    prop_assert_eq!(window.push(Era::new(era - 2), bad, at(now)), None);
                }
                calls.push((now, bad));
                let tally = after(&window, Era::new(era), bad, at(now));
                let held = |oldest: u64| {
                    let held = calls.iter().filter(|(time, _)| now - time < oldest);
                    let (calls, failures) = held.fold((0, 0), |(n, bad), call| (n + 1, bad + u32::from(call.1)));
                    (failures, calls)
                };
                let (least, most) = (held(9_000), held(10_000));
                prop_assert!(tally.failures >= least.0 && tally.failures <= most.0, "{tally:?} {least:?} {most:?}");
                prop_assert!(tally.calls >= least.1 && tally.calls <= most.1, "{tally:?} {least:?} {most:?}");
            }
        }

        #[test]
        fn values_unpack_to_what_was_packed(bits: u64) {
            prop_assert_eq!(Head::unpack(bits).pack(), bits);
            for place in 0..BUCKETS {
                prop_assert_eq!(Bucket::unpack(bits, place).pack(), bits);
            }
        }
    }

    #[test]
    fn r20_a_call_that_rolls_a_bucket_is_counted_and_a_gap_clears() {
        let window = LastTime::new(WINDOW);
        let era = Era::new(0);
        assert_eq!(window.push(era, true, at(0)), Some(Tally::new(1, 1)));
        assert_eq!(window.push(era, false, at(1_000)), Some(Tally::new(1, 2)));
        assert_eq!(window.push(era, true, at(9_999)), Some(Tally::new(2, 3)));
        assert_eq!(window.push(era, true, at(10_000)), Some(Tally::new(2, 3)));
        assert_eq!(window.push(era, true, at(10_000_000_000)), Some(Tally::new(1, 1)));
    }

    #[test]
    fn r20_no_bucket_comes_back_when_generations_wrap() {
        let window = LastTime::new(WINDOW);
        // Every second bucket is passed over, for more rounds than there are generations.
        for round in 0..20_000 {
            let tally = window.push(Era::new(0), true, at(round * 2_000)).unwrap();
            assert!(tally.calls <= 5, "{tally:?} in round {round}");
        }
    }

    #[test]
    fn r20_a_clock_that_was_read_earlier_counts_with_the_later_one() {
        let window = LastTime::new(WINDOW);
        window.push(Era::new(0), true, at(5_000));
        assert_eq!(window.push(Era::new(0), true, at(3_000)), Some(Tally::new(2, 2)));
    }

    #[test]
    fn a_full_bucket_keeps_its_rate() {
        let full = Bucket { era: 7, generation: 3, failures: 1 << 20, calls: (1 << 21) - 1 };
        let next = Bucket { failures: (1 << 19) + 1, calls: 1 << 20, ..full };
        assert_eq!(full.counted(true), next);
        assert_eq!(next.counted(false), Bucket { calls: (1 << 20) + 1, ..next });
    }

    #[test]
    fn r20_the_newest_bad_call_is_the_one_that_is_remembered() {
        let window = LastTime::new(WINDOW);
        let head = Head { era: 0, generation: 5, tick: 5 };
        window.head.store(head.pack(), Ordering::Relaxed);
        assert!(!window.holds_bad(), "none has come");
        let marks = [2, 4, 3, 5, 1].map(|generation| {
            window.mark(generation);
            window.worst.load(Ordering::Relaxed)
        });
        // Each with a version of its own.
        assert_eq!(marks, [(1, 2), (2, 4), (2, 4), (3, 5), (3, 5)].map(|(version, mark)| version << 32 | mark));
        // Held as long as its bucket is: nine more, then no more. One of a round before looks old, and gives way.
        let after = |ahead| {
            window.head.store(Head { generation: advance(5, ahead), ..head }.pack(), Ordering::Relaxed);
            window.holds_bad()
        };
        assert_eq!([0, 9, 10, GENERATIONS - 11].map(after), [true, true, false, false]);
        assert_eq!([GENERATIONS - 10, GENERATIONS - 1].map(after), [true, true], "ahead");
        window.mark(4);
        assert_eq!(marked(window.worst.load(Ordering::Relaxed)), Some(4));
    }

    #[test]
    fn r20_a_window_without_a_bad_call_says_nothing() {
        let window = LastTime::new(WINDOW);
        let push = |bad, millis| window.push(Era::new(0), bad, at(millis));
        assert_eq!(
            [push(false, 0), push(true, 500), push(false, 9_500)],
            [None, Some(Tally::new(1, 2)), Some(Tally::new(1, 3))]
        );
        assert_eq!(push(false, 10_000), None);
    }

    #[test]
    fn r20_the_busiest_moment_is_the_one_before_a_bucket_is_passed() {
        let window = LastTime::new(WINDOW);
        let busiest = |millis| window.busiest(WINDOW, at(millis));
        let push =
            |calls, millis| (0..calls).for_each(|_| assert_eq!(window.push(Era::new(0), false, at(millis)), None));
        assert_eq!(busiest(1_000_000), None, "no call has come");
        push(3, 1_000);
        push(4, 5_000);
        assert_eq!([10_999, 11_000].map(busiest), [None, Some(7)], "a whole window after the first call");
        push(1, 60_000);
        assert_eq!(busiest(60_000), Some(7));
        push(9, 61_000);
        assert_eq!(busiest(61_000), Some(10), "the one that is going on counts");
        window.begin(Era::new(2), at(70_000));
        assert_eq!(busiest(90_000), None, "each era is watched anew");
    }

    /// R8 asks for 16 bits of an era beside other fields: of two a stay, 32,767 that are closed.
    #[test]
    fn r08_a_stalled_call_neither_counts_nor_erases_what_is_live_however_many_eras_later() {
        let window = LastTime::new(WINDOW);
        let stalled = window.roll(Era::new(0), at(0)).unwrap();
        for era in (2..=u32::from(u16::MAX)).step_by(2).map(Era::new) {
            window.begin(era, at(0));
            assert!(!window.count(stalled, true), "counted in {era:?}");
            window.clear(stalled);
            assert_eq!(window.tally(at(0)), Tally::new(0, 0), "in {era:?}");
        }
    }

    #[test]
    fn r20_who_clears_late_erases_nothing_that_is_live() {
        let window = LastTime::new(WINDOW);
        let era = Era::new(0);
        assert_eq!(window.push(era, true, at(0)), Some(Tally::new(1, 1)));
        let first = window.roll(era, at(0)).unwrap();
        window.clear(first);
        assert_eq!(window.tally(at(0)), Tally::new(1, 1), "its own calls");
        for round in 1..GENERATIONS / BUCKETS {
            let now = at(u64::from(round) * 10_000);
            assert_eq!(window.push(era, true, now), Some(Tally::new(1, 1)));
            window.clear(first);
            assert_eq!(window.tally(now), Tally::new(1, 1), "in round {round}");
        }
    }

    #[test]
    fn r20_a_new_era_is_on_its_own_clock() {
        let window = LastTime::new(WINDOW);
        window.push(Era::new(0), true, at(3_600_000));
        window.begin(Era::new(2), at(0));
        assert_eq!(window.push(Era::new(2), true, at(0)), Some(Tally::new(1, 1)));
        assert_eq!(window.push(Era::new(2), true, at(60_000)), Some(Tally::new(1, 1)));
    }

    #[test]
    fn r20_short_windows_have_fewer_buckets_and_none_outlives_its_time() {
        for (nanos, buckets) in [(1, 1), (999_999, 1), (1_000_000, 1), (2_500_000, 2), (10_000_000, 10), (u64::MAX, 10)]
        {
            let window = Duration::from_nanos(nanos);
            let cut = Cut::new(window);
            assert_eq!(cut.buckets, buckets);
            assert!(u128::from(cut.buckets) * u128::from(cut.width) <= window.as_nanos());
        }
        assert_eq!(Cut::new(Duration::MAX).width, u64::MAX);
    }

    #[test]
    fn r20_a_call_that_was_overtaken_sees_who_overtook_it() {
        let window = LastTime::new(Duration::from_millis(20));
        let at = |millis| Time::at(Duration::from_millis(millis));
        window.push(Era::new(0), true, at(1));
        let head = window.roll(Era::new(0), at(1)).unwrap();
        assert_eq!(window.push(Era::new(0), true, at(3)), Some(Tally::new(2, 2)));
        assert!(window.count(head, true));
        assert_eq!(window.seen(head.era), Some(Tally::new(3, 3)));
        window.begin(Era::new(2), at(3));
        assert_eq!(window.seen(head.era), None);
    }

    #[test]
    fn r20_a_bucket_that_nobody_used_for_a_whole_round_of_generations_is_empty() {
        let window = LastTime::new(WINDOW);
        window.push(Era::new(0), true, at(0));
        window.push(Era::new(0), true, at(1_000));
        for round in 1..=GENERATIONS / BUCKETS {
            let tally = window.push(Era::new(0), true, at(u64::from(round) * 10_000 + 1_000));
            assert_eq!(tally, Some(Tally::new(1, 1)), "in round {round}");
        }
    }

    #[test]
    fn r20_who_rolls_on_clears_what_was_passed() {
        for (generation, passed) in (0..GENERATIONS).flat_map(|generation| [(generation, 1), (generation, BUCKETS)]) {
            let window = LastTime::new(WINDOW);
            let from = Head { era: 0, generation, tick: 0 };
            let to = from.rolled(passed.into());
            window.head.store(from.pack(), Ordering::Relaxed);
            // Of an era that is over, and of the generation that comes.
            for ago in 0..passed {
                let old = Bucket { era: 1, generation: behind(to.generation, ago), failures: 1, calls: 1 };
                window.bucket(old.generation).0.store(old.pack(), Ordering::Relaxed);
            }
            while window.exchange(from.pack(), from, to).is_err() {}
            for generation in (0..passed).map(|ago| behind(to.generation, ago)) {
                let (bucket, place) = window.bucket(generation);
                let bucket = Bucket::unpack(bucket.load(Ordering::Relaxed), place);
                assert_eq!(bucket, Bucket::empty(Head { generation, ..to }), "from {from:?} on");
            }
        }
    }

    #[test]
    fn r20_half_the_range_of_ticks_ahead_is_ahead_and_more_is_behind() {
        let head = Head { era: 0, generation: 0, tick: 7 };
        assert_eq!(head.rolled(7 + TICK / 2).tick, 7 + TICK / 2);
        assert_eq!(head.rolled(8 + TICK / 2), head);
    }

    #[test]
    fn r08_an_older_era_does_not_come_back() {
        let window = LastTime::new(WINDOW);
        window.begin(Era::new(2), at(0));
        assert_eq!(window.push(Era::new(2), true, at(0)), Some(Tally::new(1, 1)));
        window.begin(Era::new(0), at(0));
        assert_eq!(window.push(Era::new(2), true, at(0)), Some(Tally::new(2, 2)));
        window.begin(Era::new(4), at(0));
        assert_eq!(window.tally(at(0)), Tally::new(0, 0));
    }

    #[test]
    fn r08_an_era_with_the_stamp_of_one_long_over_starts_afresh() {
        let window = LastTime::new(WINDOW);
        window.push(Era::new(2), true, at(0));
        let later = Era::new(2 + (1 << 16));
        window.begin(later, at(0));
        assert_eq!(window.tally(at(0)), Tally::new(0, 0));
        assert_eq!(window.push(later, true, at(0)), Some(Tally::new(1, 1)));
        window.begin(later, at(0));
        assert_eq!(window.tally(at(0)), Tally::new(1, 1), "it has begun");
    }

    #[test]
    fn r20_who_only_looks_sees_no_call_that_outlived_its_time() {
        let window = LastTime::new(WINDOW);
        window.push(Era::new(0), true, at(0));
        assert_eq!([9_999, 10_000].map(|now| window.tally(at(now)).calls), [1, 0]);
    }

    #[test]
    fn r20_a_call_that_was_stalled_for_just_one_round_counts_nowhere() {
        let window = LastTime::new(WINDOW);
        let stalled = window.roll(Era::new(0), at(0)).unwrap();
        window.begin(Era::new(2), at(0));
        assert_eq!(window.push(Era::new(2), true, at(0)), Some(Tally::new(1, 1)));
        assert!(!window.count(stalled, true));
        assert_eq!(window.tally(at(0)), Tally::new(1, 1));
    }
}

//! The last so many calls, exactly: one bit a call, and everything that is judged in one word.
//!
//! A push is one compare-and-swap of the head. The bit of the newest push is carried in the head, as pending, and
//! whoever makes the next change writes it to its slot first; so while the head stands still, every slot that it
//! speaks of is written, and what a push evicts is read before the push counts. The head names the round of the ring as
//! well as the place in it, so that after a whole round it is not the head of before: a push that slept meanwhile fails. A
//! slot word has a version, so that a helper that slept cannot write into a later round.

use super::{Newest, Tally};
use crate::{
    Era,
    era::EraWord,
    sync::{AtomicU64, OnceBox, Ordering},
};

/// The ring and its head.
#[derive(Debug)]
pub(crate) struct LastCalls {
    head: AtomicU64,
    ring: OnceBox<Ring>,
    newest: Newest,
}

/// Made for the first call, which fixes the size: a user's strategy may forward to one with another size later.
#[derive(Debug)]
struct Ring {
    size: u32,
    slots: Box<[AtomicU64]>,
}

impl Ring {
    fn new(size: u32) -> Self {
        Self { size, slots: (0..size.div_ceil(BITS)).map(|_| AtomicU64::new(0)).collect() }
    }

    fn slot(&self, at: u32) -> (&AtomicU64, u64) {
        (&self.slots[(at / BITS) as usize], 1 << (at % BITS))
    }

    fn read(&self, at: u32) -> bool {
        let (slot, mask) = self.slot(at);
        slot.load(Ordering::Acquire) & mask != 0
    }
}

/// The head as a value.
///
/// ```text
/// 63      48   47     46    45        31   30   29              0
/// [  era   ][pending][bad][  failures   ][full][ round ][ place ]
/// ```
///
/// The place takes as many bits as the size of the ring needs, and the round all others: a head comes again after half a
/// billion pushes or more, whatever the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    era: u16,
    /// The bit of the newest push, where it may not be in its slot yet.
    pending: Option<bool>,
    /// Whether every slot holds a call of this era.
    full: bool,
    failures: u32,
    round: u32,
    /// Where the next push goes.
    place: u32,
}

const TURN_BITS: u32 = 30;
/// Round and place.
const TURN: u64 = (1 << TURN_BITS) - 1;
const FULL: u64 = 1 << TURN_BITS;
const FAILURES_AT: u32 = 31;
const FAILURES: u64 = (1 << 15) - 1;
const BAD: u64 = 1 << 46;
const PENDING: u64 = EraWord::APART << WORD;
const ERA_AT: u32 = 48;
const ERA: u64 = !0 << ERA_AT;
/// How far up an [`EraWord`] is moved, so that half of its era is where the head's is.
const WORD: u32 = 16;
/// Full, no failures, and none on its way to its slot.
const CLEAN: u64 = FULL;

/// How many bits of a turn are the place, in a ring of this size.
const fn place_bits(size: u32) -> u32 {
    u32::BITS - (size - 1).leading_zeros()
}

impl Head {
    /// A new era, in a round of its own.
    const fn begun(self, era: Era) -> Self {
        let round = self.round.wrapping_add(1);
        Self { era: era.stamp(), pending: None, full: false, failures: 0, round, place: 0 }
    }

    const fn pack(self, size: u32) -> u64 {
        let pending = match self.pending {
            None => 0,
            Some(false) => PENDING,
            Some(true) => PENDING | BAD,
        };
        let full = if self.full { FULL } else { 0 };
        let turn = (((self.round as u64) << place_bits(size)) | self.place as u64) & TURN;
        ((self.era as u64) << ERA_AT) | pending | ((self.failures as u64 & FAILURES) << FAILURES_AT) | full | turn
    }

    const fn unpack(bits: u64, size: u32) -> Self {
        let turn = (bits & TURN) as u32;
        Self {
            era: (bits >> ERA_AT) as u16,
            pending: if bits & PENDING == 0 { None } else { Some(bits & BAD != 0) },
            full: bits & FULL != 0,
            failures: ((bits >> FAILURES_AT) & FAILURES) as u32,
            round: turn >> place_bits(size),
            place: turn & ((1 << place_bits(size)) - 1),
        }
    }

    const fn tally(self, size: u32) -> Tally {
        Tally::new(self.failures, if self.full { size } else { self.place })
    }

    /// The head where the next call pushes a failure out.
    #[cold]
    const fn evicting(self) -> Self {
        Self { failures: self.failures.saturating_sub(1), ..self }
    }

    /// The head after one more call.
    const fn pushed(self, size: u32, bad: bool) -> Self {
        let next = self.place + 1;
        let wraps = next == size;
        Self {
            era: self.era,
            pending: Some(bad),
            full: self.full || wraps,
            failures: self.failures + bad as u32,
            round: if wraps { self.round.wrapping_add(1) } else { self.round },
            place: if wraps { 0 } else { next },
        }
    }
}

/// Bits in a slot word; its other half is the version.
const BITS: u32 = 32;

impl LastCalls {
    pub(crate) const fn new() -> Self {
        Self { head: AtomicU64::new(0), ring: OnceBox::new(), newest: Newest::new() }
    }

    /// Whether every slot holds a success of this era, so that one more changes nothing, and need write nothing.
    ///
    /// Half of the era is compared: a success of one that is long over changes nothing, either.
    #[inline]
    pub(crate) fn is_clean(&self, era: EraWord) -> bool {
        // Acquire: pairs with the exchange that made this head. A word that is not plain has the bit of `PENDING`.
        let seen = self.head.load(Ordering::Acquire);
        seen & !(PENDING | TURN) == CLEAN | (era.bits() << WORD)
    }

    /// What most pushes are: a success into a full window, after a success, pushes a success out, so that the head just
    /// moves on, or need not even do that. `None` where there is more to it, or another call came between.
    #[inline]
    pub(crate) fn push_plainly(&self, era: Era) -> Option<Tally> {
        let &Ring { size, ref slots } = self.ring.get()?;
        let seen = self.head.load(Ordering::Acquire);
        if seen & (ERA | PENDING | BAD | FULL) != (era.word().bits() << WORD) | PENDING | FULL {
            return None;
        }
        let Head { failures, place, .. } = Head::unpack(seen, size);
        let holds = Some(Tally::new(failures, size));
        if failures == 0 {
            return holds;
        }
        let word = slots.get((place / BITS) as usize)?.load(Ordering::Acquire);
        // The newest push and the oldest, which this one pushes out, are side by side: both in this word, neither bad.
        let newest = (place % BITS).checked_sub(1)?;
        if (word >> newest) & 0b11 != 0 || place + 1 == size {
            return None;
        }
        self.head.compare_exchange(seen, seen + 1, Ordering::AcqRel, Ordering::Acquire).ok().and(holds)
    }

    /// Counts one call; what the window then holds, or `None` where the era is over.
    ///
    /// The first call fixes the size.
    pub(crate) fn push(&self, size: u32, era: Era, bad: bool) -> Option<Tally> {
        let ring = self.ring.get_or_init(|| Box::new(Ring::new(size)));
        let size = ring.size;
        if !bad && self.is_clean(era.word()) {
            return Some(Tally::new(0, size));
        }
        let mut seen = self.head.load(Ordering::Acquire);
        loop {
            let mut head = Head::unpack(seen, size);
            if !self.write_pending(ring, seen, head) {
                seen = self.head.load(Ordering::Acquire);
                continue;
            }
            if head.era != era.stamp() {
                if !self.newest.is(era) {
                    return None;
                }
                // The first call of an era whose winner has not come to begin it here.
                head = head.begun(era);
            }
            // A branch and no arithmetic: most calls push out a success, and the head need not wait for the slot.
            if head.full && ring.read(head.place) {
                head = head.evicting();
            }
            let pushed = head.pushed(size, bad);
            // Era, counts, turn and pending bit are one word: the step that counts is the step that compares.
            match self.head.compare_exchange_weak(seen, pushed.pack(size), Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(pushed.tally(size)),
                Err(now) => seen = now,
            }
        }
    }

    /// From `era` on; an older era does not come back, and one that has begun by itself goes on.
    pub(crate) fn begin(&self, size: u32, era: Era) {
        let mut seen = self.head.load(Ordering::Acquire);
        let comes_again = self.newest.comes_again(era, Head::unpack(seen, size).era);
        loop {
            // After the head: where a call stands in it, the ring was made.
            let ring = self.ring.get();
            let size = ring.map_or(size, |ring| ring.size);
            let head = Head::unpack(seen, size);
            if (head.era == era.stamp() && !comes_again) || !self.newest.is(era) {
                return;
            }
            if ring.is_some_and(|ring| !self.write_pending(ring, seen, head)) {
                seen = self.head.load(Ordering::Acquire);
                continue;
            }
            let begun = head.begun(era).pack(size);
            match self.head.compare_exchange_weak(seen, begun, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    /// What the window holds.
    pub(crate) fn tally(&self, size: u32) -> Tally {
        let seen = self.head.load(Ordering::Acquire);
        let size = self.ring.get().map_or(size, |ring| ring.size);
        Head::unpack(seen, size).tally(size)
    }

    /// Writes the newest push to its slot; `false` where the head has moved on from `seen` meanwhile.
    fn write_pending(&self, ring: &Ring, seen: u64, head: Head) -> bool {
        let Some(bad) = head.pending else { return true };
        let at = if head.place == 0 { ring.size - 1 } else { head.place - 1 };
        let (slot, mask) = ring.slot(at);
        loop {
            let before = slot.load(Ordering::Acquire);
            if (before & mask != 0) == bad {
                return true;
            }
            // While the head has not moved, nobody has reused the slot; from here on the version tells.
            if self.head.load(Ordering::Acquire) != seen {
                return false;
            }
            let version = (before >> BITS).wrapping_add(1) << BITS;
            let bits = (before ^ mask) & u64::from(u32::MAX);
            // Release: who reads the slot after the head that follows sees this bit.
            if slot.compare_exchange(before, version | bits, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                return true;
            }
        }
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop, prop_assert_eq, proptest};
    use std::collections::VecDeque;

    fn era(number: u32) -> Era {
        Era::new(number)
    }

    proptest! {
        #[test]
        fn r20_slides_by_one_exactly(
            size in 1_u32..70,
            calls in prop::collection::vec((any::<bool>(), 0_u32..40), 0..400),
        ) {
            let window = LastCalls::new();
            let mut naive = VecDeque::new();
            let mut now = 0;
            for (bad, dice) in calls {
                if dice == 0 {
                    now += 2;
                    window.begin(size, era(now));
                    naive.clear();
                }
                if dice == 1 {
                    prop_assert_eq!(window.push(size, era(now.wrapping_sub(2)), bad), None);
                }
                naive.push_back(bad);
                if naive.len() > size as usize {
                    naive.pop_front();
                }
                let failures = naive.iter().filter(|bad| **bad).count();
                let expected = Tally::new(u32::try_from(failures).unwrap(), u32::try_from(naive.len()).unwrap());
                let plainly = if bad { None } else { window.push_plainly(era(now)) };
                prop_assert_eq!(plainly.or_else(|| window.push(size, era(now), bad)), Some(expected));
                prop_assert_eq!(window.tally(size), expected);
            }
        }

        #[test]
        fn a_head_unpacks_to_what_was_packed(bits: u64, size in 1_u32..=16_384) {
            let head = Head::unpack(bits, size);
            prop_assert_eq!(Head::unpack(head.pack(size), size), head);
        }
    }

    #[test]
    fn r20_the_widest_window_counts_to_its_end() {
        let size = super::super::CALLS_MAX;
        let window = LastCalls::new();
        for calls in 1..=size {
            assert_eq!(window.push(size, era(0), true), Some(Tally::new(calls, calls)));
        }
        assert_eq!(window.push(size, era(0), false), Some(Tally::new(size - 1, size)));
    }

    #[test]
    fn r25_a_success_among_successes_writes_nothing() {
        let window = LastCalls::new();
        for _ in 0..10 {
            window.push(4, era(0), false);
        }
        let before = window.head.load(Ordering::Relaxed);
        assert_eq!(window.push(4, era(0), false), Some(Tally::new(0, 4)));
        assert_eq!(window.head.load(Ordering::Relaxed), before);
    }

    #[test]
    fn r20_most_successes_just_move_the_head() {
        let (size, window) = (70, LastCalls::new());
        let push = |bad| window.push(size, era(0), bad).unwrap();
        assert!((0..size).all(|call| window.push_plainly(era(0)).is_none() && push(call == 40).calls > call));
        // All but the first of each word, and the last of the ring: until the failure is pushed out.
        let plainly: Vec<_> = (0..size)
            .map(|_| {
                let plainly = window.push_plainly(era(0)).is_some();
                if !plainly {
                    push(false);
                }
                plainly
            })
            .collect();
        let other: Vec<_> = (0..size as usize).filter(|call| !plainly[*call]).collect();
        assert_eq!(other, [0, 32, 40]);
        // Without a failure nothing is looked at but the head, and nothing moves; of another era nothing counts.
        assert_eq!(window.push_plainly(era(0)), Some(Tally::new(0, size)));
        assert_eq!([2, u32::MAX].map(|other| window.push_plainly(era(other))), [None; 2]);
    }

    #[test]
    fn r08_the_short_ways_know_their_era() {
        let (size, window) = (5, LastCalls::new());
        window.begin(size, era(2));
        for _ in 0..size {
            window.push(size, era(2), false);
        }
        let clean = [2, 0, 4].map(|other| window.is_clean(era(other).word()));
        assert_eq!(clean, [true, false, false]);
        for bad in [true, false] {
            window.push(size, era(2), bad);
        }
        assert_eq!([0, 4].map(|other| window.push_plainly(era(other))), [None; 2]);
        assert_eq!(window.push_plainly(era(2)), Some(Tally::new(1, size)));
    }

    #[test]
    fn a_head_packs_to_what_is_unpacked() {
        for (size, round, place) in [(1, (1 << 30) - 1, 0), (3, (1 << 28) - 1, 2), (16_384, 65_535, 16_383)] {
            for pending in [None, Some(false), Some(true)] {
                for full in [false, true] {
                    let head = Head { era: u16::MAX, pending, full, failures: 16_384, round, place };
                    assert_eq!(Head::unpack(head.pack(size), size), head);
                    let next = Head { place: size - 1, ..head }.pushed(size, false);
                    assert_eq!((Head::unpack(next.pack(size), size).round, next.place), (0, 0), "rounds wrap");
                    let none = Head { era: 0, failures: 0, round: 0, place: 0, ..head };
                    assert_eq!(Head::unpack(none.pack(size), size), none);
                }
            }
        }
    }

    /// A push that slept between its look and its step finds another head, whatever the others pushed meanwhile.
    #[test]
    fn r20_after_a_whole_round_the_head_is_another() {
        for size in [1, 2, 3, 7, 32, 33] {
            let window = LastCalls::new();
            let mut heads = std::collections::BTreeSet::new();
            for call in 0..size * 100 {
                window.push(size, era(0), call % size == 0);
                assert!(heads.insert(window.head.load(Ordering::Relaxed)), "of {size}, after {call}");
            }
        }
    }

    /// What once made of the failures of a window 32,767, and of its breaker one that never opened again.
    #[test]
    fn r20_a_push_that_slept_for_a_round_does_not_count_what_it_saw() {
        let (size, window) = (3, LastCalls::new());
        let push = |bad| window.push(size, era(0), bad).unwrap();
        for bad in [false, false, true, false] {
            push(bad);
        }
        let seen = window.head.load(Ordering::Relaxed);
        // A round: the same place, as many failures, and the oldest is bad now.
        for bad in [true, false, false] {
            push(bad);
        }
        let now = window.head.load(Ordering::Relaxed);
        let (before, after) = (Head::unpack(seen, size), Head::unpack(now, size));
        assert_eq!(Head { round: 0, ..before }, Head { round: 0, ..after });
        assert_ne!(seen, now);
        assert_eq!([false, false, false].map(push), [Tally::new(0, 3), Tally::new(0, 3), Tally::new(0, 3)]);
    }

    #[test]
    fn r08_an_era_with_the_stamp_of_one_long_over_starts_afresh() {
        let (size, window) = (3, LastCalls::new());
        window.push(size, era(2), true);
        let later = era(2 + (1 << 16));
        window.begin(size, later);
        assert_eq!(window.tally(size), Tally::new(0, 0));
        assert_eq!(window.push(size, later, true), Some(Tally::new(1, 1)));
        window.begin(size, later);
        assert_eq!(window.tally(size), Tally::new(1, 1), "it has begun");
    }

    #[test]
    fn r36_the_first_call_fixes_the_size() {
        let window = LastCalls::new();
        for size in [3, 100, 1, 16_384, 2] {
            for call in 0..50 {
                let bad = call % 2 == 0;
                let plainly = if bad { None } else { window.push_plainly(era(0)) };
                let tally = plainly.or_else(|| window.push(size, era(0), bad)).unwrap();
                assert_eq!(tally, window.tally(size));
                assert!(tally.calls <= 3 && tally.failures <= 2, "{tally:?}");
            }
        }
        window.begin(100, era(2));
        assert_eq!(window.push(100, era(2), true), Some(Tally::new(1, 1)));
    }

    #[test]
    fn r20_failures_never_reach_what_stands_beside_them() {
        let head = Head { era: 7, pending: None, full: true, failures: 0, round: 1, place: 0 };
        assert_eq!(head.evicting(), head);
        let wrong = Head { failures: u32::MAX, ..head };
        assert_eq!(Head { failures: 0, ..Head::unpack(wrong.pack(9), 9) }, head);
    }

    #[test]
    fn r20_a_slot_has_another_version_after_each_write() {
        let window = LastCalls::new();
        let versions = [true, false, true, true, false].map(|bad| {
            window.push(1, era(0), bad);
            window.ring.get().unwrap().slot(0).0.load(Ordering::Relaxed) >> BITS
        });
        // A bit is written by the push after its own, and only where it differs.
        assert_eq!(versions, [0, 1, 2, 3, 3]);
    }
}

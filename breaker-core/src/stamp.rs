//! A value that belongs to one era, published after the word that began it.

use crate::{
    era::Era,
    sync::{AtomicU64, Ordering, newer, update},
};

/// The widest value: 48 bits.
pub(crate) const VALUE_MAX: u64 = (1 << 48) - 1;

/// `(16-bit stamp of an era, 48-bit value)` in one atomic.
///
/// The winner of a transition may be stalled (in a user's recover) while others go on; what it then publishes is
/// older than what stands here, and is dropped.
#[derive(Debug)]
pub(crate) struct Stamped(AtomicU64);

impl Stamped {
    /// `value` under the stamp of era 0.
    pub(crate) const fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    /// `value`, under the stamp of `era`.
    pub(crate) const fn under(era: Era, value: u64) -> Self {
        Self(AtomicU64::new(Self::tag(era) | value))
    }

    /// What was published for `era`, or `None` where that has not come yet, or another era's has.
    #[inline]
    pub(crate) fn of(&self, era: Era) -> Option<u64> {
        // Acquire: who sees a deadline sees the terms that were published before it.
        let bits = self.0.load(Ordering::Acquire);
        (stamp(bits) == era.stamp()).then_some(bits & VALUE_MAX)
    }

    /// What was published for `era`, if it is below `limit`: one comparison, since another era's stamp is above all.
    #[inline]
    pub(crate) fn below(&self, era: Era, limit: u64) -> Option<u64> {
        let value = self.0.load(Ordering::Acquire) ^ Self::tag(era);
        (value < limit).then_some(value)
    }

    /// The stamp of an era, where it stands.
    const fn tag(era: Era) -> u64 {
        (era.stamp() as u64) << 48
    }

    /// Replaces what belongs to an older era, or to this one.
    pub(crate) fn publish(&self, era: Era, value: u64) {
        let _ = self.update(|stamp, _| (stamp == era.stamp() || is_newer(era.stamp(), stamp)).then_some((era, value)));
    }

    /// Replaces whatever stands here, unless `later` says of its stamp that it came after this one.
    pub(crate) fn replace(&self, era: Era, value: u64, later: impl Fn(u16) -> bool) {
        let _ = self.update(|stamp, _| (!later(stamp)).then_some((era, value)));
    }

    /// Carries the value over to a newer era.
    ///
    /// Every stay does so, even one that has no use for the value: stamps wrap, and one that stood still for half
    /// their range would look newer than what comes next.
    pub(crate) fn restamp(&self, era: Era) {
        let _ = self.update(|stamp, value| is_newer(era.stamp(), stamp).then_some((era, value)));
    }

    /// Replaces `era`'s own value by what `next` makes of it; gives back the new one.
    pub(crate) fn renew(&self, era: Era, next: impl Fn(u64) -> Option<u64>) -> Option<u64> {
        self.update(|stamp, value| {
            let next = (stamp == era.stamp()).then(|| next(value)).flatten()?;
            Some((era, next))
        })
    }

    fn update(&self, next: impl Fn(u16, u64) -> Option<(Era, u64)>) -> Option<u64> {
        // Its release: the terms that a deadline rests on are published before it.
        let updated = update(&self.0, |seen| {
            let (era, value) = next(stamp(seen), seen & VALUE_MAX)?;
            Some((Self::tag(era) | (value & VALUE_MAX), value))
        });
        updated.ok()
    }
}

fn stamp(bits: u64) -> u16 {
    (bits >> 48) as u16
}

/// Whether stamp `a` is newer than `b`, in arithmetic that wraps.
const fn is_newer(a: u16, b: u16) -> bool {
    newer((a as u32) << 16, (b as u32) << 16)
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r08_an_older_era_replaces_nothing() {
        let cell = Stamped::new(0);
        cell.publish(Era::new(7), 70);
        cell.publish(Era::new(5), 50);
        assert_eq!((cell.of(Era::new(7)), cell.of(Era::new(5))), (Some(70), None));
        cell.publish(Era::new(7), 71);
        assert_eq!(cell.of(Era::new(7)), Some(71));
    }

    #[test]
    fn r08_stamps_wrap() {
        let cell = Stamped::new(0);
        cell.publish(Era::new(30_000), 1);
        cell.publish(Era::new(60_000), 2);
        cell.publish(Era::new(65_536 + 3), 3);
        assert_eq!(cell.of(Era::new(65_539)), Some(3));
        cell.publish(Era::new(60_000), 4);
        assert_eq!(cell.of(Era::new(65_539)), Some(3));
    }

    #[test]
    fn r08_a_value_of_another_era_is_below_nothing() {
        let cell = Stamped::under(Era::new(5), 70);
        assert_eq!([70, 71].map(|limit| cell.below(Era::new(5), limit)), [None, Some(70)]);
        for other in [0, 4, 6, 65_535] {
            assert_eq!(cell.below(Era::new(other), VALUE_MAX), None, "era {other}");
        }
        assert_eq!(cell.below(Era::new(65_536 + 5), 71), Some(70), "as much of an era as a stamp has");
    }

    #[test]
    fn renewing_is_for_the_own_era_only() {
        let cell = Stamped::new(0);
        cell.publish(Era::new(1), 10);
        assert_eq!(cell.renew(Era::new(2), |_| Some(20)), None);
        assert_eq!(cell.renew(Era::new(1), |value| Some(value + 1)), Some(11));
        assert_eq!(cell.renew(Era::new(1), |_| None), None);
        assert_eq!(cell.of(Era::new(1)), Some(11));
    }

    #[test]
    fn r08_a_value_that_is_carried_along_never_looks_newer() {
        let cell = Stamped::new(9);
        for era in 1..=200_000 {
            cell.restamp(Era::new(era));
        }
        assert_eq!(cell.of(Era::new(200_000)), Some(9));
        cell.publish(Era::new(200_001), 10);
        assert_eq!(cell.of(Era::new(200_001)), Some(10));
    }

    #[test]
    fn the_widest_value_does_not_reach_the_stamp() {
        let cell = Stamped::new(0);
        cell.publish(Era::new(1), u64::MAX);
        assert_eq!(cell.of(Era::new(1)), Some(VALUE_MAX));
    }

    #[test]
    fn a_value_may_begin_under_any_stamp() {
        let cell = Stamped::under(Era::new(5), 70);
        assert_eq!([0, 5].map(|era| cell.of(Era::new(era))), [None, Some(70)]);
    }
}

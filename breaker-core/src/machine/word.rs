//! The packed word: everything that is judged together, as a pure value.

use crate::{era::Era, status::Status};

/// Why the state does not follow the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It follows it.
    None,
    /// `force_open`: until `force_close`.
    ForcedOpen,
    /// `override_open`: until its end.
    OverriddenOpen,
    /// `override_closed`: until its end.
    OverriddenClosed,
}

/// One atomic read of a breaker.
///
/// ```text
/// 63          32 31         20 19       12 11      7   6      5     4    3  2  1    0
/// [     era     ][  openings  ][   row   ][ lapses ][tuned][watched][ramp][hold][status]
/// ```
///
/// | field | means |
/// | --- | --- |
/// | status | closed, open, half_open or probing |
/// | hold | an operator's word over the strategy's |
/// | ramp | closed by a probe, and not yet admitting all |
/// | watched | the declaration has an `on_event`; never changes |
/// | tuned | its settings have been changed since the declaration |
/// | lapses | leases lapsed since the last close (R6) |
/// | row | successful probes in a row (R7) |
/// | openings | openings in a row, as recover sees them (R27, R30) |
/// | era | the number of this stay in this state (R8) |
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word(u64);

const STATUS: u64 = 0b11;
const HOLD: u64 = 0b11 << HOLD_AT;
const HOLD_AT: u32 = 2;
const RAMP: u64 = 1 << 4;
const WATCHED: u64 = 1 << 5;
const TUNED: u64 = 1 << 6;
const LAPSES_AT: u32 = 7;
const LAPSES: u64 = 0x1F << LAPSES_AT;
const ROW_AT: u32 = 12;
const ROW: u64 = 0xFF << ROW_AT;
const OPENINGS_AT: u32 = 20;
const OPENINGS: u64 = 0xFFF << OPENINGS_AT;
const ERA_AT: u32 = 32;

/// Set in a word: the call leaves the fast path. Status closed is 0 on purpose.
const GATE: u64 = STATUS | HOLD | RAMP | WATCHED | TUNED;

impl Word {
    /// Closed, era 0.
    pub(crate) const fn new(watched: bool) -> Self {
        Self(if watched { WATCHED } else { 0 })
    }

    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Closed, and nothing else to look at: the only question on the fast path.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        self.0 & GATE == 0
    }

    /// Open, and nothing else to look at.
    #[inline]
    pub(crate) const fn is_plainly_open(self) -> bool {
        self.0 & GATE == Status::Open as u64
    }

    /// What the fast path asks about; [`Word::from_bits`] of it has the same status and hold.
    pub(crate) const fn gate(self) -> u64 {
        self.0 & GATE
    }

    pub(crate) const fn status(self) -> Status {
        match self.0 & STATUS {
            0 => Status::Closed,
            1 => Status::Open,
            2 => Status::HalfOpen,
            _ => Status::Probing,
        }
    }

    pub(crate) const fn hold(self) -> Hold {
        match (self.0 & HOLD) >> HOLD_AT {
            0 => Hold::None,
            1 => Hold::ForcedOpen,
            2 => Hold::OverriddenOpen,
            _ => Hold::OverriddenClosed,
        }
    }

    pub(crate) const fn ramping(self) -> bool {
        self.0 & RAMP != 0
    }

    pub(crate) const fn lapses(self) -> u32 {
        self.field(LAPSES, LAPSES_AT)
    }

    pub(crate) const fn row(self) -> u32 {
        self.field(ROW, ROW_AT)
    }

    pub(crate) const fn openings(self) -> u32 {
        self.field(OPENINGS, OPENINGS_AT)
    }

    #[inline]
    pub(crate) const fn era(self) -> Era {
        Era::new((self.0 >> ERA_AT) as u32)
    }

    /// The stay after this one: `status`, held by nobody, all counts kept.
    pub(crate) const fn next(self, status: Status) -> Self {
        let era = self.era().next().number() as u64;
        let kept = self.0 & (WATCHED | TUNED | LAPSES | ROW | OPENINGS);
        Self((era << ERA_AT) | kept | status as u64)
    }

    pub(crate) const fn held(self, hold: Hold) -> Self {
        Self((self.0 & !HOLD) | ((hold as u64) << HOLD_AT))
    }

    pub(crate) const fn with_ramp(self, ramp: bool) -> Self {
        Self(if ramp { self.0 | RAMP } else { self.0 & !RAMP })
    }

    pub(crate) const fn tuned(self) -> bool {
        self.0 & TUNED != 0
    }

    pub(crate) const fn with_tuned(self, tuned: bool) -> Self {
        Self(if tuned { self.0 | TUNED } else { self.0 & !TUNED })
    }

    /// Counts past the field's width stay at its top.
    pub(crate) const fn with_lapses(self, lapses: u32) -> Self {
        self.with(LAPSES, LAPSES_AT, lapses)
    }

    /// Counts past the field's width stay at its top.
    pub(crate) const fn with_row(self, row: u32) -> Self {
        self.with(ROW, ROW_AT, row)
    }

    /// Counts past the field's width stay at its top.
    pub(crate) const fn with_openings(self, openings: u32) -> Self {
        self.with(OPENINGS, OPENINGS_AT, openings)
    }

    const fn field(self, mask: u64, at: u32) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "no field but the era is wider than 12 bits")]
        {
            ((self.0 & mask) >> at) as u32
        }
    }

    const fn with(self, mask: u64, at: u32, value: u32) -> Self {
        let top = mask >> at;
        let value = if value as u64 > top { top } else { value as u64 };
        Self((self.0 & !mask) | (value << at))
    }
}

impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Word")
            .field("era", &self.era().get())
            .field("status", &self.status())
            .field("hold", &self.hold())
            .field("ramping", &self.ramping())
            .field("lapses", &self.lapses())
            .field("row", &self.row())
            .field("openings", &self.openings())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r08_the_next_stay_has_the_next_era_and_keeps_the_counts() {
        let word = Word::new(true).with_lapses(3).with_row(7).with_openings(9);
        let next = word.held(Hold::ForcedOpen).with_ramp(true).next(Status::Probing);
        assert_eq!(next.era().get(), 1);
        assert_eq!((next.lapses(), next.row(), next.openings()), (3, 7, 9));
        assert_eq!((next.status(), next.hold(), next.ramping()), (Status::Probing, Hold::None, false));
    }

    #[test]
    fn the_era_wraps_and_touches_nothing_else() {
        let word = Word::from_bits(u64::MAX).next(Status::Closed);
        assert_eq!(word.era().get(), 0);
        assert_eq!((word.lapses(), word.row(), word.openings()), (31, 255, 4095));
    }

    #[test]
    fn counts_stop_at_the_top_of_their_field() {
        let word = Word::new(false).with_lapses(99).with_row(999).with_openings(99_999);
        assert_eq!((word.lapses(), word.row(), word.openings()), (31, 255, 4095));
        assert_eq!((word.era().get(), word.status()), (0, Status::Closed));
    }

    #[test]
    fn only_closed_with_nothing_to_look_at_is_plain() {
        let plain = Word::new(false);
        assert!(plain.with_openings(3).is_plain());
        assert!(!Word::new(true).is_plain());
        assert!(!plain.with_ramp(true).is_plain());
        assert!(!plain.with_tuned(true).is_plain());
        assert!(!plain.held(Hold::OverriddenClosed).is_plain());
        for status in [Status::Open, Status::HalfOpen, Status::Probing] {
            assert!(!plain.next(status).is_plain());
        }
    }

    #[test]
    fn only_open_with_nothing_to_look_at_is_plainly_open() {
        let open = Word::new(false).next(Status::Open);
        assert!(open.with_openings(3).is_plainly_open());
        assert!(!open.held(Hold::ForcedOpen).is_plainly_open());
        assert!(!Word::new(true).next(Status::Open).is_plainly_open());
        for status in [Status::Closed, Status::HalfOpen, Status::Probing] {
            assert!(!open.next(status).is_plainly_open());
        }
    }

    #[test]
    fn r10_a_word_says_who_holds_it() {
        for hold in [Hold::None, Hold::ForcedOpen, Hold::OverriddenOpen, Hold::OverriddenClosed] {
            assert_eq!(Word::from_bits(u64::MAX).held(hold).hold(), hold);
        }
    }

    #[test]
    fn settings_that_changed_once_stay_changed() {
        assert!(Word::new(false).with_tuned(true).with_tuned(true).tuned());
        assert!(!Word::new(false).with_tuned(true).with_tuned(false).tuned());
        assert!(Word::new(false).with_ramp(true).with_ramp(true).ramping());
    }
}

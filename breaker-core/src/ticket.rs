//! What a call that asks to be let through is told, and what it keeps.

use crate::{
    Era,
    clock::Time,
    era::EraWord,
    machine::word::{Hold, Word},
    status::Status,
};
use std::{fmt, time::Duration};

/// The era of an admitted call, and what it owes at its end.
///
/// Two numbers and nothing else: the fast path holds them in registers, and so does the slow one that joins it. An
/// enum, or a `Result` with an error of 56 bytes, would go through memory on both.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Ticket {
    /// The era above, the way below.
    bits: u64,
    /// When it began, in nanoseconds.
    nanos: u64,
}

/// Why a call was turned away, in as little room.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Refusal {
    /// What the fast path asked of the word.
    bits: u64,
    /// After how many nanoseconds it may come again.
    nanos: u64,
}

/// A ticket or a refusal, as the slow path gives it back: in two registers.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    bits: u64,
    nanos: u64,
}

/// In an answer: it is a refusal.
const REFUSED: u64 = 1 << 16;
/// In nanoseconds: not known.
const UNKNOWN: u64 = u64::MAX;

impl From<Ticket> for Answer {
    fn from(Ticket { bits, nanos }: Ticket) -> Self {
        Self { bits, nanos }
    }
}

impl From<Refusal> for Answer {
    fn from(Refusal { bits, nanos }: Refusal) -> Self {
        Self { bits: bits | REFUSED, nanos }
    }
}

impl Answer {
    #[inline]
    pub(crate) const fn opened(self) -> Result<Ticket, Refusal> {
        let Self { bits, nanos } = self;
        if bits & REFUSED == 0 { Ok(Ticket { bits, nanos }) } else { Err(Refusal { bits: bits & !REFUSED, nanos }) }
    }
}

impl Refusal {
    /// The most nanoseconds that it can tell.
    pub(crate) const LONGEST: u64 = UNKNOWN - 1;

    /// By `word`, with so many nanoseconds left, at most [`Refusal::LONGEST`].
    #[inline]
    pub(crate) fn new(word: Word, nanos: Option<u64>) -> Self {
        let nanos = nanos.unwrap_or(UNKNOWN);
        Self { bits: (word.era().get() << 32) | word.gate(), nanos }
    }

    /// The state, who holds it, the era, and the time left.
    pub(crate) fn read(self) -> (Status, Hold, Era, Option<Duration>) {
        let word = Word::from_bits(self.bits);
        (word.status(), word.hold(), word.era(), (self.nanos != UNKNOWN).then(|| Duration::from_nanos(self.nanos)))
    }
}

/// How a call was let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Closed, and nobody listens: it owes the strategy one look, no more.
    Plain,
    /// The same, counted in by the stats.
    Counted,
    /// The slow path: `told` where somebody has heard of its beginning.
    Slow { told: bool, counted: bool },
    /// It has not asked yet.
    Fresh { probes: bool },
    /// It owes nothing any more.
    Spent,
}

const APART: u64 = EraWord::APART;
const PLAIN: u64 = 0;
const COUNTED: u64 = 1;
const SLOW: u64 = 2;
const SLOW_COUNTED: u64 = 3;
const TOLD: u64 = 7;
const TOLD_COUNTED: u64 = 8;
const FRESH: u64 = 4;
const FRESH_PROBES: u64 = 5;
const SPENT: u64 = 6;

impl Ticket {
    /// Owes nothing.
    pub(crate) const SPENT: Self = Self { bits: APART | SPENT, nanos: UNKNOWN };

    /// Of a call that has not asked yet.
    #[inline]
    pub(crate) const fn fresh(probes: bool) -> Self {
        Self { bits: APART | if probes { FRESH_PROBES } else { FRESH }, nanos: UNKNOWN }
    }

    /// On the fast path.
    #[inline]
    pub(crate) fn plain(era: Era, started: Option<Time>) -> Self {
        Self::packed(era, PLAIN, started)
    }

    /// Counted in by the stats, of no interest to others.
    pub(crate) fn counted(era: Era, started: Option<Time>) -> Self {
        Self::packed(era, COUNTED, started)
    }

    /// On the slow path; `told` where somebody has heard of its beginning, and so is to hear of its end.
    pub(crate) fn slow(era: Era, told: bool, counted: bool, started: Option<Time>) -> Self {
        let way = match (told, counted) {
            (false, false) => SLOW,
            (false, true) => SLOW_COUNTED,
            (true, false) => TOLD,
            (true, true) => TOLD_COUNTED,
        };
        Self::packed(era, way, started)
    }

    #[inline]
    fn packed(era: Era, way: u64, started: Option<Time>) -> Self {
        let apart = if way == PLAIN { 0 } else { APART };
        Self { bits: (era.get() << 32) | apart | way, nanos: started.map_or(UNKNOWN, Time::nanos) }
    }

    /// The era that gave it.
    #[inline]
    pub fn era(self) -> Era {
        Era::new((self.bits >> 32) as u32)
    }

    /// Its era as a strategy compares it.
    #[inline]
    pub(crate) const fn era_word(self) -> EraWord {
        EraWord::from_bits(self.bits)
    }

    /// Whether it is of the fast path.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        self.bits & 0xFF == PLAIN
    }

    #[inline]
    pub(crate) const fn way(self) -> Way {
        match self.bits & 0xFF {
            PLAIN => Way::Plain,
            COUNTED => Way::Counted,
            SLOW => Way::Slow { told: false, counted: false },
            SLOW_COUNTED => Way::Slow { told: false, counted: true },
            TOLD => Way::Slow { told: true, counted: false },
            TOLD_COUNTED => Way::Slow { told: true, counted: true },
            FRESH => Way::Fresh { probes: false },
            FRESH_PROBES => Way::Fresh { probes: true },
            _ => Way::Spent,
        }
    }

    /// When it began, where somebody wants to know.
    pub(crate) fn started(self) -> Option<Time> {
        (self.nanos != UNKNOWN).then(|| Time::from_nanos(self.nanos))
    }

    /// The same ticket, with a start read now where it has none.
    #[inline]
    pub(crate) fn started_by(self, clock: impl FnOnce() -> Time) -> Self {
        if self.nanos == UNKNOWN { Self { nanos: clock().nanos(), ..self } } else { self }
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").field("era", &self.era()).field("way", &self.way()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r33_a_ticket_keeps_its_way_and_its_era() {
        let era = Era::new(u32::MAX);
        for (ticket, way) in [
            (Ticket::plain(era, None), Way::Plain),
            (Ticket::counted(era, None), Way::Counted),
            (Ticket::slow(era, false, false, None), Way::Slow { told: false, counted: false }),
            (Ticket::slow(era, false, true, None), Way::Slow { told: false, counted: true }),
            (Ticket::slow(era, true, false, None), Way::Slow { told: true, counted: false }),
            (Ticket::slow(era, true, true, None), Way::Slow { told: true, counted: true }),
        ] {
            assert_eq!((ticket.way(), ticket.era(), ticket.started()), (way, era, None));
            assert_eq!(ticket.is_plain(), way == Way::Plain, "R25: only the fast path's end is as fast");
            assert_eq!(ticket.era_word() == era.word(), way == Way::Plain, "R25: no other is a strategy's word");
            assert_eq!(ticket.era_word().is_plain(), way == Way::Plain);
        }
        for probes in [false, true] {
            assert_eq!(Ticket::fresh(probes).way(), Way::Fresh { probes });
            assert!(!Ticket::fresh(probes).era_word().is_plain());
        }
        assert_eq!(Ticket::SPENT.way(), Way::Spent);
        assert!(!Ticket::SPENT.era_word().is_plain());
    }

    #[test]
    fn r37_the_longest_time_is_a_time() {
        let left = |nanos| Refusal::new(Word::from_bits(0), nanos).read().3;
        let longest = Duration::from_nanos(Refusal::LONGEST);
        assert_eq!([Some(Refusal::LONGEST), Some(0), None].map(left), [Some(longest), Some(Duration::ZERO), None]);
    }
}

//! The number of one stay in one state.

use crate::sync::newer;

/// The number of one stay in one state: a permit belongs to the era that gave it (R8).
///
/// Two stays of one breaker have different eras (the number wraps after 4,294,967,296 of them).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Era(u32);

impl Era {
    /// The era with this number; a strategy's own tests make theirs so.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0 as u64
    }

    /// The number in the width in which it is packed.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Whether this era came after `other`, within half of the number's range.
    pub const fn is_after(self, other: Self) -> bool {
        newer(self.0, other.0)
    }

    /// In a word of which it is the upper half.
    #[inline]
    pub(crate) const fn word(self) -> EraWord {
        EraWord(self.get() << 32)
    }

    pub(crate) const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    /// The stamp beside a time (R8: an era packed beside other fields keeps at least 16 bits).
    pub(crate) const fn stamp(self) -> u16 {
        #[expect(clippy::cast_possible_truncation, reason = "a stamp is the low half of an era")]
        {
            self.0 as u16
        }
    }
}

/// An era as the upper half of a word, which a strategy compares with one that it keeps.
///
/// The lower half is 0 for a call of the fast path. For any other it has a bit that no strategy sets, so that to find
/// the word there is to know that the call is of the fast path, too.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EraWord(u64);

impl EraWord {
    /// In the lower half of a word of a call that is not of the fast path.
    pub(crate) const APART: u64 = 1 << 31;

    /// From both halves.
    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Both halves.
    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Whether it is of the fast path.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        self.0 & Self::APART == 0
    }
}

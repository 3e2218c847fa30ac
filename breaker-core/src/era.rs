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

//! The word in one atomic, nothing else: the diagram is the function it is given.

use super::word::Word;
use crate::sync::{AtomicU64, Ordering, glance, update};

/// The word in memory.
#[derive(Debug)]
pub(crate) struct Cell(AtomicU64);

/// A change that this thread made, and so owes the telling of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    pub(crate) from: Word,
    pub(crate) to: Word,
}

impl Cell {
    pub(crate) const fn new(word: Word) -> Self {
        Self(AtomicU64::new(word.bits()))
    }

    #[inline]
    pub(crate) fn load(&self) -> Word {
        // Acquire: who sees a word sees what its winner published before the one it replaced.
        Word::from_bits(self.0.load(Ordering::Acquire))
    }

    /// Whether settings were given that are not the declaration's.
    pub(crate) fn tuned(&self) -> bool {
        Word::from_bits(glance(&self.0)).tuned()
    }

    /// Replaces the word by what `next` makes of it; of many threads exactly one wins each change.
    ///
    /// Where `next` makes nothing of it, the word that it refused is given back.
    pub(crate) fn shift(&self, next: impl Fn(Word) -> Option<Word>) -> Result<Shift, Word> {
        let shifted = update(&self.0, |bits| {
            let from = Word::from_bits(bits);
            let to = next(from)?;
            Some((to.bits(), Shift { from, to }))
        });
        shifted.map_err(Word::from_bits)
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r35_only_a_breaker_with_other_settings_looks_for_them() {
        assert!(!Cell::new(Word::new(true)).tuned());
        assert!(Cell::new(Word::new(false).with_tuned(true)).tuned());
    }
}

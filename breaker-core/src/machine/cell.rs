//! The atomic and its compare-and-swap loop, nothing else: the diagram is the function it is given.

use super::word::Word;
use crate::sync::{AtomicU64, Ordering};

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

    /// Replaces the word by what `next` makes of it; of many threads exactly one wins each change.
    ///
    /// `None` from `next` ends the loop and gives back the word that it refused.
    pub(crate) fn shift(&self, next: impl Fn(Word) -> Option<Word>) -> Result<Shift, Word> {
        let mut from = self.load();
        loop {
            let Some(to) = next(from) else { return Err(from) };
            // Release: what the winner did before is seen by whoever sees the new word.
            match self.0.compare_exchange_weak(from.bits(), to.bits(), Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Ok(Shift { from, to }),
                Err(seen) => from = Word::from_bits(seen),
            }
        }
    }
}

//! Counting calls, once somebody has asked for it.

use crate::{
    event,
    outcome::Outcome,
    sync::{
        OnceLock, Ordering,
        process::{AtomicU64, AtomicUsize},
    },
};
use std::{cell::Cell, thread::LocalKey};

/// How many calls came to what, since [`collect_stats`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Calls that succeeded.
    pub successes: u64,
    /// Calls that failed, panicked ones and time-outs among them.
    pub failures: u64,
    /// Calls that said nothing about the dependency.
    pub ignored: u64,
    /// Calls that did not come to their end, whatever their age.
    pub abandoned: u64,
    /// Calls that were not let through.
    pub rejected: u64,
    /// Calls that ended after their era; counted here only.
    pub late: u64,
    /// Calls that were let through and have not ended.
    pub in_flight: u64,
}

/// From now on every breaker counts its calls, for `stats()`; off until something asks, since it costs a few
/// nanoseconds a call.
pub fn collect_stats() {
    event::count();
}

/// A breaker's counts, spread so that counting threads do not share a line.
#[derive(Debug)]
pub(crate) struct Counters(Box<[Shard]>);

/// Padded to the two lines that processors fetch together.
#[repr(align(128))]
#[derive(Debug, Default)]
struct Shard {
    admitted: AtomicU64,
    successes: AtomicU64,
    failures: AtomicU64,
    ignored: AtomicU64,
    abandoned: AtomicU64,
    rejected: AtomicU64,
    late: AtomicU64,
    /// Rejections, whether or not stats are collected: what an operator is told after an opening.
    turned_away: AtomicU64,
}

impl Counters {
    pub(crate) fn new() -> Self {
        Self((0..shards()).map(|_| Shard::default()).collect())
    }

    pub(crate) fn admitted(&self) {
        add(&self.shard().admitted);
    }

    pub(crate) fn rejected(&self) {
        add(&self.shard().rejected);
    }

    pub(crate) fn turned_away(&self) {
        add(&self.shard().turned_away);
    }

    pub(crate) fn all_turned_away(&self) -> u64 {
        self.0.iter().map(|shard| shard.turned_away.load(Ordering::Relaxed)).sum()
    }

    pub(crate) fn finished(&self, outcome: Outcome, late: bool) {
        let shard = self.shard();
        add(match outcome {
            _ if late => &shard.late,
            Outcome::Success => &shard.successes,
            Outcome::Failure(_) => &shard.failures,
            Outcome::Ignored => &shard.ignored,
            Outcome::Abandoned => &shard.abandoned,
        });
    }

    pub(crate) fn sum(&self) -> Stats {
        let mut stats = Stats::default();
        let mut admitted = 0;
        for shard in &self.0 {
            let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
            // Ends before beginnings: a call that comes to its end meanwhile is at worst still in flight.
            stats.successes += read(&shard.successes);
            stats.failures += read(&shard.failures);
            stats.ignored += read(&shard.ignored);
            stats.abandoned += read(&shard.abandoned);
            stats.rejected += read(&shard.rejected);
            stats.late += read(&shard.late);
            admitted += read(&shard.admitted);
        }
        let Stats { successes, failures, ignored, abandoned, late, .. } = stats;
        let finished = successes + failures + ignored + abandoned + late;
        Stats { in_flight: admitted.saturating_sub(finished), ..stats }
    }

    #[cfg(any(feature = "test-util", breaker_loom))]
    pub(crate) fn reset(&self) {
        for shard in &self.0 {
            let Shard { admitted, successes, failures, ignored, abandoned, rejected, late, turned_away } = shard;
            for count in [admitted, successes, failures, ignored, abandoned, rejected, late, turned_away] {
                count.store(0, Ordering::Relaxed);
            }
        }
    }

    fn shard(&self) -> &Shard {
        // The number of shards is a power of two.
        &self.0[slot() & (self.0.len() - 1)]
    }
}

fn add(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}

/// A power of two, at least the number of processors up to 16.
fn shards() -> usize {
    static SHARDS: OnceLock<usize> = OnceLock::new();
    *SHARDS.get_or_init(|| {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        processors.min(16).next_power_of_two()
    })
}

/// This thread's number, in the order in which threads first count.
#[inline]
fn slot() -> usize {
    thread_local! {
        // Without a first value to make and without a drop: reading it is one load.
        static SLOT: Cell<usize> = const { Cell::new(UNNUMBERED) };
    }
    let slot = SLOT.get();
    if slot == UNNUMBERED { number(&SLOT) } else { slot }
}

const UNNUMBERED: usize = usize::MAX;

#[cold]
fn number(slot: &'static LocalKey<Cell<usize>>) -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    let number = THREADS.fetch_add(1, Ordering::Relaxed) % UNNUMBERED;
    slot.set(number);
    number
}

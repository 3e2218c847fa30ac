//! Counting calls, once somebody has asked for it.

use crate::{
    event,
    outcome::Outcome,
    sync::{OnceLock, Ordering, process::AtomicU64},
};

mod seat;

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
///
/// The first shards are each written by one thread, which has its seat there and needs no locked instruction to add
/// one; the others by all threads that found no seat.
#[derive(Debug)]
pub(crate) struct Counters {
    own: Box<[Shard]>,
    shared: Box<[Shard]>,
}

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
        let seats = seats();
        Self::of(seats, (seats / 4).max(1))
    }

    fn of(own: usize, shared: usize) -> Self {
        let shards = |n| (0..n).map(|_| Shard::default()).collect();
        Self { own: shards(own), shared: shards(shared) }
    }

    fn all(&self) -> impl Iterator<Item = &Shard> {
        self.own.iter().chain(&self.shared)
    }

    #[inline]
    pub(crate) fn admitted(&self) {
        self.add(|shard| &shard.admitted);
    }

    #[inline]
    pub(crate) fn rejected(&self) {
        self.add(|shard| &shard.rejected);
    }

    #[inline]
    pub(crate) fn turned_away(&self) {
        self.add(|shard| &shard.turned_away);
    }

    pub(crate) fn all_turned_away(&self) -> u64 {
        self.all().map(|shard| shard.turned_away.load(Ordering::Relaxed)).sum()
    }

    #[inline]
    pub(crate) fn succeeded(&self) {
        self.add(|shard| &shard.successes);
    }

    pub(crate) fn finished(&self, outcome: Outcome, late: bool) {
        self.add(|shard| match outcome {
            _ if late => &shard.late,
            Outcome::Success => &shard.successes,
            Outcome::Failure(_) => &shard.failures,
            Outcome::Ignored => &shard.ignored,
            Outcome::Abandoned => &shard.abandoned,
        });
    }

    pub(crate) fn sum(&self) -> Stats {
        // Acquire: where an end is seen, so is the beginning, whichever thread made it.
        let read = |count: &AtomicU64| count.load(Ordering::Acquire);
        let mut stats = Stats::default();
        for shard in self.all() {
            stats.successes += read(&shard.successes);
            stats.failures += read(&shard.failures);
            stats.ignored += read(&shard.ignored);
            stats.abandoned += read(&shard.abandoned);
            stats.rejected += read(&shard.rejected);
            stats.late += read(&shard.late);
        }
        // All ends before all beginnings: a call that comes to its end meanwhile is at worst still in flight.
        let admitted: u64 = self.all().map(|shard| read(&shard.admitted)).sum();
        let Stats { successes, failures, ignored, abandoned, late, .. } = stats;
        let finished = successes + failures + ignored + abandoned + late;
        Stats { in_flight: admitted.saturating_sub(finished), ..stats }
    }

    #[cfg(any(feature = "test-util", breaker_loom))]
    pub(crate) fn reset(&self) {
        for shard in self.all() {
            let Shard { admitted, successes, failures, ignored, abandoned, rejected, late, turned_away } = shard;
            for count in [admitted, successes, failures, ignored, abandoned, rejected, late, turned_away] {
                count.store(0, Ordering::Relaxed);
            }
        }
    }

    #[inline]
    fn add(&self, count: impl Fn(&Shard) -> &AtomicU64) {
        if let Some(shard) = self.own.get(seat::taken()) {
            add_alone(count(shard));
        } else {
            self.add_slowly(count);
        }
    }

    #[cold]
    #[inline(never)]
    fn add_slowly(&self, count: impl Fn(&Shard) -> &AtomicU64) {
        let seat = seat::take();
        if let Some(shard) = seat.and_then(|seat| self.own.get(seat)) {
            add_alone(count(shard));
        } else {
            let shard = &self.shared[seat.unwrap_or(0) % self.shared.len()];
            count(shard).fetch_add(1, Ordering::Release);
        }
    }
}

/// No one step, and none is needed: only this thread writes here. Release: see [`Counters::sum`].
#[inline]
fn add_alone(count: &AtomicU64) {
    count.store(count.load(Ordering::Relaxed).wrapping_add(1), Ordering::Release);
}

/// As many as there are processors, up to 16, and one for the thread that waits for those that work.
fn seats() -> usize {
    static SEATS: OnceLock<usize> = OnceLock::new();
    *SEATS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from).min(16) + 1)
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::Barrier, thread};

    #[test]
    fn r35_a_thread_without_a_seat_of_its_own_counts_in_a_shared_shard() {
        let all = Barrier::new(4);
        let unseated = || {
            // Of four that sit at once, one has three before it.
            let seat = seat::take().expect("this thread goes on");
            all.wait();
            let shards = 3 + seat + 1;
            let counters = Counters::of(3, shards - 3);
            counters.finished(Outcome::Success, false);
            let at = |shard: &Shard| shard.successes.load(Ordering::Relaxed) == 1;
            assert_eq!(counters.all().position(at), Some(if seat < 3 { seat } else { 3 + seat }));
            assert_eq!(counters.sum().successes, 1);
            seat
        };
        let seats: Vec<_> = thread::scope(|scope| {
            [(); 4].map(|()| scope.spawn(unseated)).into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(seats.iter().any(|seat| *seat >= 3), "{seats:?}");
    }

    #[test]
    fn r35_there_are_as_many_seats_as_processors_and_one() {
        let processors = thread::available_parallelism().unwrap().get();
        assert_eq!(seats(), processors.min(16) + 1);
    }
}

//! A thread's seat: the number of the shard that it alone writes.

use crate::sync::{lock_process, process::Mutex};
use std::{cell::Cell, collections::BTreeSet};

/// Seats are given out from 0 on, and given back when their thread ends, so that a program that starts and ends
/// threads all day needs as many as it has threads at once.
#[derive(Debug)]
struct Seats {
    free: BTreeSet<usize>,
    taken: usize,
}

static SEATS: Mutex<Seats> = Mutex::new(Seats { free: BTreeSet::new(), taken: 0 });

/// No seat yet, or no more.
const NONE: usize = usize::MAX;

thread_local! {
    // Without a first value to make and without a drop: looking at it is one load.
    static SEAT: Cell<usize> = const { Cell::new(NONE) };
    static LEAVING: Leaving = const { Leaving };
}

/// Gives the seat back when its thread ends.
struct Leaving;

impl Drop for Leaving {
    fn drop(&mut self) {
        let seat = SEAT.replace(NONE);
        // The lock: who sits here next sees all that was written from this seat.
        lock_process(&SEATS).free.insert(seat);
    }
}

/// This thread's seat, which nobody else is given meanwhile; a number above all seats where it has none.
#[inline]
pub(super) fn taken() -> usize {
    SEAT.get()
}

/// This thread's seat, given now where it has none; `None` where the thread is about to end.
pub(super) fn take() -> Option<usize> {
    if taken() != NONE {
        return Some(taken());
    }
    // A thread that is past giving it back takes none: another one may sit there by now.
    LEAVING.try_with(|_| ()).ok()?;
    let mut all = lock_process(&SEATS);
    let seat = all.free.pop_first().unwrap_or_else(|| {
        all.taken += 1;
        all.taken - 1
    });
    drop(all);
    SEAT.set(seat);
    Some(seat)
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::Barrier, thread};

    #[test]
    fn threads_at_once_sit_apart_and_a_seat_is_taken_again() {
        for _ in 0..100 {
            let all = Barrier::new(4);
            let seats: BTreeSet<_> = thread::scope(|scope| {
                let sit = || {
                    let seat = take();
                    all.wait();
                    seat
                };
                [(); 4].map(|()| scope.spawn(sit)).into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert_eq!(seats.len(), 4, "{seats:?}");
            assert!(!seats.contains(&None));
        }
        // Other tests of this process sit, too; but not hundreds of them at once.
        assert!(lock_process(&SEATS).taken < 400);
    }

    #[test]
    fn a_thread_keeps_its_seat() {
        let seat = take().expect("this thread goes on");
        assert_eq!((taken(), take()), (seat, Some(seat)));
        assert!(seat < lock_process(&SEATS).taken, "from 0 on");
    }
}

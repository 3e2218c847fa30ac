//! For tests: one at a time, breakers as at program start, and a clock that is moved by hand.

use crate::{
    clock::by_hand,
    permit::Inside,
    registry::registry,
    sync::{lock_process, process},
};
use std::{fmt, time::Duration};

static ALONE: process::Mutex<()> = process::Mutex::new(());

/// One test at a time: every breaker of the registry starts as at program start, and time stands still until
/// [`advance`] moves it.
///
/// Inside a tokio runtime tokio's clock, paused or not, is the breaker's; a test uses one of the two. A test that
/// panics leaves the way free for the next.
///
/// ```
/// # use breaker_core as breaker;
/// use std::time::Duration;
///
/// let _alone = breaker::test_util::isolate();
/// breaker::test_util::advance(Duration::from_secs(30));
/// ```
#[must_use = "dropping the guard ends the isolation; keep it for as long as the test runs"]
pub fn isolate() -> Isolated {
    let alone = lock_process(&ALONE);
    by_hand::hold();
    reset();
    Isolated { _alone: alone }
}

/// Moves the clock of [`isolate`]; of no effect without one, nor inside a tokio runtime, where breakers go by tokio's clock:
/// there a test pauses that, and moves it by `tokio::time::advance`.
pub fn advance(by: Duration) {
    by_hand::advance(by);
}

/// Seeds this thread's jitter, so that a test meets the same waits each time.
pub fn seed(seed: u64) {
    fastrand::seed(seed);
}

/// Sets the clock of [`isolate`] back to the time of day, for a model that is run over and over.
#[cfg(breaker_loom)]
pub fn rewind() {
    by_hand::hold();
}

/// Whether loads may give what is not the latest, for models; else every order of all accesses is tried.
#[cfg(breaker_loom)]
pub fn stale(may: bool) {
    crate::sync::stale(may);
}

/// Whether looking at the clock, and moving it, are steps, for models in which time passes meanwhile.
#[cfg(breaker_loom)]
pub fn clock_is_a_step(is: bool) {
    crate::sync::clock_is_a_step(is);
}

/// Whether another thread may come between a step and the lock after it, for models; with fewer steps more orders are
/// gone through.
#[cfg(breaker_loom)]
pub fn locks_are_steps(are: bool) {
    crate::sync::locks_are_steps(are);
}

/// How often this process has written to an atomic of a breaker, for models that count.
#[cfg(breaker_loom)]
pub fn writes() -> u64 {
    crate::sync::writes()
}

/// How often this process has read a clock, for models that count.
#[cfg(breaker_loom)]
pub fn clock_reads() -> u64 {
    by_hand::reads()
}

fn reset() {
    for breaker in registry().iter() {
        breaker.reset_dyn(Inside(()));
    }
}

/// Lives as long as a test has the breakers to itself.
pub struct Isolated {
    _alone: process::MutexGuard<'static, ()>,
}

impl Drop for Isolated {
    fn drop(&mut self) {
        // What the test left, at times that will not come, is nobody's.
        by_hand::release();
        reset();
    }
}

impl fmt::Debug for Isolated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Isolated").finish_non_exhaustive()
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r27_the_same_seed_brings_the_same_jitter() {
        let drawn = || {
            seed(7);
            [(); 4].map(|()| fastrand::u64(..))
        };
        assert_eq!(drawn(), drawn());
    }
}

//! The only importer of atomics and locks.
//!
//! With `--cfg breaker_loom` the model checker's versions stand in. Loom has no `const` constructors,
//! so there each object is made when it is first touched; that is inside the model, where threads take
//! turns, and so invisible to it.

#[cfg(breaker_loom)]
mod modelled;

use std::sync::atomic::compiler_fence;
pub(crate) use std::sync::{Arc, OnceLock, PoisonError, Weak, atomic::Ordering};

/// What a static breaker allocates on first need: never blocks, never poisons.
#[cfg(not(breaker_loom))]
pub(crate) use once_cell::race::OnceBox;
#[cfg(not(breaker_loom))]
use std::sync::atomic::fence;
#[cfg(not(breaker_loom))]
pub(crate) use std::sync::{Mutex, MutexGuard, atomic::AtomicU64};

#[cfg(breaker_loom)]
use self::modelled::first_look;
#[cfg(breaker_loom)]
pub(crate) use self::modelled::{
    AtomicU64, Mutex, MutexGuard, OnceBox, clock_is_a_step, glance, locks_are_steps, move_clock, read_clock, stale,
    writes,
};
#[cfg(breaker_loom)]
use loom::sync::atomic::fence;

/// State of the whole process, which no model spans: never loom's.
pub(crate) mod process {
    #[cfg(any(feature = "test-util", breaker_loom))]
    pub(crate) use std::sync::atomic::AtomicBool;
    pub(crate) use std::sync::{
        Mutex, MutexGuard,
        atomic::{AtomicU64, AtomicUsize},
    };
}

/// Locks, whether or not a holder panicked: what is guarded is whole after each statement.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// [`lock`] for what belongs to the process.
pub(crate) fn lock_process<T>(mutex: &process::Mutex<T>) -> process::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Replaces the value by what `next` makes of it, in one step: of many threads exactly one makes each change.
///
/// Gives back what else `next` says of the change that was made, or the value that it refused.
#[inline]
pub(crate) fn update<T>(atomic: &AtomicU64, next: impl Fn(u64) -> Option<(u64, T)>) -> Result<T, u64> {
    // Acquire: who sees a value sees what was done before it was put there.
    let mut seen = first_look(atomic, |seen| next(seen).is_some());
    loop {
        let Some((to, said)) = next(seen) else { return Err(seen) };
        // Release: and whoever sees this one, what was done here.
        match atomic.compare_exchange_weak(seen, to, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return Ok(said),
            Err(now) => seen = now,
        }
    }
}

/// What an [`update`] begins with; only the checker asks whether it `changes` anything.
#[cfg(not(breaker_loom))]
#[inline]
fn first_look(atomic: &AtomicU64, _changes: impl Fn(u64) -> bool) -> u64 {
    atomic.load(Ordering::Acquire)
}

/// Between an exchange and the loads after it: of two threads that do so, one at least loads what the other exchanged.
#[inline]
pub(crate) fn full_fence() {
    // To an x86 processor every exchange is one: there it is enough that the compiler keeps the order.
    if cfg!(all(any(target_arch = "x86", target_arch = "x86_64"), not(any(breaker_loom, miri)))) {
        compiler_fence(Ordering::SeqCst);
    } else {
        fence(Ordering::SeqCst);
    }
}

/// A load of what changes by an operator's hand only. To the checker it is no step: no model has such an operator.
#[cfg(not(breaker_loom))]
#[inline]
pub(crate) fn glance(atomic: &AtomicU64) -> u64 {
    atomic.load(Ordering::Acquire)
}

/// Whether stamp `a` is newer than `b`, in arithmetic that wraps.
pub(crate) const fn newer(a: u32, b: u32) -> bool {
    a.wrapping_sub(b).cast_signed() > 0
}

//! The model checker's atomics and locks, so that it goes through as many orders as it can, and loses none.

use std::{
    ops::{Deref, DerefMut},
    sync::{LockResult, OnceLock, atomic::Ordering},
};

/// Not the checker's: it only counts.
static WRITES: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// How often any atomic was written, or tried to be.
pub(crate) fn writes() -> u64 {
    WRITES.load(Ordering::SeqCst)
}

static STALE: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Whether loads may give what is not the latest; until then each is an exchange that changes nothing.
///
/// Of each object loom 0.7 remembers the last access alone: a thread's own load before its exchange hides the load of
/// another, and no order in which that comes later is tried. An exchange hides nothing, but is never stale. Where loads
/// may be stale, each step is two: a turn, which is such an exchange and orders no memory, and the step itself.
pub(crate) fn stale(may: bool) {
    STALE.store(may, Ordering::SeqCst);
}

/// Loom's atomic, made on first touch.
#[derive(Debug)]
pub(crate) struct AtomicU64 {
    /// Its latest value, which looking at is no step of the model.
    latest: std::sync::atomic::AtomicU64,
    modelled: OnceLock<loom::sync::atomic::AtomicU64>,
    turn: OnceLock<loom::sync::atomic::AtomicU64>,
}

/// What an update begins with. Where it changes something, the exchange that follows is the step that counts, and it
/// fails on what is not the latest: so the look before it is no step, which would only have more orders tried that
/// come to the same. Where it refuses, that rests on a load.
pub(super) fn first_look(atomic: &AtomicU64, changes: impl Fn(u64) -> bool) -> u64 {
    let latest = glance(atomic);
    if STALE.load(Ordering::SeqCst) || !changes(latest) { atomic.load(Ordering::Acquire) } else { latest }
}

pub(crate) fn glance(atomic: &AtomicU64) -> u64 {
    atomic.latest.load(Ordering::SeqCst)
}

impl AtomicU64 {
    pub(crate) const fn new(initial: u64) -> Self {
        Self { latest: std::sync::atomic::AtomicU64::new(initial), modelled: OnceLock::new(), turn: OnceLock::new() }
    }

    fn get(&self) -> &loom::sync::atomic::AtomicU64 {
        if STALE.load(Ordering::SeqCst) {
            self.turn.get_or_init(|| loom::sync::atomic::AtomicU64::new(0)).fetch_or(0, Ordering::Relaxed);
        }
        // Nothing has been stored yet: the latest is the initial one.
        self.modelled.get_or_init(|| loom::sync::atomic::AtomicU64::new(self.latest.load(Ordering::SeqCst)))
    }

    fn written(&self) -> &loom::sync::atomic::AtomicU64 {
        WRITES.fetch_add(1, Ordering::SeqCst);
        self.get()
    }

    pub(crate) fn load(&self, order: Ordering) -> u64 {
        if STALE.load(Ordering::SeqCst) { self.get().load(order) } else { self.get().fetch_or(0, order) }
    }

    pub(crate) fn store(&self, value: u64, order: Ordering) {
        self.written().store(value, order);
        self.latest.store(value, Ordering::SeqCst);
    }

    pub(crate) fn compare_exchange(
        &self,
        current: u64,
        new: u64,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u64, u64> {
        let exchanged = self.written().compare_exchange(current, new, success, failure);
        if exchanged.is_ok() {
            // No thread takes its turn between the two.
            self.latest.store(new, Ordering::SeqCst);
        }
        exchanged
    }

    /// Loom does not model spurious failure; the strong exchange is the same to it.
    pub(crate) fn compare_exchange_weak(
        &self,
        current: u64,
        new: u64,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u64, u64> {
        self.compare_exchange(current, new, success, failure)
    }
}

loom::lazy_static! {
    static ref TICKS: loom::sync::atomic::AtomicU64 = loom::sync::atomic::AtomicU64::new(0);
}

static CLOCK_IS_A_STEP: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Whether looking at the clock, and moving it, are steps: then time may pass between any two looks.
pub(crate) fn clock_is_a_step(is: bool) {
    CLOCK_IS_A_STEP.store(is, Ordering::SeqCst);
}

/// Before the clock is read.
pub(crate) fn read_clock() {
    if CLOCK_IS_A_STEP.load(Ordering::SeqCst) {
        TICKS.load(Ordering::Relaxed);
    }
}

/// Before the clock is moved.
pub(crate) fn move_clock() {
    if CLOCK_IS_A_STEP.load(Ordering::SeqCst) {
        TICKS.fetch_add(1, Ordering::Relaxed);
    }
}

static LOCKS_ARE_STEPS: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(true);

/// Whether another thread may come between a step and the lock after it; where not, what stands under a lock is
/// part of the step before, and there are fewer orders.
pub(crate) fn locks_are_steps(are: bool) {
    LOCKS_ARE_STEPS.store(are, Ordering::SeqCst);
}

/// A mutex that waits for its turn at loom's, made on first touch.
#[derive(Debug)]
pub(crate) struct Mutex<T> {
    held: std::sync::Mutex<T>,
    turn: OnceLock<loom::sync::Mutex<()>>,
}

/// What is held is let go of before the turn.
pub(crate) struct MutexGuard<'a, T> {
    held: std::sync::MutexGuard<'a, T>,
    _turn: Option<loom::sync::MutexGuard<'a, ()>>,
}

impl<T> Mutex<T> {
    pub(crate) const fn new(initial: T) -> Self {
        Self { held: std::sync::Mutex::new(initial), turn: OnceLock::new() }
    }

    #[expect(clippy::unnecessary_wraps, reason = "as the standard library has it")]
    pub(crate) fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let wait = || self.turn.get_or_init(|| loom::sync::Mutex::new(())).lock().expect("nothing panics in a model");
        let turn = LOCKS_ARE_STEPS.load(Ordering::SeqCst).then(wait);
        let held = self.held.try_lock().expect("no step is made with it held");
        Ok(MutexGuard { held, _turn: turn })
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.held
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.held
    }
}

/// One atomic step to the model.
#[derive(Debug)]
pub(crate) struct OnceBox<T>(OnceLock<Box<T>>);

impl<T> OnceBox<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.0.get().map(|boxed| &**boxed)
    }

    pub(crate) fn get_or_init(&self, make: impl FnOnce() -> Box<T>) -> &T {
        self.0.get_or_init(make)
    }
}

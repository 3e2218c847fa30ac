//! What happened, told once, in order, with nothing held.

use crate::{
    Era, Outcome,
    name::Name,
    overrides::Override,
    status::Status,
    sync::{Mutex, Ordering, lock, lock_process, process},
    trip::Cause,
};
use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

/// What happened to a breaker or to a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A call was let through.
    #[non_exhaustive]
    Permitted {
        /// The breaker's name.
        breaker: Name,
        /// Whether it is the probe.
        probe: bool,
    },
    /// A call was not let through.
    #[non_exhaustive]
    Rejected {
        /// The breaker's name.
        breaker: Name,
        /// Its state.
        status: Status,
        /// When a call may be let through, where that is known.
        retry_after: Option<Duration>,
    },
    /// A call that was let through came to an end.
    #[non_exhaustive]
    Finished {
        /// The breaker's name.
        breaker: Name,
        /// What it turned out to be.
        outcome: Outcome,
        /// How long it took, where that was measured.
        elapsed: Option<Duration>,
        /// Whether its era was over, so that it changed nothing (R8).
        late: bool,
    },
    /// The breaker went from one state to another.
    #[non_exhaustive]
    Transition {
        /// The breaker's name.
        breaker: Name,
        /// The state before.
        from: Status,
        /// The state after.
        to: Status,
        /// The number of the stay that began; each is one more than that of the transition, or of the
        /// [`Event::WouldOpen`], before.
        era: u64,
        /// Why.
        cause: Cause,
        /// Who holds it open or closed, how long and why, where that is what changed.
        hold: Option<Override>,
    },
    /// A breaker that is held closed would have opened.
    #[non_exhaustive]
    WouldOpen {
        /// The breaker's name.
        breaker: Name,
        /// The number of the stay that began with it: the strategy starts afresh.
        era: u64,
        /// The strategy's rule.
        rule: &'static str,
    },
}

impl Event {
    /// The name of the breaker that it is about.
    pub const fn breaker(&self) -> &Name {
        match self {
            Self::Permitted { breaker, .. }
            | Self::Rejected { breaker, .. }
            | Self::Finished { breaker, .. }
            | Self::Transition { breaker, .. }
            | Self::WouldOpen { breaker, .. } => breaker,
        }
    }
}

/// Who asks for more than transitions: observers, each of them `OBSERVER`, and stats once on, which are `STATS`. Zero on
/// the fast path (R35).
static LISTENING: process::AtomicUsize = process::AtomicUsize::new(0);
const STATS: usize = 1;
const OBSERVER: usize = 2;

/// Whether calls are to be told or counted.
#[inline]
pub(crate) fn listening() -> bool {
    // Relaxed: who starts to listen hears calls from some moment on, not from one that others could name.
    LISTENING.load(Ordering::Relaxed) != 0
}

/// Whether calls are to be told.
#[inline]
pub(crate) fn observed() -> bool {
    LISTENING.load(Ordering::Relaxed) >= OBSERVER
}

/// Whether calls are to be counted.
#[inline]
pub(crate) fn counting() -> bool {
    LISTENING.load(Ordering::Relaxed) & STATS != 0
}

/// From now on calls are counted.
pub(crate) fn count() {
    LISTENING.fetch_or(STATS, Ordering::Relaxed);
}

fn listen() {
    LISTENING.fetch_add(OBSERVER, Ordering::Relaxed);
}

fn stop_listening() {
    LISTENING.fetch_sub(OBSERVER, Ordering::Relaxed);
}

type Observer = dyn Fn(&Event) + Send + Sync;

/// Copied on change, so that telling takes one count and no list.
static OBSERVERS: process::Mutex<Option<Arc<Observers>>> = process::Mutex::new(None);

type Observers = BTreeMap<u64, Arc<Observer>>;

/// Changes the observers; gives back what this makes of them. What is replaced is dropped with nothing held.
fn change_observers<T>(change: impl FnOnce(&mut Observers) -> T) -> T {
    let mut held = lock_process(&OBSERVERS);
    let mut observers = held.as_deref().cloned().unwrap_or_default();
    let made = change(&mut observers);
    let before = held.replace(Arc::new(observers));
    drop(held);
    drop(before);
    made
}

/// Tells `observer` of every event of every breaker from now on, until the [`Observation`] is dropped.
///
/// It runs with nothing held: it may call any function of this library on the same breaker, and if it panics, the
/// call and the breaker are unharmed (R34). Transitions of one breaker come in order.
///
/// ```
/// # use breaker_core as breaker;
/// let seen = breaker::observe(|event| println!("{event:?}"));
/// drop(seen); // or `seen.detach()`, to go on until the program ends
/// ```
pub fn observe(observer: impl Fn(&Event) + Send + Sync + 'static) -> Observation {
    let observer: Arc<Observer> = Arc::new(observer);
    let key = change_observers(|observers| {
        let key = observers.last_key_value().map_or(0, |(last, _)| last + 1);
        observers.insert(key, observer);
        key
    });
    listen();
    Observation { key }
}

/// An observer at work; dropping it stops the telling.
#[must_use = "dropping an observation stops it; keep it, or call `.detach()`"]
pub struct Observation {
    key: u64,
}

impl Observation {
    /// Goes on until the program ends.
    pub fn detach(self) {
        std::mem::forget(self);
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        let gone = change_observers(|observers| observers.remove(&self.key));
        stop_listening();
        // The observer's own drop runs with nothing held, too.
        drop(gone);
    }
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observation").finish_non_exhaustive()
    }
}

/// The events of one breaker on their way to the observers.
#[derive(Debug)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    /// For those who wait until a call would be let through.
    #[cfg(feature = "tokio")]
    changed: tokio::sync::Notify,
}

#[derive(Debug)]
struct Queue {
    ready: VecDeque<Event>,
    /// Transitions whose predecessor's winner has not come yet.
    early: Vec<(Era, Event)>,
    /// The era of the last transition that is ready.
    last: Era,
    /// Whether a thread, or an outer frame of this one, is telling.
    telling: bool,
}

impl Outbox {
    /// The outbox of a breaker whose transitions are told from the one after `last` on.
    pub(crate) const fn new(last: Era) -> Self {
        let queue = Queue { ready: VecDeque::new(), early: Vec::new(), last, telling: false };
        Self {
            queue: Mutex::new(queue),
            #[cfg(feature = "tokio")]
            changed: tokio::sync::Notify::const_new(),
        }
    }

    /// Ends at the next transition.
    #[cfg(feature = "tokio")]
    pub(crate) fn changed(&self) -> tokio::sync::futures::Notified<'_> {
        self.changed.notified()
    }

    pub(crate) fn push(&self, event: Event) {
        lock(&self.queue).ready.push_back(event);
    }

    /// Winners may come here in another order than they won; each era follows the one before.
    pub(crate) fn push_transition(&self, era: Era, event: Event) {
        let queue = &mut *lock(&self.queue);
        queue.early.push((era, event));
        while let Some(at) = queue.early.iter().position(|(era, _)| *era == queue.last.next()) {
            let (era, event) = queue.early.swap_remove(at);
            queue.last = era;
            queue.ready.push_back(event);
        }
    }

    /// Wakes those who wait until a call would be let through.
    pub(crate) fn notify(&self) {
        #[cfg(feature = "tokio")]
        self.changed.notify_waiters();
        let _ = self;
    }

    /// Forgets what is not told yet; the next transition is the one after `last`.
    #[cfg(any(feature = "test-util", breaker_loom))]
    pub(crate) fn reset(&self, last: Era) {
        let mut queue = lock(&self.queue);
        queue.ready.clear();
        queue.early.clear();
        queue.last = last;
    }

    /// Tells what is ready, unless somebody is just telling: that one then tells it.
    pub(crate) fn tell(&self, own: Option<fn(&Event)>) {
        let mut queue = lock(&self.queue);
        if queue.telling {
            return;
        }
        queue.telling = true;
        while let Some(event) = queue.ready.pop_front() {
            drop(queue);
            deliver(&event, own);
            queue = lock(&self.queue);
        }
        queue.telling = false;
    }
}

/// A panicking observer has printed its panic; the others still hear, and the caller goes on.
fn deliver(event: &Event, own: Option<fn(&Event)>) {
    if let Some(own) = own {
        unharmed(|| own(event));
    }
    if !observed() {
        return;
    }
    let observers = lock_process(&OBSERVERS).clone();
    for observer in observers.iter().flat_map(|observers| observers.values()) {
        unharmed(|| observer(event));
    }
    // The last to hold an observer drops it, and what it holds.
    unharmed(|| drop(observers));
}

/// Runs a user's code, whatever becomes of it. A payload is not dropped: its drop may panic as well.
fn unharmed(users: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(users)) {
        std::mem::forget(payload);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only test of this process that listens.
    #[test]
    fn r35_who_listens_is_known_by_what_for() {
        let asked = || (listening(), observed(), counting());
        assert_eq!(asked(), (false, false, false));
        let observations = [(); 2].map(|()| observe(|_| {}));
        assert_eq!(asked(), (true, true, false));
        drop(observations);
        assert_eq!(asked(), (false, false, false));
        count();
        assert_eq!(asked(), (true, false, true));
        let observation = observe(|_| {});
        count();
        assert_eq!(asked(), (true, true, true), "asking twice changes nothing");
        drop(observation);
        assert_eq!(asked(), (true, false, true));
    }
}

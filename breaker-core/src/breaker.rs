//! The one conductor: admit, settle, and everything that a change of state owes.

use crate::{
    Era, Outcome, Override, SettingsError, clock,
    event::{self, Outbox},
    identity::{Built, Declaration, Identity},
    machine::{
        Times,
        cell::Cell,
        transition::{Edge, next},
        word::Word,
    },
    mode::Mode,
    name::Name,
    outcome::ErrIsFailure,
    recover::{Backoff, Plan, Recover},
    stamp::Stamped,
    stats::Counters,
    strategy::{FailureRate, Strategy},
    sync::{Arc, Mutex, MutexGuard, OnceBox, OnceLock, lock},
    trip::Trip,
};
use std::{fmt, marker::PhantomData, time::Duration};

mod admit;
mod change;
mod command;
mod explain;
mod inspect;
#[cfg(feature = "tokio")]
mod ready;
mod run;
mod settle;
mod tune;

pub use run::{Admitted, Guarded, Slot};
use tune::Tuned;
pub use tune::Tuning;

/// A circuit breaker: what the caller of a dependency asks before a call, and tells after it.
///
/// `S` decides when to open, `R` how long to stay open and how to probe, `C` what a result says about the dependency.
/// Declared with `breakers!` it is a `static`; built at run time with [`Breaker::new`] it may be owned or shared.
///
/// ```
/// # use breaker_core as breaker;
/// use breaker::{Backoff, Breaker, Count, Error, Status};
///
/// let payments = Breaker::new("payments", Count { threshold: 1, ..Count::DEFAULT }, Backoff::DEFAULT)?;
/// let down: Result<(), _> = payments.run(|| Err("connection refused"));
/// assert_eq!(down, Err(Error::Inner("connection refused")));
/// assert_eq!(payments.status(), Status::Open);
///
/// let rejected = payments.run(|| Ok::<_, &str>(()));
/// assert!(matches!(rejected, Err(Error::Rejected(_))));
/// # Ok::<_, breaker::SettingsError>(())
/// ```
// Two breakers never share a cache line: what one writes does not slow the other.
#[repr(C, align(64))]
pub struct Breaker<S: Strategy = FailureRate, R: Recover = Backoff, C = ErrIsFailure> {
    cell: Cell,
    state: S::State,
    strategy: S,
    times: Times,
    /// The number of the last opening, for rejections to carry.
    trip: Stamped,
    identity: Identity,
    cold: OnceBox<Cold<S, R>>,
    recover: R,
    policy: PhantomData<fn() -> C>,
}

/// What is touched off the closed path only, allocated on first need.
struct Cold<S, R> {
    outbox: Outbox,
    notes: Mutex<Notes>,
    tuned: Mutex<Tuned<S, R>>,
    mode: OnceLock<Mode>,
    counters: OnceBox<Counters>,
}

/// What people look at, and the machine only where it is about to change.
#[derive(Debug, Default)]
struct Notes {
    /// The last opening, and the era that it began.
    trip: Option<(Era, Arc<Trip>)>,
    /// What recover planned for it.
    plan: Option<(Era, Plan)>,
    /// Who holds it open or closed, in which era.
    hold: Option<(Era, Override)>,
}

impl<S: Strategy, R: Recover> Breaker<S, R> {
    /// A breaker of the given `name`, closed.
    ///
    /// It is not in the registry until it [enters](crate::Registry::enter) it. The error names the setting that
    /// cannot work.
    pub fn new(name: impl Into<Name>, strategy: S, recover: R) -> Result<Self, SettingsError> {
        strategy.check()?;
        recover.check()?;
        let abandoned_after = Declaration::ABANDONED_AFTER;
        let identity = Identity::Built(Box::new(Built { name: name.into(), abandoned_after }));
        let breaker = Self::assemble(identity, false, strategy, recover);
        // The first stay of a static begins with the process, this one's now.
        breaker.times.begin(Era::new(0), clock::now());
        Ok(breaker)
    }
}

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// The breaker of one entry of `breakers!`, whose settings the macro has checked.
    #[doc(hidden)]
    pub const fn declared(declaration: &'static Declaration, strategy: S, recover: R) -> Self {
        let watched = declaration.on_event.is_some();
        Self::assemble(Identity::Declared(declaration), watched, strategy, recover)
    }

    const fn assemble(identity: Identity, watched: bool, strategy: S, recover: R) -> Self {
        Self {
            cell: Cell::new(Word::new(watched)),
            state: S::NEW,
            strategy,
            times: Times::new(),
            trip: Stamped::new(0),
            identity,
            cold: OnceBox::new(),
            recover,
            policy: PhantomData,
        }
    }

    /// The same breaker, judging results by `P`; for one that is built at run time.
    ///
    /// ```
    /// # use breaker_core as breaker;
    /// use breaker::{Backoff, Breaker, ByError, Count};
    ///
    /// let judged = Breaker::new("search", Count::DEFAULT, Backoff::DEFAULT)?.classified_by::<ByError>();
    /// # Ok::<_, breaker::SettingsError>(())
    /// ```
    #[must_use]
    pub fn classified_by<P>(self) -> Breaker<S, R, P> {
        let Self { cell, state, strategy, times, trip, identity, cold, recover, .. } = self;
        let policy = PhantomData;
        Breaker { cell, state, strategy, times, trip, identity, cold, recover, policy }
    }

    /// The same breaker, taking a call that is dropped at this age or later for a failure (R14); one second unless
    /// set. For one that is built at run time.
    #[must_use]
    pub fn abandoned_after(mut self, age: Duration) -> Self {
        if let Identity::Built(built) = &mut self.identity {
            built.abandoned_after = age;
        }
        self
    }

    // ---- what all of it shares

    fn cold(&self) -> &Cold<S, R> {
        self.cold.get_or_init(|| {
            Box::new(Cold {
                outbox: Outbox::new(Era::new(0)),
                notes: Mutex::new(Notes::default()),
                tuned: Mutex::new(Tuned::none()),
                mode: OnceLock::new(),
                counters: OnceBox::new(),
            })
        })
    }

    fn outbox(&self) -> &Outbox {
        &self.cold().outbox
    }

    fn note(&self) -> MutexGuard<'_, Notes> {
        lock(&self.cold().notes)
    }

    fn counters(&self) -> &Counters {
        self.cold().counters.get_or_init(|| Box::new(Counters::new()))
    }

    /// The counters, where one before has made them.
    #[inline]
    fn made_counters(&self) -> Option<&Counters> {
        self.cold.get()?.counters.get()
    }

    /// The same where calls are to be counted; never where the environment says `off`.
    #[inline]
    fn counting(&self) -> Option<&Counters> {
        let cold = self.cold.get()?;
        if *cold.mode.get()? == Mode::Off || !event::counting() { None } else { cold.counters.get() }
    }

    /// What the environment says, read once.
    fn mode(&self) -> Mode {
        *self.cold().mode.get_or_init(|| Mode::of(&self.identity.name()))
    }

    fn tell(&self) {
        self.outbox().tell(self.identity.on_event());
    }
}

/// The diagram's next word, for the stay of `era` only (R8).
fn step(word: Word, era: Era, edge: Edge) -> Option<Word> {
    if word.era() == era { next(word, edge) } else { None }
}

/// The outcome of an abandoned call that is old enough to be a failure (R14).
const ABANDONED: Outcome = Outcome::failure().cause("abandoned");

impl<S: Strategy, R: Recover, C> fmt::Debug for Breaker<S, R, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Breaker")
            .field("name", &self.identity.name())
            .field("word", &self.cell.load())
            .finish_non_exhaustive()
    }
}

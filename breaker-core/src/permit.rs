//! What a caller by hand holds: its era, and its exits.

use crate::{
    Era, Outcome, Rejected,
    error::Place,
    settings::{SettingsError, Value},
    sync::Arc,
    ticket::Ticket,
};
use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A change of settings that is known to work, made when it is called.
#[doc(hidden)]
pub type Commit<'a> = Box<dyn FnOnce() -> Result<(), SettingsError> + 'a>;

/// Only this crate makes one: what takes it cannot be called from elsewhere, so that a permit is the one way to a
/// ticket, and is settled once (R9).
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Inside(pub(crate) ());

/// What a permit, and the registry, ask of a breaker of any type.
#[doc(hidden)]
pub trait Conduct: Send + Sync {
    /// Records an outcome.
    fn settle_dyn(&self, ticket: Ticket, outcome: Outcome, _: Inside);
    /// Begins a probe's lease anew.
    fn renew_dyn(&self, era: Era, _: Inside);
    /// Where it was declared.
    fn place(&self) -> Place;
    /// What is wrong with its settings.
    fn check(&self) -> Result<(), SettingsError>;
    /// The change that these keys and values ask for, once it is known to work: made when it is called.
    fn configure_dyn<'a>(&'a self, changes: &[(String, Value)], _: Inside) -> Result<Commit<'a>, SettingsError>;
    /// What its strategy doubts about its own settings.
    fn doubts(&self) -> Vec<String>;
    /// Asks for a call, for a permit that is to hold its breaker itself.
    fn enter_dyn(&self, _: Inside) -> Result<Ticket, Rejected>;
    /// As at program start.
    #[cfg(any(feature = "test-util", breaker_loom))]
    fn reset_dyn(&self, _: Inside);
}

/// One admitted call, to be settled by hand.
///
/// It belongs to the era that gave it: once that is over, its outcome changes nothing (R8). It can be settled once,
/// since settling takes it. Dropped, also while unwinding, it is [`Outcome::Abandoned`]; leaked, it wedges nothing,
/// since a probe's lease ends (R15).
///
/// From a static breaker it is `'static` and may be settled in another task or thread.
///
/// ```
/// # use breaker_core as breaker;
/// use breaker::{Backoff, Breaker, Count};
///
/// let payments = Breaker::new("payments", Count::DEFAULT, Backoff::DEFAULT)?;
/// let permit = payments.acquire()?;
/// permit.success();
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a permit that is dropped at once is an abandoned call; settle it when the call has ended"]
pub struct Permit<'a> {
    holder: Holder<'a>,
    /// Gone once it is settled.
    ticket: Option<Ticket>,
    era: Era,
}

enum Holder<'a> {
    Borrowed(&'a dyn Conduct),
    Owned(Arc<dyn Conduct>),
}

impl<'a> Permit<'a> {
    pub(crate) fn borrowed(breaker: &'a dyn Conduct, ticket: Ticket) -> Self {
        Self { holder: Holder::Borrowed(breaker), ticket: Some(ticket), era: ticket.era() }
    }
}

impl Permit<'static> {
    pub(crate) fn owned(breaker: Arc<dyn Conduct>, ticket: Ticket) -> Self {
        Self { holder: Holder::Owned(breaker), ticket: Some(ticket), era: ticket.era() }
    }
}

impl Permit<'_> {
    /// The era that gave it.
    pub fn era(&self) -> Era {
        self.era
    }

    /// Records the outcome, before this returns. `settle(Outcome::Abandoned)` is a drop.
    pub fn settle(mut self, outcome: Outcome) {
        self.end(outcome);
    }

    fn end(&mut self, outcome: Outcome) {
        if let Some(ticket) = self.ticket.take() {
            self.breaker().settle_dyn(ticket, outcome, Inside(()));
        }
    }

    /// The dependency works.
    pub fn success(self) {
        self.settle(Outcome::Success);
    }

    /// The dependency failed.
    pub fn failure(self) {
        self.settle(Outcome::failure());
    }

    /// The call is long and alive: if it is the probe, its lease begins anew (R6).
    pub fn progress(&self) {
        self.breaker().renew_dyn(self.era, Inside(()));
    }

    fn breaker(&self) -> &dyn Conduct {
        match &self.holder {
            Holder::Borrowed(breaker) => *breaker,
            Holder::Owned(breaker) => &**breaker,
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        quietly(|| self.end(Outcome::Abandoned));
    }
}

/// Runs what a drop owes. A user's strategy or recover that panics while the thread unwinds already would end the
/// process, so that its panic goes no further.
pub(crate) fn quietly(owed: impl FnOnce()) {
    if !std::thread::panicking() {
        owed();
    } else if let Err(payload) = catch_unwind(AssertUnwindSafe(owed)) {
        std::mem::forget(payload);
    }
}

impl fmt::Debug for Permit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").field("era", &self.era()).finish_non_exhaustive()
    }
}

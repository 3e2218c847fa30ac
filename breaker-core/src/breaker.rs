//! The one conductor: admit, settle, and everything that a change of state owes.

use crate::{
    Era, Event, Outcome, Override, Permit, Rejected, SettingsError,
    clock::{self, Time},
    event::{self, Outbox},
    identity::{Built, Declaration, Identity},
    machine::{
        Times, Until,
        cell::{Cell, Shift},
        transition::{Edge, next},
        word::{Hold, Word},
    },
    name::Name,
    outcome::ErrIsFailure,
    recover::{Backoff, Plan, Recover},
    stats::{self, Counters},
    status::Status,
    strategy::{Call, Count, Strategy, Verdict},
    sync::{Arc, AtomicU64, Mutex, MutexGuard, OnceBox, Ordering, lock},
    trip::{Cause, Trip},
    trips,
};
use std::{
    fmt,
    marker::PhantomData,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::Duration,
};

mod command;
mod inspect;
mod run;

pub use run::{Admitted, Guarded, Running};

/// A circuit breaker: what the caller of a dependency asks before a call, and tells after it.
///
/// `S` decides when to open, `R` how long to stay open and how to probe, `C` what a result says about the dependency.
/// Declared with `breakers!` it is a `static`; built at run time with [`Breaker::new`] it may be owned or shared.
///
/// ```
/// use breaker_core::{Backoff, Breaker, Count, Error, Status};
///
/// let payments = Breaker::new("payments", Count { threshold: 1, ..Count::DEFAULT }, Backoff::DEFAULT)?;
/// let down: Result<(), _> = payments.run(|| Err("connection refused"));
/// assert_eq!(down, Err(Error::Inner("connection refused")));
/// assert_eq!(payments.status(), Status::Open);
///
/// let rejected = payments.run(|| Ok::<_, &str>(()));
/// assert!(matches!(rejected, Err(Error::Rejected(_))));
/// # Ok::<_, breaker_core::SettingsError>(())
/// ```
pub struct Breaker<S: Strategy = Count, R: Recover = Backoff, C = ErrIsFailure> {
    cell: Cell,
    state: S::State,
    strategy: S,
    recover: R,
    times: Times,
    identity: Identity,
    /// The number of the last opening, for rejections to carry.
    trip: AtomicU64,
    notes: OnceBox<Mutex<Notes>>,
    outbox: OnceBox<Outbox>,
    counters: OnceBox<Counters>,
    policy: PhantomData<fn() -> C>,
}

/// What is looked at by people only.
#[derive(Debug, Default)]
struct Notes {
    trip: Option<Arc<Trip>>,
    /// Who holds it open or closed, in which era.
    hold: Option<(Era, Override)>,
}

/// What an admitted call keeps: its era, and what it owes at its end.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Ticket {
    era: Era,
    /// Admitted on the fast path: closed, nobody listening.
    plain: bool,
    /// Counted in by the stats.
    counted: bool,
    /// When it began, where somebody wants to know.
    pub(crate) started: Option<Time>,
}

impl Ticket {
    /// The same ticket, with a start read now where it has none.
    pub(crate) fn started_by(self, clock: impl FnOnce() -> Time) -> Self {
        Self { started: self.started.or_else(|| Some(clock())), ..self }
    }

    /// The era that gave it.
    pub fn era(self) -> Era {
        self.era
    }
}

impl<S: Strategy, R: Recover> Breaker<S, R> {
    /// A breaker of the given `name`, closed.
    ///
    /// It is not in the registry until it is entered there. The error names the setting that cannot work.
    pub fn new(name: impl Into<Name>, strategy: S, recover: R) -> Result<Self, SettingsError> {
        strategy.check()?;
        recover.check()?;
        let abandoned_after = Declaration::ABANDONED_AFTER;
        let identity = Identity::Built(Box::new(Built { name: name.into(), abandoned_after }));
        Ok(Self::assemble(identity, false, strategy, recover))
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
            recover,
            times: Times::new(),
            identity,
            trip: AtomicU64::new(0),
            notes: OnceBox::new(),
            outbox: OnceBox::new(),
            counters: OnceBox::new(),
            policy: PhantomData,
        }
    }

    /// The same breaker, judging results by `P`; for one that is built at run time.
    ///
    /// ```
    /// use breaker_core::{Backoff, Breaker, ByError, Count};
    ///
    /// let judged = Breaker::new("search", Count::DEFAULT, Backoff::DEFAULT)?.classified_by::<ByError>();
    /// # Ok::<_, breaker_core::SettingsError>(())
    /// ```
    #[must_use]
    pub fn classified_by<P>(self) -> Breaker<S, R, P> {
        let Self { cell, state, strategy, recover, times, identity, trip, notes, outbox, counters, .. } = self;
        let policy = PhantomData;
        Breaker { cell, state, strategy, recover, times, identity, trip, notes, outbox, counters, policy }
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

    // ---- admit

    /// Asks for one call, to be settled by hand.
    ///
    /// The permit remembers when it was given: dropped at `abandoned_after` or later it is a failure.
    pub fn acquire(&self) -> Result<Permit<'_>, Rejected> {
        let ticket = self.enter(true)?.started_by(clock::recent);
        Ok(Permit::borrowed(self, ticket))
    }

    /// [`Breaker::acquire`] for a breaker in an [`Arc`]: the permit keeps it alive, and is `'static`.
    pub fn acquire_owned(self: Arc<Self>) -> Result<Permit<'static>, Rejected>
    where
        C: 'static,
    {
        let ticket = self.enter(true)?.started_by(clock::recent);
        Ok(Permit::owned(self, ticket))
    }

    /// One atomic read where there is nothing else to look at.
    #[inline]
    pub(crate) fn enter(&self, probes: bool) -> Result<Ticket, Rejected> {
        let word = self.cell.load();
        if word.is_plain() && !event::listening() {
            let started = S::NEEDS_ELAPSED.then(clock::now);
            return Ok(Ticket { era: word.era(), plain: true, counted: false, started });
        }
        self.enter_slowly(probes)
    }

    #[cold]
    #[inline(never)]
    fn enter_slowly(&self, probes: bool) -> Result<Ticket, Rejected> {
        loop {
            let word = self.cell.load();
            if self.due(word, clock::recent).is_some() {
                self.refresh(clock::now);
                continue;
            }
            match word.status() {
                Status::Closed => return Ok(self.admitted(word, false)),
                Status::HalfOpen if probes => {
                    // Of all callers exactly one makes this change (R4).
                    if let Ok(shift) = self.cell.shift(|seen| step(seen, word.era(), Edge::Probe)) {
                        let now = clock::now();
                        let era = self.entered(shift, now, Cause::Probed);
                        let lease = self.times.lease(word.lapses());
                        self.times.end(era, Until::after(now, lease));
                        let ticket = self.admitted(shift.to, true);
                        self.tell();
                        return Ok(ticket);
                    }
                }
                _ => return Err(self.rejected(word)),
            }
        }
    }

    fn admitted(&self, word: Word, probe: bool) -> Ticket {
        let listening = event::listening() || self.identity.on_event().is_some();
        let counted = listening && stats::collecting();
        if counted {
            self.counters().admitted();
        }
        if listening {
            self.outbox().push(Event::Permitted { breaker: self.identity.name(), probe });
            self.tell();
        }
        let started = (listening || S::NEEDS_ELAPSED).then(clock::now);
        Ticket { era: word.era(), plain: false, counted, started }
    }

    fn rejected(&self, word: Word) -> Rejected {
        let era = word.era();
        let status = word.status();
        let until = self.times.until(era);
        let retry_after = match status {
            Status::HalfOpen => None,
            _ => until.and_then(|until| match until {
                Until::Time(_) => until.left(clock::recent()),
                Until::Rejections(_) | Until::Never => None,
            }),
        };
        let forced = word.hold() != Hold::None;
        let trip = if forced { 0 } else { self.trip.load(Ordering::Relaxed) };
        let breaker = self.identity.name();
        if event::listening() || self.identity.on_event().is_some() {
            if stats::collecting() {
                self.counters().rejected();
            }
            let breaker = breaker.clone();
            self.outbox().push(Event::Rejected { breaker, status, retry_after });
            self.tell();
        }
        if matches!(until, Some(Until::Rejections(_))) && status == Status::Open && self.times.count_rejection(era) {
            self.change(|seen| step(seen, era, Edge::Elapse), clock::now(), Cause::Elapsed);
        }
        Rejected { breaker, status, retry_after, trip }
    }

    // ---- settle

    /// Records what an admitted call turned out to be. On the closed path it is the strategy's one look, no more.
    #[inline]
    pub(crate) fn settle(&self, ticket: Ticket, outcome: Outcome) {
        if ticket.plain && !matches!(outcome, Outcome::Abandoned) {
            self.record(ticket, outcome, || ticket.started.map(|started| clock::now().since(started)));
        } else {
            self.settle_slowly(ticket, outcome);
        }
    }

    #[cold]
    #[inline(never)]
    fn settle_slowly(&self, ticket: Ticket, outcome: Outcome) {
        // An age is measured on the clock that read its start; a latency on the precise one.
        let clock = if outcome == Outcome::Abandoned { clock::recent } else { clock::now };
        let elapsed = ticket.started.map(|started| clock().since(started));
        let late = self.conclude(ticket, self.by_age(outcome, elapsed), elapsed);
        if ticket.plain {
            return;
        }
        if ticket.counted {
            self.counters().finished(outcome, late);
        }
        if event::listening() || self.identity.on_event().is_some() {
            let breaker = self.identity.name();
            self.outbox().push(Event::Finished { breaker, outcome, elapsed, late });
            self.tell();
        }
    }

    /// What an abandoned call comes to: a failure where it is old enough, nothing where it is young (R14).
    fn by_age(&self, outcome: Outcome, age: Option<Duration>) -> Outcome {
        match (outcome, age) {
            (Outcome::Abandoned, Some(age)) if age >= self.identity.abandoned_after() => {
                Outcome::failure().cause("abandoned")
            }
            (Outcome::Abandoned, _) => Outcome::Ignored,
            (outcome, _) => outcome,
        }
    }

    /// Brings an outcome to where it counts; whether it was late (R8).
    fn conclude(&self, ticket: Ticket, outcome: Outcome, elapsed: Option<Duration>) -> bool {
        let word = self.cell.load();
        if word.era() != ticket.era {
            return true;
        }
        if word.status() == Status::Probing {
            return self.conclude_probe(word, outcome);
        }
        self.record(ticket, outcome, || elapsed);
        false
    }

    /// Shows the strategy a call of a closed era.
    #[inline]
    fn record(&self, ticket: Ticket, outcome: Outcome, elapsed: impl FnOnce() -> Option<Duration>) {
        if !matches!(outcome, Outcome::Success | Outcome::Failure(_)) {
            return;
        }
        let mut call = Call::new(outcome);
        if S::NEEDS_ELAPSED {
            call.elapsed = elapsed();
        }
        if let Verdict::Open { rule } = self.strategy.record(&self.state, ticket.era, &call) {
            self.open(ticket.era, outcome, rule);
        }
    }

    #[cold]
    #[inline(never)]
    fn open(&self, era: Era, outcome: Outcome, rule: &'static str) {
        let now = clock::now();
        let edge = Edge::Trip { forgotten: self.forgotten(era, now) };
        match self.cell.shift(|seen| step(seen, era, edge)) {
            Ok(shift) => {
                self.opened(shift, now, Cause::Tripped, outcome, rule);
                self.tell();
            }
            Err(word) if word.era() == era => self.would_open(word, rule),
            Err(_) => {}
        }
    }

    /// A breaker that is held closed tells, and counts afresh; its end and its beginning stay what they were (R10).
    fn would_open(&self, word: Word, rule: &'static str) {
        let Ok(shift) = self.cell.shift(|seen| step(seen, word.era(), Edge::WouldOpen)) else { return };
        let era = shift.to.era();
        self.outbox().push_transition(era, Event::WouldOpen { breaker: self.identity.name(), rule });
        self.times.begin(era, self.times.since(word.era()).unwrap_or_else(clock::now));
        self.times.end(era, self.times.until(word.era()).unwrap_or(Until::Never));
        self.strategy.begin(&self.state, era);
        if let Some((held, _)) = &mut self.note().hold {
            *held = era;
        }
        self.tell();
    }

    /// How many openings the stay in the closed `era` has let go.
    fn forgotten(&self, era: Era, now: Time) -> u32 {
        let Some(each) = self.recover.forgets() else { return u32::MAX };
        // Not published yet: it has closed only just now.
        let Some(since) = self.times.since(era) else { return 0 };
        let steps = now.since(since).as_nanos().checked_div(each.as_nanos()).unwrap_or(u128::MAX);
        u32::try_from(steps).unwrap_or(u32::MAX)
    }

    /// Brings the probe's outcome to the machine; whether it was late.
    fn conclude_probe(&self, word: Word, outcome: Outcome) -> bool {
        let era = word.era();
        let now = clock::now();
        // At the very deadline it is too late (R6).
        if self.due(word, || now).is_some() {
            self.refresh(|| now);
            return true;
        }
        let (edge, cause) = match outcome {
            Outcome::Success => {
                let ramp = !self.times.ramp().is_zero();
                let needed = self.times.successes();
                (Edge::Succeed { needed, ramp }, Cause::ProbeSucceeded)
            }
            Outcome::Failure(_) => (Edge::Fail, Cause::ProbeFailed),
            Outcome::Ignored | Outcome::Abandoned => (Edge::Release, Cause::ProbeReleased),
        };
        let Ok(shift) = self.cell.shift(|seen| step(seen, era, edge)) else { return true };
        if shift.to.status() == Status::Open {
            self.opened(shift, now, cause, outcome, "a probe failed");
        } else {
            self.entered(shift, now, cause);
        }
        self.tell();
        false
    }

    // ---- change of state

    /// The moment at which the stay of `word` ended, if that has come.
    #[inline]
    fn due(&self, word: Word, now: impl FnOnce() -> Time) -> Option<Time> {
        let ends = match word.status() {
            Status::Open => word.hold() != Hold::ForcedOpen,
            Status::Probing => true,
            Status::HalfOpen => false,
            Status::Closed => word.ramping() || word.hold() == Hold::OverriddenClosed,
        };
        if ends { self.times.until(word.era())?.due(now) } else { None }
    }

    /// Makes the changes that time has brought, each at its own moment, and gives back the word after them (R3, R32).
    fn refresh(&self, clock: impl Fn() -> Time) -> Word {
        loop {
            let word = self.cell.load();
            let Some(at) = self.due(word, &clock) else { return word };
            let (edge, cause) = match (word.status(), word.hold()) {
                (_, Hold::OverriddenOpen | Hold::OverriddenClosed) => (Edge::OverrideEnds, Cause::OverrideEnded),
                (Status::Open, _) => (Edge::Elapse, Cause::Elapsed),
                (Status::Probing, _) => (Edge::Lapse, Cause::ProbeLapsed),
                _ => (Edge::Ramped, Cause::Elapsed),
            };
            self.change(|seen| step(seen, word.era(), edge), at, cause);
        }
    }

    /// Tries one change and does all that it owes; whether this thread made it.
    fn change(&self, next: impl Fn(Word) -> Option<Word>, at: Time, cause: Cause) -> bool {
        let Ok(shift) = self.cell.shift(next) else { return false };
        if shift.from.era() != shift.to.era() {
            if cause == Cause::ProbeLapsed && shift.to.status() == Status::Open {
                let outcome = Outcome::failure().cause("no answer within the lease");
                self.opened(shift, at, cause, outcome, "three probes or more did not answer in time");
            } else {
                self.entered(shift, at, cause);
            }
            self.tell();
        }
        true
    }

    /// What every stay owes: its beginning, its telling, and a fresh strategy where it is a closed one.
    fn entered(&self, Shift { from, to }: Shift, at: Time, cause: Cause) -> Era {
        let era = to.era();
        self.outbox().push_transition(
            era,
            Event::Transition {
                breaker: self.identity.name(),
                from: from.status(),
                to: to.status(),
                era: era.get(),
                cause,
            },
        );
        self.times.begin(era, at);
        match (to.status(), to.hold()) {
            (Status::Closed, Hold::None) => {
                self.strategy.begin(&self.state, era);
                let until = if to.ramping() { Until::after(at, self.times.ramp()) } else { Until::Never };
                self.times.end(era, until);
            }
            (Status::Closed, _) => self.strategy.begin(&self.state, era),
            (Status::HalfOpen, _) | (_, Hold::ForcedOpen) => self.times.end(era, Until::Never),
            // Who made these knows when they end, and publishes it next.
            (Status::Open | Status::Probing, _) => {}
        }
        era
    }

    /// What an opening owes besides: only its winner asks recover, and only once (R30).
    fn opened(&self, shift: Shift, at: Time, cause: Cause, outcome: Outcome, rule: &'static str) {
        let tally = self.strategy.tally(&self.state);
        let era = self.entered(shift, at, cause);
        let trip = Arc::new(Trip { openings: shift.to.openings(), outcome, cause, rule, tally });
        self.remember(&trip);
        let planned = catch_unwind(AssertUnwindSafe(|| self.recover.plan(&trip)));
        // A recover that panics still leaves a breaker that comes back by itself.
        let plan = planned.as_ref().ok().copied().unwrap_or(Plan::after(Duration::from_secs(30)));
        self.times.plan(era, at, &plan);
        if let Err(payload) = planned {
            self.tell();
            // A second panic while unwinding would end the process.
            if !std::thread::panicking() {
                resume_unwind(payload);
            }
        }
    }

    fn remember(&self, trip: &Arc<Trip>) {
        let id = trips::enter(trip);
        let before = self.note().trip.replace(Arc::clone(trip));
        drop(before);
        self.trip.store(id, Ordering::Relaxed);
    }

    fn note(&self) -> MutexGuard<'_, Notes> {
        lock(self.notes.get_or_init(Box::default))
    }

    // ---- tell

    fn tell(&self) {
        self.outbox().tell(self.identity.on_event());
    }

    fn outbox(&self) -> &Outbox {
        self.outbox.get_or_init(|| Box::new(Outbox::new(Era::new(0))))
    }

    fn counters(&self) -> &Counters {
        self.counters.get_or_init(|| Box::new(Counters::new()))
    }
}

/// The diagram's next word, for the stay of `era` only (R8).
fn step(word: Word, era: Era, edge: Edge) -> Option<Word> {
    if word.era() == era { next(word, edge) } else { None }
}

impl<S: Strategy, R: Recover, C> fmt::Debug for Breaker<S, R, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Breaker")
            .field("name", &self.identity.name())
            .field("word", &self.cell.load())
            .finish_non_exhaustive()
    }
}

//! One state becomes another: who makes the change, and what its winner owes.

use super::{Breaker, step};
use crate::{
    Era, Event, Outcome,
    clock::{self, Time},
    identity::Identity,
    machine::{
        Until,
        cell::Shift,
        transition::Edge,
        word::{Hold, Word},
    },
    mode::Mode,
    recover::{Plan, Recover},
    registry,
    status::Status,
    strategy::{Strategy, Tally},
    sync::{Arc, Ordering},
    trip::{Cause, Trip},
    trips,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::Duration,
};

/// How long a breaker stays open whose recover panicked.
const FALLBACK: Plan = Plan::after(Duration::from_secs(30));

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// The strategy has concluded that the dependency is down.
    #[cold]
    #[inline(never)]
    pub(super) fn open(&self, era: Era, outcome: Outcome, rule: &'static str) {
        match self.mode() {
            Mode::Enforce => {}
            Mode::Observe => return self.would_open(era, rule),
            Mode::Off => return,
        }
        let now = clock::now();
        let edge = Edge::Trip { forgotten: self.forgotten(era, now) };
        match self.cell.shift(|seen| step(seen, era, edge)) {
            Ok(shift) => {
                self.opened(shift, now, Cause::Tripped, outcome, rule);
                self.tell();
            }
            Err(word) if word.hold() == Hold::OverriddenClosed => self.would_open(era, rule),
            Err(_) => {}
        }
    }

    /// A breaker that stays closed tells, and counts afresh; its end and its beginning stay what they were (R10).
    fn would_open(&self, era: Era, rule: &'static str) {
        // Who began this stay has yet to publish its end: the next outcome that says so tells, since to go on without
        // an end would be to hold it for ever.
        let (Some(since), Some(until)) = (self.times.since(era), self.times.until(era)) else { return };
        let Ok(shift) = self.cell.shift(|seen| step(seen, era, Edge::WouldOpen)) else { return };
        let next = shift.to.era();
        self.outbox().push_transition(next, Event::WouldOpen { breaker: self.identity.name(), rule });
        self.times.begin(next, since);
        self.strategy().begin(&self.state, next);
        if let Some((held, _)) = self.note().hold.as_mut().filter(|(held, _)| *held == era) {
            *held = next;
        }
        self.times.end(next, until);
        self.tell();
    }

    /// How many openings the stay in the closed `era` has let go.
    fn forgotten(&self, era: Era, now: Time) -> u32 {
        let Some(each) = self.recover().forgets() else { return u32::MAX };
        // Not published yet: it has closed only just now.
        let Some(since) = self.times.since(era) else { return 0 };
        let steps = now.since(since).as_nanos().checked_div(each.as_nanos()).unwrap_or(u128::MAX);
        u32::try_from(steps).unwrap_or(u32::MAX)
    }

    /// The moment at which the stay of `word` ended, if that has come.
    #[inline]
    pub(super) fn due(&self, word: Word, now: impl FnOnce() -> Time) -> Option<Time> {
        let ends = match word.status() {
            Status::Open => word.hold() != Hold::ForcedOpen,
            Status::Probing => true,
            Status::HalfOpen => false,
            Status::Closed => word.ramping() || word.hold() == Hold::OverriddenClosed,
        };
        if ends { self.times.until(word.era())?.due(now) } else { None }
    }

    /// Makes the changes that time has brought, each at its own moment, and gives back the word after them (R3, R32).
    pub(super) fn refresh(&self, clock: impl Fn() -> Time) -> Word {
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

    /// Tries one change and does all that it owes.
    pub(super) fn change(&self, next: impl Fn(Word) -> Option<Word>, at: Time, cause: Cause) {
        let Ok(shift) = self.cell.shift(next) else { return };
        if shift.from.era() == shift.to.era() {
            return;
        }
        if cause == Cause::ProbeLapsed && shift.to.status() == Status::Open {
            let outcome = Outcome::failure().cause("no answer within the lease");
            self.opened(shift, at, cause, outcome, "a third or later probe that did not answer in time");
        } else {
            self.entered(shift, at, cause);
        }
        self.tell();
    }

    /// What every stay owes: its telling, its beginning, and a fresh strategy where it is a closed one.
    pub(super) fn entered(&self, Shift { from, to }: Shift, at: Time, cause: Cause) -> Era {
        let era = to.era();
        let (breaker, from, status) = (self.identity.name(), from.status(), to.status());
        let told = Event::Transition { breaker, from, to: status, era: era.get(), cause };
        self.outbox().push_transition(era, told);
        self.times.begin(era, at);
        match (status, to.hold()) {
            (Status::Closed, Hold::None) => {
                self.strategy().begin(&self.state, era);
                let until = if to.ramping() { Until::after(at, self.times.ramp()) } else { Until::Never };
                self.times.end(era, until);
            }
            (Status::Closed, _) => self.strategy().begin(&self.state, era),
            (Status::HalfOpen, _) | (_, Hold::ForcedOpen) => self.times.end(era, Until::Never),
            // Who made these knows when they end, and publishes it next.
            (Status::Open | Status::Probing, _) => {}
        }
        era
    }

    /// What an opening owes besides: only its winner asks recover, and only once (R30).
    pub(super) fn opened(&self, shift: Shift, at: Time, cause: Cause, outcome: Outcome, rule: &'static str) {
        let strategy = self.strategy();
        let tally = self.counted(cause);
        let era = self.entered(shift, at, cause);
        let sources = match self.identity {
            Identity::Declared(_) => registry::failures(std::ptr::from_ref(self).cast(), shift.from.era()),
            Identity::Built(_) => Vec::new(),
        };
        let trip = Arc::new(Trip {
            openings: shift.to.openings(),
            outcome,
            cause,
            rule,
            tally,
            settings: strategy.settings(),
            sources,
            ago: Duration::ZERO,
            rejected: 0,
            at,
            turned_away: self.counters().all_turned_away(),
        });
        self.remember(era, &trip);
        self.plan(era, at, &trip);
    }

    /// Keeps the last opening; one whose winner was stalled does not take the place of a later one.
    fn remember(&self, era: Era, trip: &Arc<Trip>) {
        let mut notes = self.note();
        if notes.trip.as_ref().is_some_and(|(last, _)| last.is_after(era)) {
            return;
        }
        let before = notes.trip.replace((era, Arc::clone(trip)));
        // With the notes held: number and note are of the same opening.
        self.trip.store(trips::enter(trip), Ordering::Relaxed);
        drop(notes);
        drop(before);
    }

    /// What the opening rests on: what came in since, too late, is not part of it (R8).
    fn counted(&self, cause: Cause) -> Tally {
        match cause {
            Cause::Tripped => self.strategy().tally(&self.state),
            _ => self.note().trip.as_ref().map_or_else(Tally::default, |(_, trip)| trip.tally),
        }
    }

    fn plan(&self, era: Era, at: Time, trip: &Trip) {
        let recover = self.recover();
        let planned = catch_unwind(AssertUnwindSafe(|| recover.plan(trip)));
        // A recover that panics still leaves a breaker that comes back by itself.
        self.times.plan(era, at, planned.as_ref().unwrap_or(&FALLBACK));
        if let Err(payload) = planned {
            self.tell();
            // A second panic while unwinding would end the process.
            if !std::thread::panicking() {
                resume_unwind(payload);
            }
        }
    }
}

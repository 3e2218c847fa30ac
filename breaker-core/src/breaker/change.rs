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
    sync::Arc,
    trip::{Cause, Trip},
    trips,
};
use std::{
    any::Any,
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
        // Before the change: what comes in after it, too late, is not what it rests on (R8).
        let counted = catch_unwind(AssertUnwindSafe(|| self.strategy().tally_of(&self.state, rule)));
        let tally = counted.unwrap_or_default();
        match self.cell.shift(|seen| step(seen, era, edge)) {
            Ok(shift) => {
                self.opened(shift, now, Opening { cause: Cause::Tripped, outcome, rule, tally });
                self.tell();
            }
            Err(word) if word.hold() == Hold::OverriddenClosed => self.would_open(era, rule),
            // Over: there is no such edge either, and nothing needs to be loaded to know.
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
        let breaker = self.identity.name();
        self.outbox().push_transition(next, Event::WouldOpen { breaker, era: next.get(), rule });
        self.times.begin(next, since);
        self.trip.restamp(next);
        if let Some((held, _)) = self.note().hold.as_mut().filter(|(held, _)| *held == era) {
            *held = next;
        }
        self.times.end(next, until);
        self.renew_strategy(next);
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
        if ends(word) { self.times.until(word.era())?.due(now) } else { None }
    }

    /// Makes the changes that time has brought, each at its own moment, and gives back the word after them (R3, R32).
    pub(super) fn refresh(&self, clock: impl FnMut() -> Time) -> Word {
        self.refresh_from(self.cell.load(), clock)
    }

    /// The same from `word` on, which was read already.
    pub(super) fn refresh_from(&self, mut word: Word, mut clock: impl FnMut() -> Time) -> Word {
        loop {
            if !ends(word) {
                return word;
            }
            let Some(until) = self.times.until(word.era()) else {
                // It is over already, or its winner has yet to publish its end.
                let newest = self.cell.load();
                if newest == word {
                    return word;
                }
                word = newest;
                continue;
            };
            let Some(at) = until.due(&mut clock) else { return word };
            let (edge, cause) = match (word.status(), word.hold()) {
                (_, Hold::OverriddenOpen | Hold::OverriddenClosed) => (Edge::OverrideEnds, Cause::OverrideEnded),
                (Status::Open, _) => (Edge::Elapse, Cause::Elapsed),
                (Status::Probing, _) => (Edge::Lapse, Cause::ProbeLapsed),
                _ => (Edge::Ramped, Cause::Elapsed),
            };
            self.change(|seen| step(seen, word.era(), edge), at, cause);
            word = self.cell.load();
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
            let rule = "a third or later probe that did not answer in time";
            self.opened(shift, at, Opening { cause, outcome, rule, tally: Tally::default() });
        } else {
            self.entered(shift, at, cause, None);
        }
        self.tell();
    }

    /// What every stay owes: its telling, its times, and a fresh strategy where it is a closed one. `end` is the
    /// winner's to know, where it is a probe's lease or an override's.
    ///
    /// A user's strategy comes last, so that a panic of it leaves nothing undone.
    pub(super) fn entered(&self, Shift { from, to }: Shift, at: Time, cause: Cause, end: Option<Until>) -> Era {
        let era = to.era();
        let (breaker, from, status) = (self.identity.name(), from.status(), to.status());
        let hold = if cause == Cause::Overridden { self.held(to) } else { None };
        let told = Event::Transition { breaker, from, to: status, era: era.get(), cause, hold };
        self.outbox().push_transition(era, told);
        match status {
            Status::HalfOpen | Status::Probing => self.trip.restamp(era),
            Status::Closed | Status::Open => self.trip.publish(era, 0),
        }
        self.times.begin(era, at);
        match (status, to.hold(), end) {
            (_, _, Some(end)) => self.times.end(era, end),
            (Status::Closed, ..) if to.ramping() => self.times.end(era, Until::after(at, self.plan().ramp)),
            // Recover is yet to be asked.
            (Status::Open, Hold::None, None) => {}
            _ => self.times.end(era, Until::Never),
        }
        self.outbox().notify();
        if status == Status::Closed {
            self.renew_strategy(era);
        }
        era
    }

    fn renew_strategy(&self, era: Era) {
        let begun = catch_unwind(AssertUnwindSafe(|| self.strategy().begin(&self.state, era)));
        self.go_on(begun);
    }

    /// What an opening owes besides: only its winner asks recover, and only once (R30).
    pub(super) fn opened(&self, shift: Shift, at: Time, opening: Opening) {
        let era = self.entered(shift, at, opening.cause, None);
        let planned = catch_unwind(AssertUnwindSafe(|| {
            let trip = self.remember(shift, at, opening);
            self.recover().plan(&trip)
        }));
        // A user's code that panics still leaves a breaker that comes back by itself.
        let plan = *planned.as_ref().unwrap_or(&FALLBACK);
        // Before its end: who finds that finds the plan with it.
        self.note_plan(era, plan);
        self.times.end(era, Until::planned(at, plan.wait));
        self.outbox().notify();
        self.go_on(planned);
    }

    fn note_plan(&self, era: Era, plan: Plan) {
        let noted = &mut self.note().plan;
        if noted.is_none_or(|(last, _)| era.is_after(last)) {
            *noted = Some((era, plan));
        }
    }

    /// The plan of the last opening.
    pub(super) fn plan(&self) -> Plan {
        self.note().plan.map_or(FALLBACK, |(_, plan)| plan)
    }

    /// Keeps the last opening; one whose winner was stalled does not take the place of a later one.
    fn remember(&self, shift: Shift, at: Time, opening: Opening) -> Arc<Trip> {
        let Opening { cause, outcome, rule, tally } = opening;
        let era = shift.to.era();
        let sources = match self.identity {
            Identity::Declared(_) => registry::failures(std::ptr::from_ref(self).cast(), shift.from.era()),
            Identity::Built(_) => Vec::new(),
        };
        let settings = self.strategy().settings();
        let mut notes = self.note();
        // A probe that failed goes back to the opening that it was to end.
        let last = notes.trip.as_ref().filter(|_| cause != Cause::Tripped).map(|(_, last)| Arc::clone(last));
        let first = last.map(|last| last.first.clone().unwrap_or(last));
        let tally = first.as_ref().map_or(tally, |first| first.tally);
        let turned_away = first.as_ref().map_or_else(|| self.counters().all_turned_away(), |first| first.turned_away);
        let trip = Arc::new(Trip {
            openings: shift.to.openings(),
            outcome,
            cause,
            rule,
            tally,
            settings,
            sources,
            first,
            ago: Duration::ZERO,
            rejected: 0,
            at,
            turned_away,
        });
        if notes.trip.as_ref().is_some_and(|(last, _)| last.is_after(era)) {
            return trip;
        }
        let before = notes.trip.replace((era, Arc::clone(&trip)));
        drop(notes);
        drop(before);
        self.trip.publish(era, trips::enter(&trip));
        trip
    }

    /// Goes on after a user's code, or with its panic, which nothing here is left undone by.
    fn go_on<T>(&self, ran: Result<T, Box<dyn Any + Send>>) {
        if let Err(payload) = ran {
            self.tell();
            // A second panic while unwinding would end the process.
            if std::thread::panicking() {
                std::mem::forget(payload);
            } else {
                resume_unwind(payload);
            }
        }
    }
}

/// Whether a stay like this one ends by itself.
fn ends(word: Word) -> bool {
    match word.status() {
        Status::Open => word.hold() != Hold::ForcedOpen,
        Status::Probing => true,
        Status::HalfOpen => false,
        Status::Closed => word.ramping() || word.hold() == Hold::OverriddenClosed,
    }
}

/// Why a breaker opens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    pub(super) cause: Cause,
    pub(super) outcome: Outcome,
    pub(super) rule: &'static str,
    pub(super) tally: Tally,
}

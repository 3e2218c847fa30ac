//! A call asks to be let through.

use super::{Breaker, Ticket, step};
use crate::{
    Event, Permit, Rejected, clock,
    clock::Time,
    event,
    machine::{
        Until,
        transition::Edge,
        word::{Hold, Word},
    },
    mode::Mode,
    recover::Recover,
    stats,
    status::Status,
    strategy::Strategy,
    sync::{Arc, Ordering},
    trip::Cause,
};
use std::time::Duration;

/// After how long a call that a ramp rejected may try again (R38).
const RAMP_RETRY: Duration = Duration::from_millis(100);

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// Asks for one call, to be settled by hand.
    ///
    /// The permit remembers when it was given: dropped at `abandoned_after` or later it is a failure.
    pub fn acquire(&self) -> Result<Permit<'_>, Rejected> {
        let ticket = self.enter(true)?.started_by(clock::recent);
        Ok(Permit::borrowed(self, ticket))
    }

    /// [`Breaker::acquire`] for a breaker in an [`Arc`]: the permit keeps it alive, and is `'static`.
    pub fn acquire_owned(self: &Arc<Self>) -> Result<Permit<'static>, Rejected>
    where
        C: 'static,
    {
        let ticket = self.enter(true)?.started_by(clock::recent);
        let breaker = Arc::clone(self);
        Ok(Permit::owned(breaker, ticket))
    }

    /// One atomic read where there is nothing else to look at.
    #[inline]
    pub(super) fn enter(&self, probes: bool) -> Result<Ticket, Rejected> {
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
                Status::Closed if !word.ramping() || fastrand::f64() < self.share(word, clock::recent()) => {
                    return Ok(self.admitted(word, false));
                }
                Status::HalfOpen if probes && self.mode() == Mode::Enforce => {
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
                _ if self.mode() == Mode::Enforce => return Err(self.rejected(word)),
                // What is told and shown rejects nothing (R39).
                _ => return Ok(self.admitted(word, false)),
            }
        }
    }

    /// The share of calls that a closed breaker lets through: all, but in a ramp (R38).
    pub(super) fn share(&self, word: Word, now: Time) -> f64 {
        if !word.ramping() {
            return 1.0;
        }
        let era = word.era();
        let (Some(since), Some(Until::Time(until))) = (self.times.since(era), self.times.until(era)) else {
            // Not published yet: it has only just begun.
            return 0.0;
        };
        (now.since(since).as_secs_f64() / until.since(since).as_secs_f64()).min(1.0)
    }

    fn admitted(&self, word: Word, probe: bool) -> Ticket {
        let listening = self.listened() && self.mode() != Mode::Off;
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
        let until = if status == Status::HalfOpen { None } else { self.times.until(era) };
        let left = match until {
            Some(Until::Time(time)) => Some(time.since(clock::recent())),
            _ => None,
        };
        let retry_after = if word.ramping() { left.map(|left| left.min(RAMP_RETRY)) } else { left };
        let trip = if word.hold() == Hold::None { self.trip.load(Ordering::Relaxed) } else { 0 };
        let breaker = self.identity.name();
        self.counters().turned_away();
        if self.listened() {
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

    /// Whether somebody wants to hear of calls.
    pub(super) fn listened(&self) -> bool {
        event::listening() || self.identity.on_event().is_some()
    }
}

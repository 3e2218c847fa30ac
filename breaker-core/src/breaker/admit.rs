//! A call asks to be let through.

use super::{Breaker, step};
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
    status::Status,
    strategy::Strategy,
    sync::Arc,
    ticket::{Answer, Refusal, Ticket},
    trip::Cause,
};
use std::time::Duration;

/// After how long a call that a ramp rejected may try again (R38).
pub(super) const RAMP_RETRY: Duration = Duration::from_millis(100);

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// Asks for one call, to be settled by hand.
    ///
    /// The permit remembers when it was given: dropped at `abandoned_after` or later it is a failure.
    pub fn acquire(&self) -> Result<Permit<'_>, Rejected> {
        Ok(Permit::borrowed(self, self.enter_by_hand()?))
    }

    /// [`Breaker::acquire`] for a breaker in an [`Arc`]: the permit keeps it alive, and is `'static`.
    pub fn acquire_owned(self: &Arc<Self>) -> Result<Permit<'static>, Rejected>
    where
        C: 'static,
    {
        let ticket = self.enter_by_hand()?;
        let breaker = Arc::clone(self);
        Ok(Permit::owned(breaker, ticket))
    }

    /// For a call that is settled by hand: its start is read, since nobody knows whether it will wait (R14).
    pub(super) fn enter_by_hand(&self) -> Result<Ticket, Rejected> {
        match self.enter(true) {
            Ok(ticket) => Ok(ticket.started_by(clock::recent)),
            Err(refusal) => Err(self.rejection(refusal)),
        }
    }

    /// Asks for a call: one atomic read where there is nothing else to look at.
    #[inline]
    pub(super) fn enter(&self, probes: bool) -> Result<Ticket, Refusal> {
        let word = self.cell.load();
        if !word.is_plain() {
            self.enter_open(word, probes).opened()
        } else if event::listening() {
            self.enter_heard(word, probes).opened()
        } else {
            Ok(Ticket::plain(word.era(), S::NEEDS_ELAPSED.then(clock::now)))
        }
    }

    /// Most often a rejection, since a breaker that is open has many callers.
    #[cold]
    #[inline(never)]
    fn enter_open(&self, word: Word, probes: bool) -> Answer {
        match self.refuse(word) {
            Some(refusal) => refusal.into(),
            None => self.enter_slowly(word, probes),
        }
    }

    /// The plainest rejection, as [`Breaker::enter_slowly`] would make it, with less to look at: open and held by nobody
    /// until a time that has not come, nobody hears of it, and all that it needs was made by one before.
    #[inline]
    fn refuse(&self, word: Word) -> Option<Refusal> {
        if !word.is_plainly_open() || event::listening() {
            return None;
        }
        // What is open and held by nobody was let open by `BREAKER_MODE`, which lets it reject as well.
        // First of all, so that nothing else need be kept across a call into the system.
        let now = clock::recent();
        let left = self.times.time(word.era())?.nanos_after(now)?;
        self.made_counters()?.turned_away();
        Some(Refusal::new(word, Some(left)))
    }

    #[cold]
    #[inline(never)]
    fn enter_slowly(&self, mut word: Word, probes: bool) -> Answer {
        loop {
            // One reading of the coarse clock serves all that this look at the word asks of it.
            let mut reading = None;
            let mut recent = || *reading.get_or_insert_with(clock::recent);
            if self.due(word, &mut recent).is_some() {
                word = self.refresh_from(word, clock::now);
                continue;
            }
            match word.status() {
                Status::Closed if !word.ramping() || fastrand::f64() < self.share(word, recent()) => {
                    return self.admitted(word, false).into();
                }
                Status::HalfOpen if probes && self.mode() == Mode::Enforce => {
                    // Of all callers exactly one makes this change (R4).
                    if let Ok(shift) = self.cell.shift(|seen| step(seen, word.era(), Edge::Probe)) {
                        let now = clock::now();
                        let lease = self.plan().lease(word.lapses());
                        self.entered(shift, now, Cause::Probed, Some(Until::after(now, lease)));
                        let ticket = self.admitted(shift.to, true);
                        self.tell();
                        return ticket.into();
                    }
                }
                // A stay whose end is not to be found is over already, or its winner has yet to publish it.
                _ if self.times.until(word.era()).is_none() && self.cell.load() != word => {}
                _ if self.mode() == Mode::Enforce => return self.turn_away(word, recent).into(),
                // What is told and shown rejects nothing (R39).
                _ => return self.admitted(word, false).into(),
            }
            word = self.cell.load();
        }
    }

    /// Closed, and somebody listens: most often the stats alone.
    #[cold]
    #[inline(never)]
    fn enter_heard(&self, word: Word, probes: bool) -> Answer {
        if event::observed() {
            return self.enter_slowly(word, probes);
        }
        let Some(counters) = self.counting() else { return self.first_counted_in(word) };
        counters.admitted();
        Ticket::counted(word.era(), S::NEEDS_ELAPSED.then(clock::now)).into()
    }

    /// The first one, or none at all where the environment says so.
    #[cold]
    #[inline(never)]
    fn first_counted_in(&self, word: Word) -> Answer {
        if event::counting() && self.mode() != Mode::Off {
            self.counters();
            return self.enter_heard(word, false);
        }
        Ticket::plain(word.era(), S::NEEDS_ELAPSED.then(clock::now)).into()
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
        let off = self.mode() == Mode::Off;
        let (listened, counted) = (!off && self.listened(), !off && event::counting());
        if counted {
            self.counters().admitted();
        }
        if listened {
            self.outbox().push(Event::Permitted { breaker: self.identity.name(), probe });
            self.tell();
        }
        let started = (listened || S::NEEDS_ELAPSED).then(clock::now);
        Ticket::slow(word.era(), listened, counted, started)
    }

    /// Does all that a rejection owes.
    fn turn_away(&self, word: Word, recent: impl FnOnce() -> Time) -> Refusal {
        let era = word.era();
        let status = word.status();
        let until = if status == Status::HalfOpen { None } else { self.times.until(era) };
        let left = match until {
            Some(Until::Time(time)) => Some(time.since(recent())),
            _ => None,
        };
        let retry_after = if word.ramping() { left.map(|left| left.min(RAMP_RETRY)) } else { left };
        let counters = self.counters();
        counters.turned_away();
        if event::counting() {
            counters.rejected();
        }
        if self.listened() {
            let breaker = self.identity.name();
            self.outbox().push(Event::Rejected { breaker, status, retry_after });
            self.tell();
        }
        if matches!(until, Some(Until::Rejections(_))) && self.times.count_rejection(era) {
            self.change(|seen| step(seen, era, Edge::Elapse), clock::now(), Cause::Elapsed);
        }
        let nanos =
            |after: Duration| u64::try_from(after.as_nanos()).map_or(Refusal::LONGEST, |n| n.min(Refusal::LONGEST));
        Refusal::new(word, retry_after.map(nanos))
    }

    /// What a caller gets that was turned away.
    #[cold]
    #[inline(never)]
    pub(super) fn rejection(&self, refusal: Refusal) -> Rejected {
        let (status, hold, era, retry_after) = refusal.read();
        // The rejection that ends a stay in open is of an era that is over: half open, it is the same opening.
        let ended = || self.trip.of(era.next()).filter(|_| status == Status::Open);
        let trip = if hold == Hold::None { self.trip.of(era).or_else(ended).unwrap_or(0) } else { Rejected::HELD };
        Rejected { breaker: self.identity.name(), status, retry_after, trip }
    }

    /// Whether somebody wants to hear of calls.
    pub(super) fn listened(&self) -> bool {
        event::observed() || self.identity.on_event().is_some()
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backoff, Count};

    #[test]
    fn r35_who_was_heard_by_an_observer_that_is_gone_is_not_counted() {
        let breaker = Breaker::new("heard", Count::DEFAULT, Backoff::DEFAULT).unwrap();
        breaker.mode();
        breaker.counters();
        // As where the last observer goes between a call's look and its next; nobody here asks for stats.
        let ticket = breaker.enter_heard(breaker.cell.load(), true).opened().unwrap();
        assert!(ticket.is_plain());
        assert_eq!(breaker.stats().in_flight, 0);
    }
}

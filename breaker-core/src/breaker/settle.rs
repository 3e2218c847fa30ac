//! A call has ended: what that says, and where it counts.

use super::{ABANDONED, Breaker, change::Opening, step};
use crate::{
    Event, Failure, Outcome,
    clock::{self, Time},
    machine::{transition::Edge, word::Word},
    recover::{Plan, Recover},
    registry::Site,
    status::Status,
    strategy::{Call, Strategy, Tally, Verdict},
    ticket::{Ticket, Way},
    trip::Cause,
};
use std::time::Duration;

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// Records what an admitted call turned out to be.
    pub(super) fn settle(&self, ticket: Ticket, outcome: Outcome) {
        self.end(ticket, None, outcome, ());
    }

    /// Records what an admitted call turned out to be, and gives its result back.
    ///
    /// Only this much stands in the caller's code: a success that nobody hears of and that changes nothing.
    #[inline]
    pub(super) fn end<Ret>(&self, ticket: Ticket, site: Option<&'static Site>, outcome: Outcome, result: Ret) -> Ret {
        let success = matches!(outcome, Outcome::Success);
        if success && self.strategy.unmoved(&self.state, ticket.era_word()) {
            return result;
        }
        // What this calls may panic, and then drops the result by its address: that of a copy, so that on the way
        // above it has none and stays in registers.
        let kept = result;
        if success {
            self.settle_success(ticket);
        } else if matches!(outcome, Outcome::Failure(Failure { retry_after: None, cause: None })) {
            self.settle_failure(ticket, site);
        } else {
            self.settle_apart(ticket, site, outcome);
        }
        kept
    }

    /// Apart from the rest: a success is one number, and the fields of a failure need not be copied for it. Cold, so that
    /// a success that changes nothing runs straight on where this is called; it does no more than to go elsewhere.
    #[cold]
    #[inline(never)]
    fn settle_success(&self, ticket: Ticket) {
        match ticket.way() {
            Way::Plain => self.count_success(ticket),
            Way::Counted => self.count_success_out(ticket),
            _ => self.settle_apart(ticket, None, Outcome::Success),
        }
    }

    #[inline(never)]
    fn count_success(&self, ticket: Ticket) {
        if let Verdict::Open { rule } = self.verdict(ticket, Outcome::Success) {
            self.open_on_success(ticket, rule);
        }
    }

    /// Makes the outcome where it is needed, and not for each call that does not open.
    #[cold]
    #[inline(never)]
    fn open_on_success(&self, ticket: Ticket, rule: &'static str) {
        self.open(ticket.era(), Outcome::Success, rule);
    }

    /// The end of a call that the stats have counted in: as [`Breaker::end`], and counted out.
    #[inline(never)]
    fn count_success_out(&self, ticket: Ticket) {
        let word = self.cell.load();
        let unmoved =
            word.is_plain() && word.era() == ticket.era() && self.strategy.unmoved(&self.state, ticket.era().word());
        match self.made_counters() {
            Some(counters) if unmoved => counters.succeeded(),
            _ => self.settle_apart(ticket, None, Outcome::Success),
        }
    }

    /// The same for a failure that says no more than that it is one.
    #[inline(never)]
    fn settle_failure(&self, ticket: Ticket, site: Option<&'static Site>) {
        if ticket.is_plain() {
            if let Some(site) = site {
                site.failed(ticket.era());
            }
            if let Verdict::Open { rule } = self.verdict(ticket, Outcome::failure()) {
                self.open_on_failure(ticket, rule);
            }
        } else {
            self.settle_apart(ticket, site, Outcome::failure());
        }
    }

    /// See [`Breaker::open_on_success`].
    #[cold]
    #[inline(never)]
    fn open_on_failure(&self, ticket: Ticket, rule: &'static str) {
        self.open(ticket.era(), Outcome::failure(), rule);
    }

    #[inline(never)]
    fn settle_apart(&self, ticket: Ticket, site: Option<&'static Site>, outcome: Outcome) {
        let way = ticket.way();
        if let (Outcome::Failure(_), Some(site)) = (outcome, site)
            && way != Way::Spent
        {
            site.failed(ticket.era());
        }
        match way {
            Way::Spent | Way::Fresh { .. } => {}
            Way::Plain if counts(outcome) => self.count(ticket, outcome),
            Way::Counted if counts(outcome) => {
                // Asked before it counts: by an outcome that opens, its era is over.
                let late = self.refresh(clock::now).era() != ticket.era();
                if !late {
                    self.count(ticket, outcome);
                }
                self.counters().finished(outcome, late);
            }
            _ => self.settle_slowly(ticket, site, outcome),
        }
    }

    /// Shows the strategy an outcome of the closed path, and opens where it says so.
    fn count(&self, ticket: Ticket, outcome: Outcome) {
        if let Verdict::Open { rule } = self.verdict(ticket, outcome) {
            self.open(ticket.era(), outcome, rule);
        }
    }

    /// What the strategy concludes from an outcome of the closed path.
    #[inline]
    fn verdict(&self, ticket: Ticket, outcome: Outcome) -> Verdict {
        // A strategy compares as much of an era as it has room for; a permit may be older than that can tell.
        if self.cell.load().era() != ticket.era() {
            return Verdict::Stay;
        }
        let mut call = Call::new(outcome);
        if S::NEEDS_ELAPSED {
            let now = clock::now();
            call = call.at(now);
            call.elapsed = ticket.started().map(|started| now.since(started));
        }
        self.strategy.record(&self.state, ticket.era(), &call)
    }

    #[cold]
    #[inline(never)]
    fn settle_slowly(&self, ticket: Ticket, site: Option<&'static Site>, outcome: Outcome) {
        // An age is measured on the coarse clock, as most starts are; a latency on the precise one.
        let clock = if outcome == Outcome::Abandoned { clock::recent } else { clock::now };
        let elapsed = ticket.started().map(|started| clock().since(started));
        let concluded = self.by_age(outcome, elapsed);
        if let (Outcome::Abandoned, Outcome::Failure(_), Some(site)) = (outcome, concluded, site) {
            site.failed(ticket.era());
        }
        let late = self.conclude(ticket, concluded, elapsed);
        let (counted, told) = match ticket.way() {
            Way::Counted => (true, false),
            Way::Slow { told, counted } => (counted, told),
            Way::Plain | Way::Fresh { .. } | Way::Spent => (false, false),
        };
        if counted {
            self.counters().finished(outcome, late);
        }
        if told && self.listened() {
            let breaker = self.identity.name();
            self.outbox().push(Event::Finished { breaker, outcome, elapsed, late });
            self.tell();
        }
    }

    /// What an abandoned call comes to: a failure where it is old enough, nothing where it is young (R14).
    fn by_age(&self, outcome: Outcome, age: Option<Duration>) -> Outcome {
        match (outcome, age) {
            (Outcome::Abandoned, Some(age)) if age >= self.abandoned() => ABANDONED,
            (Outcome::Abandoned, _) => Outcome::Ignored,
            (outcome, _) => outcome,
        }
    }

    /// Brings an outcome to where it counts; whether it was late (R8).
    fn conclude(&self, ticket: Ticket, outcome: Outcome, elapsed: Option<Duration>) -> bool {
        // What comes at the very end of a stay, or later, is late though nobody has looked (R6, R10).
        let mut reading = None;
        let mut now = || *reading.get_or_insert_with(clock::now);
        let word = self.refresh(&mut now);
        if word.era() != ticket.era() {
            return true;
        }
        match word.status() {
            Status::Probing => return self.conclude_probe(word, outcome, now()),
            Status::Closed if counts(outcome) => {
                let mut call = Call::new(outcome);
                call.elapsed = elapsed.filter(|_| S::NEEDS_ELAPSED);
                if let Verdict::Open { rule } = self.strategy().record(&self.state, ticket.era(), &call) {
                    self.open(ticket.era(), outcome, rule);
                }
            }
            // Let through by `BREAKER_MODE`, or nothing to count.
            _ => {}
        }
        false
    }

    /// Brings the outcome of the probe, whose lease is not over `now`, to the machine; whether it was late.
    fn conclude_probe(&self, word: Word, outcome: Outcome, now: Time) -> bool {
        let era = word.era();
        let (edge, cause) = match outcome {
            Outcome::Success => {
                let Plan { successes: needed, ramp, .. } = self.plan();
                (Edge::Succeed { needed, ramp: !ramp.is_zero() }, Cause::ProbeSucceeded)
            }
            Outcome::Failure(_) => (Edge::Fail, Cause::ProbeFailed),
            Outcome::Ignored | Outcome::Abandoned => (Edge::Release, Cause::ProbeReleased),
        };
        let Ok(shift) = self.cell.shift(|seen| step(seen, era, edge)) else { return true };
        if shift.to.status() == Status::Open {
            let opening = Opening { cause, outcome, rule: "a failed probe", tally: Tally::default() };
            self.opened(shift, now, opening);
        } else {
            self.entered(shift, now, cause, None);
        }
        self.tell();
        false
    }
}

/// Whether a strategy is shown such an outcome.
const fn counts(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Success | Outcome::Failure(_))
}

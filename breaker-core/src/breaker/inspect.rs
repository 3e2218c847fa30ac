//! What an operator may look at.

use super::{Breaker, Tuning};
use crate::{
    AnyBreaker, Era, Outcome, Override, Permit, Rejected,
    clock::{self, Time},
    error::Place,
    machine::word::{Hold, Word},
    name::Name,
    permit::{Commit, Conduct, Inside},
    recover::Recover,
    settings::{SettingsError, Value},
    snapshot::Snapshot,
    stats::{Counters, Stats},
    status::Status,
    strategy::{Strategy, Tally},
    ticket::Ticket,
    trip::Trip,
};
use std::time::Duration;

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// Its name.
    pub fn name(&self) -> Name {
        self.identity.name()
    }

    /// Its state, as of this moment: what time has brought is seen without any traffic (R3).
    pub fn status(&self) -> Status {
        self.refresh(clock::now).status()
    }

    /// Everything there is to see, as of one moment.
    pub fn snapshot(&self) -> Snapshot {
        let word = self.refresh(clock::now);
        let now = clock::now();
        let era = word.era();
        let since = self.times.since(era).map_or(Duration::ZERO, |since| now.since(since.max(clock::ORIGIN)));
        let retry_after = match word.status() {
            Status::Closed if word.hold() == Hold::None => None,
            // None in half open, whose stay ends at no time.
            _ => self.times.until(era).and_then(|until| until.left(now)),
        };
        let Tuning { strategy, recover, .. } = self.tuning();
        let last_trip = self.last_trip(now);
        // While it is not closed the strategy may still be shown what comes too late; that is not to be seen (R8).
        let tally = match (word.status(), &last_trip) {
            (Status::Closed, _) => strategy.tally(&self.state),
            (_, Some(trip)) if word.hold() == Hold::None => trip.tally,
            _ => Tally::default(),
        };
        Snapshot {
            name: self.identity.name(),
            module: self.identity.module(),
            status: word.status(),
            forced: self.held(word),
            era: era.get(),
            since,
            retry_after,
            admitting: self.share(word, now),
            settings: [strategy.settings(), recover.settings()].concat(),
            last_trip,
            tally,
        }
    }

    /// How many calls came to what, since [`collect_stats`](crate::collect_stats).
    pub fn stats(&self) -> Stats {
        self.cold.get().and_then(|cold| cold.counters.get()).map_or_else(Stats::default, Counters::sum)
    }

    fn last_trip(&self, now: Time) -> Option<Trip> {
        let (_, trip) = self.note().trip.clone()?;
        let rejected = self.counters().all_turned_away().saturating_sub(trip.turned_away);
        Some(Trip { ago: now.since(trip.at), rejected, ..(*trip).clone() })
    }

    pub(super) fn held(&self, word: Word) -> Option<Override> {
        if word.hold() == Hold::None {
            return None;
        }
        let noted = self.note().hold.clone();
        // `force_open` notes nothing, and another's note may be yet to come.
        Some(noted.filter(|(era, _)| *era == word.era()).map_or_else(Override::forced, |(_, hold)| hold))
    }
}

impl<S: Strategy, R: Recover, C> Conduct for Breaker<S, R, C> {
    fn settle_dyn(&self, ticket: Ticket, outcome: Outcome, _: Inside) {
        self.settle(ticket, outcome);
    }

    fn renew_dyn(&self, era: Era, _: Inside) {
        let word = self.cell.load();
        if word.era() == era && word.status() == Status::Probing {
            self.times.renew(era, clock::now(), self.plan().lease(word.lapses()));
        }
    }

    fn enter_dyn(&self, _: Inside) -> Result<Ticket, Rejected> {
        self.enter_by_hand()
    }

    fn place(&self) -> Place {
        self.identity.place()
    }

    fn check(&self) -> Result<(), SettingsError> {
        let Tuning { strategy, recover, .. } = self.tuning();
        strategy.check()?;
        recover.check()
    }

    fn configure_dyn<'a>(&'a self, changes: &[(String, Value)], _: Inside) -> Result<Commit<'a>, SettingsError> {
        self.accepts_keys(changes)?;
        let changes = changes.to_vec();
        Ok(Box::new(move || self.configure_keys(&changes)))
    }

    fn doubts(&self) -> Vec<String> {
        self.tuning().strategy.doubts(&self.state)
    }

    #[cfg(any(feature = "test-util", breaker_loom))]
    fn reset_dyn(&self, _: Inside) {
        self.reset();
    }
}

impl<S: Strategy, R: Recover, C> AnyBreaker for Breaker<S, R, C> {
    fn name(&self) -> Name {
        self.identity.name()
    }

    fn module(&self) -> &'static str {
        self.identity.module()
    }

    fn status(&self) -> Status {
        self.status()
    }

    fn snapshot(&self) -> Snapshot {
        self.snapshot()
    }

    fn explain(&self) -> String {
        self.explain()
    }

    fn stats(&self) -> Stats {
        self.stats()
    }

    fn force_open(&self) {
        self.force_open();
    }

    fn force_close(&self) {
        self.force_close();
    }

    fn override_open(&self, hold: Override) {
        self.override_open(hold);
    }

    fn override_closed(&self, hold: Override) {
        self.override_closed(hold);
    }

    fn acquire(&self) -> Result<Permit<'_>, Rejected> {
        self.acquire()
    }
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backoff, Count, hidden::Declaration};

    #[test]
    fn r36_a_declared_breaker_whose_settings_nobody_has_checked_is_refused_when_asked() {
        static BAD: Declaration = Declaration {
            name: "bad",
            module: "m",
            file: "m.rs",
            line: 1,
            abandoned_after: Declaration::ABANDONED_AFTER,
            on_event: None,
        };
        let check = |strategy, recover| Breaker::<_, _>::declared(&BAD, strategy, recover).check();
        assert_eq!(check(Count { threshold: 0, ..Count::DEFAULT }, Backoff::DEFAULT).unwrap_err().field, "threshold");
        let recover = Backoff { successes: 0, ..Backoff::DEFAULT };
        assert_eq!(check(Count::DEFAULT, recover).unwrap_err().field, "successes");
        assert_eq!(check(Count::DEFAULT, Backoff::DEFAULT), Ok(()));
    }
}

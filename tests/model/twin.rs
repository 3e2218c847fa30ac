//! The dull twin: the rules as they are written, one after the other, behind a mutex. It shares no code with the
//! machine, and counts in microseconds.

use crate::steps::{Life, SECOND, Wait};
use breaker::{Outcome, Status};

pub(crate) const RESET: u64 = 30 * SECOND;
pub(crate) const INITIAL: u64 = SECOND;
pub(crate) const MAX: u64 = 8 * SECOND;
pub(crate) const LEASE: u64 = 10 * SECOND;
/// R14: from this age on, an abandoned call is a failure.
const OLD: u64 = SECOND;
/// R6: the longest that doubling makes a lease.
const LONGEST: u64 = 600 * SECOND;

/// R1, and who holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Closed,
    Open { until: u64 },
    HalfOpen,
    Probing { until: u64 },
    Forced,
    HeldOpen { until: u64 },
    HeldClosed { until: u64 },
}

/// What an admitted call holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slip {
    era: u64,
    start: u64,
}

/// R37: what a rejected call is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct No {
    pub(crate) status: Status,
    pub(crate) retry_after: Option<u64>,
}

/// The last opening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Opening {
    pub(crate) openings: u32,
    /// `None`: no call said so, but a lease that was over.
    pub(crate) outcome: Option<Outcome>,
}

#[derive(Debug)]
pub(crate) struct Twin {
    threshold: u32,
    wait: Wait,
    successes: u32,
    pub(crate) now: u64,
    state: State,
    pub(crate) era: u64,
    since: u64,
    /// R19: failures in a row.
    pub(crate) failures: u32,
    /// R27: openings in a row.
    openings: u32,
    /// R7: successful probes in a row.
    row: u32,
    /// R6: lapses since the last close.
    lapses: u32,
    pub(crate) last: Option<Opening>,
    pub(crate) told: Vec<String>,
}

impl Twin {
    pub(crate) fn new(life: &Life) -> Self {
        Self {
            threshold: life.threshold,
            wait: life.wait,
            successes: life.successes,
            now: 0,
            state: State::Closed,
            era: 0,
            since: 0,
            failures: 0,
            openings: 0,
            row: 0,
            lapses: 0,
            last: None,
            told: Vec::new(),
        }
    }

    // ---- what is seen

    pub(crate) fn status(&self) -> Status {
        match self.state {
            State::Closed | State::HeldClosed { .. } => Status::Closed,
            State::Open { .. } | State::Forced | State::HeldOpen { .. } => Status::Open,
            State::HalfOpen => Status::HalfOpen,
            State::Probing { .. } => Status::Probing,
        }
    }

    pub(crate) fn held(&self) -> bool {
        matches!(self.state, State::Forced | State::HeldOpen { .. } | State::HeldClosed { .. })
    }

    pub(crate) fn since(&self) -> u64 {
        self.now - self.since
    }

    /// R37: the time left.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        Some(self.end()? - self.now)
    }

    fn end(&self) -> Option<u64> {
        match self.state {
            State::Closed | State::HalfOpen | State::Forced => None,
            State::Open { until }
            | State::Probing { until }
            | State::HeldOpen { until }
            | State::HeldClosed { until } => Some(until),
        }
    }

    // ---- time

    /// R3, R6, R10: what time brings happens at its own moment, seen or not.
    pub(crate) fn advance(&mut self, by: u64) {
        self.now += by;
        while let Some(end) = self.end().filter(|end| *end <= self.now) {
            match self.state {
                State::Open { .. } => self.enter(State::HalfOpen, end, "elapsed"),
                State::HeldOpen { .. } | State::HeldClosed { .. } => self.fresh(State::Closed, end, "override ended"),
                _ => {
                    self.lapses += 1;
                    if self.lapses < 3 {
                        self.enter(State::HalfOpen, end, "probe lapsed");
                    } else {
                        self.open(self.openings + 1, end, "probe lapsed", None);
                    }
                }
            }
        }
    }

    // ---- calls

    pub(crate) fn acquire(&mut self) -> Result<Slip, No> {
        match self.state {
            State::Closed | State::HeldClosed { .. } => self.tell("permitted"),
            // R4, R6
            State::HalfOpen => {
                let until = self.now + self.lease();
                self.enter(State::Probing { until }, self.now, "probed");
                self.tell("permitted to probe");
            }
            _ => {
                let status = self.status();
                self.tell(&format!("rejected, {status}"));
                return Err(No { status, retry_after: self.retry_after() });
            }
        }
        Ok(Slip { era: self.era, start: self.now })
    }

    pub(crate) fn settle(&mut self, slip: Slip, told: Outcome) {
        // R14
        let outcome = match told {
            Outcome::Abandoned if self.now - slip.start >= OLD => Outcome::failure().cause("abandoned"),
            Outcome::Abandoned => Outcome::Ignored,
            other => other,
        };
        // R8
        let late = slip.era != self.era;
        if !late {
            match self.state {
                State::Probing { .. } => self.end_probe(outcome),
                _ => self.count(outcome),
            }
        }
        self.tell(&format!("{told}{}", if late { ", late" } else { "" }));
    }

    /// R5, R7, R13
    fn end_probe(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Success if self.row + 1 >= self.successes => {
                (self.row, self.lapses) = (0, 0);
                self.enter(State::Closed, self.now, "probe succeeded");
            }
            Outcome::Success => {
                self.row += 1;
                self.enter(State::HalfOpen, self.now, "probe succeeded");
            }
            Outcome::Failure(_) => {
                self.row = 0;
                self.open(self.openings + 1, self.now, "probe failed", Some(outcome));
            }
            _ => self.enter(State::HalfOpen, self.now, "probe released"),
        }
    }

    /// R19, R10
    fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Success => self.failures = 0,
            Outcome::Failure(_) => {
                self.failures += 1;
                if self.failures < self.threshold {
                    return;
                }
                if self.state == State::Closed {
                    self.open(self.openings_of_a_trip(), self.now, "tripped", Some(outcome));
                } else {
                    // The strategy starts afresh, and what is in flight belongs to what was before.
                    self.failures = 0;
                    self.era += 1;
                    self.tell("would open");
                }
            }
            _ => {}
        }
    }

    /// R27: `Backoff` forgets one opening for each `max` spent closed, the others all of them.
    fn openings_of_a_trip(&self) -> u32 {
        match self.wait {
            Wait::Same => 1,
            Wait::Growing => {
                let forgotten = u32::try_from(self.since() / MAX).unwrap_or(u32::MAX);
                self.openings.saturating_sub(forgotten) + 1
            }
        }
    }

    /// R6: a probe that is alive.
    pub(crate) fn progress(&mut self, slip: Slip) {
        let until = self.now + self.lease();
        if let State::Probing { until: end } = &mut self.state
            && slip.era == self.era
        {
            *end = until;
        }
    }

    fn lease(&self) -> u64 {
        (LEASE << self.lapses.min(20)).clamp(LEASE, LONGEST)
    }

    // ---- commands

    pub(crate) fn force_open(&mut self) {
        if self.state != State::Forced {
            self.fresh(State::Forced, self.now, "forced");
        }
    }

    pub(crate) fn force_close(&mut self) {
        self.fresh(State::Closed, self.now, "forced");
    }

    pub(crate) fn override_open(&mut self, lasting: u64) {
        self.fresh(State::HeldOpen { until: self.now + lasting }, self.now, "overridden");
    }

    pub(crate) fn override_closed(&mut self, lasting: u64) {
        self.fresh(State::HeldClosed { until: self.now + lasting }, self.now, "overridden");
    }

    // ---- changes

    /// R26, R27, R30
    fn open(&mut self, openings: u32, at: u64, cause: &str, outcome: Option<Outcome>) {
        self.openings = openings;
        self.last = Some(Opening { openings, outcome });
        let wait = match self.wait {
            Wait::Same => RESET,
            Wait::Growing => (INITIAL << (openings - 1).min(20)).min(MAX),
        };
        self.enter(State::Open { until: at + wait }, at, cause);
    }

    /// R11: nothing of what was before.
    fn fresh(&mut self, state: State, at: u64, cause: &str) {
        (self.openings, self.row, self.lapses) = (0, 0, 0);
        self.enter(state, at, cause);
    }

    /// R8, R33
    fn enter(&mut self, state: State, at: u64, cause: &str) {
        let from = self.status();
        self.state = state;
        self.since = at;
        self.era += 1;
        self.failures = 0;
        self.tell(&format!("{from} -> {}, {cause}", self.status()));
    }

    fn tell(&mut self, line: &str) {
        self.told.push(line.to_owned());
    }
}

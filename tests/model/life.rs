//! One life, lived twice.

use crate::{
    steps::{Clock, Life, Step, Wait},
    twin::{INITIAL, LEASE, MAX, No, Opening, RESET, Slip, Twin},
};
use breaker::{
    Backoff, BasicTimeout, Breaker, Count, Event, Outcome, Override, Permit, Recover, Rejected, Status, observe,
    test_util::{advance, isolate},
};
use proptest::{prop_assert, prop_assert_eq, test_runner::TestCaseError};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

const NAME: &str = "twin";

/// What the lives came across.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    half_open: u32,
    probing: u32,
    closed_again: u32,
    opened_by_lapse: u32,
    late: u32,
    would_open: u32,
    third_openings: u32,
}

impl Seen {
    pub(crate) fn everything(&self) -> bool {
        let Self { half_open, probing, closed_again, opened_by_lapse, late, would_open, third_openings } = self;
        [half_open, probing, closed_again, opened_by_lapse, late, would_open, third_openings].iter().all(|n| **n > 5)
    }

    fn note(&mut self, twin: &Twin) {
        let seen = |what: &str| u32::from(twin.told.iter().any(|line| line.contains(what)));
        self.half_open += seen("-> half_open");
        self.probing += seen("-> probing");
        self.closed_again += seen("-> closed, probe succeeded");
        self.opened_by_lapse += seen("-> open, probe lapsed");
        self.late += seen(", late");
        self.would_open += seen("would open");
        self.third_openings += u32::from(twin.last.is_some_and(|last| last.openings >= 3));
    }
}

fn micros(micros: u64) -> Duration {
    Duration::from_micros(micros)
}

pub(crate) fn live(life: &Life, seen: &mut Seen) -> Result<(), TestCaseError> {
    let (probing_timeout, successes) = (micros(LEASE), life.successes);
    match life.wait {
        Wait::Same => {
            let reset_timeout = micros(RESET);
            live_with(life, seen, BasicTimeout { reset_timeout, probing_timeout, successes, ..BasicTimeout::DEFAULT })
        }
        Wait::Growing => {
            let (initial, max, jitter) = (micros(INITIAL), micros(MAX), 0.0);
            live_with(life, seen, Backoff { initial, max, jitter, probing_timeout, successes, ..Backoff::DEFAULT })
        }
    }
}

fn live_with<R: Recover>(life: &Life, seen: &mut Seen, recover: R) -> Result<(), TestCaseError> {
    let _alone = isolate();
    let breaker = Breaker::new(NAME, Count { threshold: life.threshold, ..Count::DEFAULT }, recover);
    let breaker = breaker.map_err(|error| TestCaseError::fail(error.to_string()))?;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&heard);
    let _observation = life.told.then(|| observe(move |event| hear(&to, event)));
    let twin = Mutex::new(Twin::new(life));
    let mut pair = Pair { breaker: &breaker, twin: &twin, permits: Vec::new() };
    for (step, look) in &life.steps {
        pair.step(*step)?;
        if *look {
            pair.look()?;
            if life.told {
                prop_assert_eq!(&*heard.lock().unwrap_or_else(PoisonError::into_inner), &pair.twin().told);
            }
        }
    }
    pair.look()?;
    seen.note(&pair.twin());
    Ok(())
}

fn hear(to: &Mutex<Vec<String>>, event: &Event) {
    if event.breaker() != NAME {
        return;
    }
    let line = match event {
        Event::Permitted { probe: true, .. } => "permitted to probe".to_owned(),
        Event::Permitted { .. } => "permitted".to_owned(),
        Event::Rejected { status, .. } => format!("rejected, {status}"),
        Event::Finished { outcome, late: true, .. } => format!("{outcome}, late"),
        Event::Finished { outcome, .. } => outcome.to_string(),
        Event::Transition { from, to, cause, .. } => format!("{from} -> {to}, {cause}"),
        Event::WouldOpen { .. } => "would open".to_owned(),
        other => format!("{other:?}"),
    };
    to.lock().unwrap_or_else(PoisonError::into_inner).push(line);
}

/// The machine and its twin, and the permits of both.
struct Pair<'a, R: Recover> {
    breaker: &'a Breaker<Count, R>,
    twin: &'a Mutex<Twin>,
    permits: Vec<(Permit<'a>, Slip)>,
}

impl<'a, R: Recover> Pair<'a, R> {
    fn twin(&self) -> std::sync::MutexGuard<'a, Twin> {
        self.twin.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        match step {
            Step::Acquire => {
                if let Some(pair) = self.acquire()? {
                    self.permits.push(pair);
                }
            }
            Step::Call(outcome) => {
                if let Some((permit, slip)) = self.acquire()? {
                    permit.settle(outcome);
                    self.twin().settle(slip, outcome);
                }
            }
            Step::Settle(at, outcome) => {
                if let Some((permit, slip)) = self.take(at) {
                    permit.settle(outcome);
                    self.twin().settle(slip, outcome);
                }
            }
            Step::Drop(at) => {
                if let Some((permit, slip)) = self.take(at) {
                    drop(permit);
                    self.twin().settle(slip, Outcome::Abandoned);
                }
            }
            Step::Forget(at) => {
                if let Some((permit, _)) = self.take(at) {
                    std::mem::forget(permit);
                }
            }
            Step::Progress(at) => {
                if !self.permits.is_empty() {
                    let (permit, slip) = at.get(&self.permits);
                    permit.progress();
                    self.twin().progress(*slip);
                }
            }
            Step::Advance(clock) => {
                let by = match clock {
                    Clock::Micros(by) => by,
                    Clock::ToTheEnd { less } => self.twin().retry_after().map_or(0, |left| left.saturating_sub(less)),
                };
                advance(micros(by));
                self.twin().advance(by);
            }
            Step::ForceOpen => {
                self.breaker.force_open();
                self.twin().force_open();
            }
            Step::ForceClose => {
                self.breaker.force_close();
                self.twin().force_close();
            }
            Step::OverrideOpen(lasting) => {
                self.breaker.override_open(Override::lasting(micros(lasting)));
                self.twin().override_open(lasting);
            }
            Step::OverrideClosed(lasting) => {
                self.breaker.override_closed(Override::lasting(micros(lasting)));
                self.twin().override_closed(lasting);
            }
        }
        // What is over at once is over before the next step.
        self.twin().advance(0);
        Ok(())
    }

    /// Both let it through, or both say the same no.
    fn acquire(&self) -> Result<Option<(Permit<'a>, Slip)>, TestCaseError> {
        match (self.breaker.acquire(), self.twin().acquire()) {
            (Ok(permit), Ok(slip)) => Ok(Some((permit, slip))),
            (Err(rejected), Err(no)) => {
                prop_assert_eq!(said(&rejected), no);
                Ok(None)
            }
            (machine, twin) => Err(TestCaseError::fail(format!("{machine:?} but {twin:?}"))),
        }
    }

    fn take(&mut self, at: proptest::sample::Index) -> Option<(Permit<'a>, Slip)> {
        (!self.permits.is_empty()).then(|| self.permits.swap_remove(at.index(self.permits.len())))
    }

    fn look(&self) -> Result<(), TestCaseError> {
        let snapshot = self.breaker.snapshot();
        let twin = self.twin();
        prop_assert_eq!(snapshot.status, twin.status());
        prop_assert_eq!(snapshot.era, twin.era);
        prop_assert_eq!(snapshot.since, micros(twin.since()));
        prop_assert_eq!(snapshot.retry_after, twin.retry_after().map(micros));
        prop_assert_eq!(snapshot.forced.is_some(), twin.held());
        if snapshot.status == Status::Closed {
            prop_assert_eq!(snapshot.tally.failures, twin.failures);
        }
        let last = snapshot.last_trip.map(|trip| (trip.openings, trip.outcome));
        prop_assert_eq!(last.map(|(openings, _)| openings), twin.last.map(|last| last.openings));
        if let (Some((_, outcome)), Some(Opening { outcome: Some(expected), .. })) = (last, twin.last) {
            prop_assert_eq!(outcome, expected);
        }
        prop_assert!(self.breaker.status() == twin.status());
        Ok(())
    }
}

fn said(rejected: &Rejected) -> No {
    let micros = |left: Duration| u64::try_from(left.as_micros()).unwrap_or(u64::MAX);
    No { status: rejected.status, retry_after: rejected.retry_after.map(micros) }
}

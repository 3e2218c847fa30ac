//! What the stages share: breakers with small numbers, calls of a known end, and an ear.

use breaker::{BasicTimeout, Breaker, Count, Error, Event, Observation, Outcome, Recover, Status, Strategy, observe};
use std::{
    pin::Pin,
    process::Command,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};

pub(crate) use breaker::test_util::{advance, isolate};

/// The smallest step that a deadline knows.
pub(crate) const TICK: Duration = Duration::from_micros(1);

/// Open for 30 s, a lease of 10 s.
pub(crate) const BASIC: BasicTimeout = BasicTimeout { probing_timeout: secs(10), ..BasicTimeout::DEFAULT };

pub(crate) const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

pub(crate) const fn count(threshold: u32) -> Count {
    Count { threshold, ..Count::DEFAULT }
}

/// Opens on the third failure in a row, for 30 s; a lease of 10 s.
pub(crate) fn three() -> Breaker<Count, BasicTimeout> {
    named("three")
}

/// [`three`], by a name of its own, for those who listen.
pub(crate) fn named(name: &'static str) -> Breaker<Count, BasicTimeout> {
    with(name, count(3), BASIC)
}

pub(crate) fn with<S: Strategy, R: Recover>(name: &'static str, strategy: S, recover: R) -> Breaker<S, R> {
    Breaker::new(name, strategy, recover).expect("the settings are sound")
}

/// Calls of a known end.
pub(crate) trait Calls {
    /// A call that succeeds; whether it was let through.
    fn succeed(&self) -> bool;
    /// A call that fails; whether it was let through.
    fn fail(&self) -> bool;
    /// Three failures.
    fn trip(&self);
    /// A call of this outcome; whether it was let through.
    fn come_to(&self, outcome: Outcome) -> bool;
    /// Tripped, and half open since just now.
    fn half_open(&self);
}

impl<S: Strategy, R: Recover, C> Calls for Breaker<S, R, C> {
    fn succeed(&self) -> bool {
        self.come_to(Outcome::Success)
    }

    fn fail(&self) -> bool {
        self.come_to(Outcome::failure())
    }

    fn trip(&self) {
        for _ in 0..3 {
            assert!(self.fail(), "closed, so that each call passes");
        }
        assert_eq!(self.status(), Status::Open);
    }

    fn come_to(&self, outcome: Outcome) -> bool {
        self.acquire().map(|permit| permit.settle(outcome)).is_ok()
    }

    fn half_open(&self) {
        self.trip();
        advance(secs(30));
        assert_eq!(self.status(), Status::HalfOpen);
    }
}

/// Everything that is told of one breaker from now on, a short line each.
pub(crate) struct Ear {
    heard: Arc<Mutex<Vec<String>>>,
    _observation: Observation,
}

impl Ear {
    pub(crate) fn of(name: &'static str) -> Self {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&heard);
        let observation = observe(move |event| {
            if event.breaker() == name {
                to.lock().unwrap_or_else(PoisonError::into_inner).push(line(event));
            }
        });
        Self { heard, _observation: observation }
    }

    /// What was told since the last time.
    pub(crate) fn heard(&self) -> Vec<String> {
        std::mem::take(&mut self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The transitions and would-opens among it.
    pub(crate) fn transitions(&self) -> Vec<String> {
        self.heard().into_iter().filter(|line| line.contains("->") || line == "would open").collect()
    }
}

pub(crate) fn line(event: &Event) -> String {
    match event {
        Event::Permitted { probe, .. } => (if *probe { "permitted to probe" } else { "permitted" }).to_owned(),
        Event::Rejected { status, .. } => format!("rejected, {status}"),
        Event::Finished { outcome, late, .. } => format!("{outcome}{}", if *late { ", late" } else { "" }),
        Event::Transition { from, to, cause, .. } => format!("{from} -> {to}, {cause}"),
        Event::WouldOpen { .. } => "would open".to_owned(),
        other => format!("{other:?}"),
    }
}

/// One poll by nobody in particular.
pub(crate) fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Runs an ignored test of this binary in a process of its own, for what is the whole process's.
pub(crate) fn in_a_process_of_its_own(test: &str) {
    let program = std::env::current_exe().expect("a test binary knows where it is");
    let ran = Command::new(program).args([test, "--exact", "--ignored"]).output().expect("it has just run here");
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && printed.contains("1 passed"), "{printed}{}", String::from_utf8_lossy(&ran.stderr));
}

/// The error of a call that was let through, if it was.
pub(crate) fn inner<T, E>(result: Result<T, Error<E>>) -> Option<E> {
    match result {
        Err(Error::Inner(error)) => Some(error),
        _ => None,
    }
}

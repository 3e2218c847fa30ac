//! Breakers for the checker, and the checker.

use breaker::{
    Breaker, Count, Failure, Outcome, Permit, Plan, Recover, Status, Strategy, Trip,
    test_util::{advance, clock_is_a_step, isolate, locks_are_steps, rewind, stale},
};
use loom::{sync::atomic::AtomicBool, thread};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

pub(crate) const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// Opens for as long as the failure asks for, or for 30 s; a lease of 10 s.
#[derive(Clone, Copy)]
pub(crate) struct AsAsked;

impl Recover for AsAsked {
    fn plan(&self, trip: &Trip) -> Plan {
        let asked = match trip.outcome {
            Outcome::Failure(Failure { retry_after, .. }) => retry_after,
            _ => None,
        };
        Plan::after(asked.unwrap_or(secs(30))).probing_timeout(secs(10))
    }
}

/// What a call that was told to wait so long comes to.
pub(crate) const fn busy(secs: u64) -> Outcome {
    Outcome::failure().retry_after(Duration::from_secs(secs))
}

pub(crate) type Shared<R = AsAsked> = Arc<Breaker<Count, R>>;

/// Runs `model`, one at a time, on a clock that stands still: in every order of its steps on atomics and of its looks at
/// the clock; then, with the locks as steps too, in each order with few preemptions; then with loads that may be stale.
pub(crate) fn check(model: impl Fn() + Send + Sync + 'static) {
    let _alone = isolate();
    run(Effort::Atomics, model);
}

/// The same, with the locks as steps in every order: for what is told, planned or noted.
pub(crate) fn check_locks(model: impl Fn() + Send + Sync + 'static) {
    let _alone = isolate();
    run(Effort::Locks, model);
}

/// The same with at most so many preemptions, where every order would take too long.
pub(crate) fn check_with(preemptions: usize, model: impl Fn() + Send + Sync + 'static) {
    let _alone = isolate();
    run(Effort::Bounded(preemptions), model);
}

/// How many orders are gone through.
#[derive(Clone, Copy)]
pub(crate) enum Effort {
    /// Every one of steps on atomics; with locks as steps, few preemptions.
    Atomics,
    /// Every one, with locks as steps.
    Locks,
    /// At most so many preemptions.
    Bounded(usize),
}

/// [`check`] and its like for who is alone already.
pub(crate) fn run(effort: Effort, model: impl Fn() + Send + Sync + 'static) {
    let model = Arc::new(model);
    let (locks, stale) = match effort {
        Effort::Atomics => {
            explore(Steps::Atomics, None, &model);
            (Some(LOCKS), STALE)
        }
        Effort::Locks => (None, STALE),
        Effort::Bounded(preemptions) => (Some(preemptions), preemptions - 2),
    };
    explore(Steps::Locks, locks, &model);
    explore(Steps::StaleLoads, Some(stale), &model);
}

/// More steps than any model has; what takes more never ends.
const BRANCHES: usize = 100_000;
/// So many preemptions with locks as steps, where nothing else is said.
const LOCKS: usize = 4;
/// And so many with loads that may be stale, of which there are many more orders.
const STALE: usize = 2;

/// Runs once what has one thread.
pub(crate) fn alone(model: impl Fn() + Send + Sync + 'static) {
    let _alone = isolate();
    let mut checker = loom::model::Builder::new();
    checker.max_branches = BRANCHES;
    checker.check(model);
}

/// What takes its place in an order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Steps {
    Atomics,
    Locks,
    StaleLoads,
}

fn explore(steps: Steps, preemptions: Option<usize>, model: &Arc<impl Fn() + Send + Sync + 'static>) {
    // Set anew for each: a model that failed before may have left them as they were.
    locks_are_steps(steps != Steps::Atomics);
    stale(steps == Steps::StaleLoads);
    let mut checker = loom::model::Builder::new();
    checker.max_branches = BRANCHES;
    checker.preemption_bound = preemptions;
    let orders = Arc::new(AtomicU64::new(0));
    let (model, counted) = (Arc::clone(model), Arc::clone(&orders));
    let began = Instant::now();
    checker.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        let _time = TimeIsAStep::unless(steps == Steps::StaleLoads);
        // Each run at about the same time: what they advance does not add up.
        rewind();
        model();
    });
    stale(false);
    let within = preemptions.map_or("without a bound".to_owned(), |most| format!("of at most {most} preemptions"));
    println!("{steps:?}, {within}: {} runs in {:.1?}", orders.load(Ordering::Relaxed), began.elapsed());
}

/// The clock is the checker's while a model runs, and nobody's else.
struct TimeIsAStep;

impl TimeIsAStep {
    fn unless(not: bool) -> Self {
        clock_is_a_step(!not);
        Self
    }
}

impl Drop for TimeIsAStep {
    fn drop(&mut self) {
        clock_is_a_step(false);
    }
}

/// Models whose orders no run gets through: with few preemptions, the number after the name, in every run, and with one
/// more, eight times the orders or so, in the long one (`--ignored`).
macro_rules! large {
    ($(fn $name:ident($preemptions:literal) $model:block)*) => {
        mod models {
            #[allow(clippy::wildcard_imports, reason = "what stands in the macro's braces stands in the file")]
            use super::*;

            $(pub(super) fn $name() $model)*
        }

        mod few_preemptions {
            $(#[test]
            fn $name() {
                $crate::support::check_with($preemptions, super::models::$name);
            })*
        }

        mod more_preemptions {
            $(#[test]
            #[ignore = "takes minutes"]
            fn $name() {
                $crate::support::check_with($preemptions + 1, super::models::$name);
            })*
        }
    };
}

pub(crate) use large;

/// Closed; opens on the first failure.
pub(crate) fn closed(name: &'static str) -> Shared {
    with(name, AsAsked)
}

pub(crate) fn with<R: Recover>(name: &'static str, recover: R) -> Shared<R> {
    after(1, name, recover)
}

/// Closed; opens on so many failures in a row.
pub(crate) fn after<R: Recover>(threshold: u32, name: &'static str, recover: R) -> Shared<R> {
    let breaker = Breaker::new(name, Count { threshold, ..Count::DEFAULT }, recover).expect("sound");
    touch(&breaker, threshold);
    Arc::new(breaker)
}

/// Makes all that is made on first touch, before there are threads: the checker takes it for made by one of them else.
fn touch<S: Strategy, R: Recover>(breaker: &Breaker<S, R>, threshold: u32) {
    for _ in 0..threshold {
        permit_of(breaker).settle(Outcome::failure());
    }
    assert!(breaker.acquire().is_err());
    breaker.force_close();
    permit_of(breaker).settle(Outcome::Success);
    breaker.snapshot();
}

fn permit_of<S: Strategy, R: Recover>(breaker: &Breaker<S, R>) -> Permit<'_> {
    breaker.acquire().expect("closed")
}

/// Open, at the end of its time, which nobody has seen.
pub(crate) fn due(name: &'static str) -> Shared {
    let breaker = closed(name);
    permit(&breaker).failure();
    advance(secs(30));
    breaker
}

pub(crate) fn half_open(name: &'static str) -> Shared {
    let breaker = due(name);
    assert_eq!(breaker.status(), Status::HalfOpen);
    breaker
}

pub(crate) fn try_permit<R: Recover>(breaker: &Shared<R>) -> Option<Permit<'static>> {
    Arc::clone(breaker).acquire_owned().ok()
}

pub(crate) fn permit<R: Recover>(breaker: &Shared<R>) -> Permit<'static> {
    try_permit(breaker).expect("let through")
}

/// Both at once, in two threads: one of its own, and this one.
///
/// Each begins with a step, so that what comes before its next one (time that passes, say) may come after some of the
/// other's.
pub(crate) fn race<A: 'static, B: 'static>(a: impl FnOnce() -> A + 'static, b: impl FnOnce() -> B + 'static) -> (A, B) {
    let start = Arc::new(AtomicBool::new(false));
    let others = Arc::clone(&start);
    let a = thread::spawn(move || {
        others.fetch_or(true, Ordering::Relaxed);
        a()
    });
    start.fetch_or(true, Ordering::Relaxed);
    let b = b();
    (a.join().expect("no panic"), b)
}

/// The same `call` of both.
pub(crate) fn twice<R: Recover, A: 'static>(breaker: &Shared<R>, call: fn(&Shared<R>) -> A) -> (A, A) {
    let (a, b) = (Arc::clone(breaker), Arc::clone(breaker));
    race(move || call(&a), move || call(&b))
}

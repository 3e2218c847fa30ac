//! What may happen in a life.

use breaker::Outcome;
use proptest::{collection::vec, prelude::*};

/// How long to stay open.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wait {
    Same,
    Growing,
}

/// One breaker, and all that happens to it.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    pub(crate) threshold: u32,
    pub(crate) wait: Wait,
    pub(crate) successes: u32,
    /// Whether somebody listens: calls then take another path.
    pub(crate) told: bool,
    pub(crate) steps: Vec<(Step, bool)>,
}

/// A step of the clock.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Clock {
    Micros(u64),
    /// To where the stay ends, if that is known, less so much.
    ToTheEnd {
        less: u64,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Acquire,
    /// A call that ends at once.
    Call(Outcome),
    /// Of the permits that are alive, the one at this place.
    Settle(prop::sample::Index, Outcome),
    Drop(prop::sample::Index),
    Forget(prop::sample::Index),
    Progress(prop::sample::Index),
    Advance(Clock),
    ForceOpen,
    ForceClose,
    OverrideOpen(u64),
    OverrideClosed(u64),
}

pub(crate) const SECOND: u64 = 1_000_000;

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        4 => Just(Outcome::failure()),
        3 => Just(Outcome::Success),
        1 => Just(Outcome::failure().cause("429")),
        1 => Just(Outcome::Ignored),
        1 => Just(Outcome::Abandoned),
    ]
}

fn clock() -> impl Strategy<Value = Clock> {
    prop_oneof![
        4 => (0..3_u64).prop_map(|less| Clock::ToTheEnd { less }),
        2 => (0..5 * SECOND).prop_map(Clock::Micros),
        1 => prop::sample::select(vec![1, SECOND - 1, SECOND, 20 * SECOND, 1_000 * SECOND]).prop_map(Clock::Micros),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<prop::sample::Index>;
    let lasting = || prop::sample::select(vec![0, 1, SECOND, 10 * SECOND, 60 * SECOND]);
    prop_oneof![
        12 => Just(Step::Acquire),
        12 => outcome().prop_map(Step::Call),
        12 => (index(), outcome()).prop_map(|(at, outcome)| Step::Settle(at, outcome)),
        3 => index().prop_map(Step::Drop),
        2 => index().prop_map(Step::Forget),
        3 => index().prop_map(Step::Progress),
        14 => clock().prop_map(Step::Advance),
        1 => Just(Step::ForceOpen),
        2 => Just(Step::ForceClose),
        1 => lasting().prop_map(Step::OverrideOpen),
        1 => lasting().prop_map(Step::OverrideClosed),
    ]
}

/// A step, looked at or not; now and then callers that hang, one after the other to the end of each lease, which single
/// steps would hardly ever come to.
fn stretch() -> impl Strategy<Value = Vec<(Step, bool)>> {
    let hang = [Step::Acquire, Step::Advance(Clock::ToTheEnd { less: 0 })];
    prop_oneof![
        60 => (step(), any::<bool>()).prop_map(|step| vec![step]),
        1 => (2..10_usize, any::<bool>()).prop_map(move |(times, looked)| hang.map(|step| (step, looked)).repeat(times)),
    ]
}

pub(crate) fn lives() -> impl Strategy<Value = Life> {
    let wait = prop_oneof![Just(Wait::Same), Just(Wait::Growing)];
    let steps = vec(stretch(), 1..100).prop_map(|stretches| stretches.concat());
    (1..4_u32, wait, 1..4_u32, any::<bool>(), steps).prop_map(|(threshold, wait, successes, told, steps)| Life {
        threshold,
        wait,
        successes,
        told,
        steps,
    })
}

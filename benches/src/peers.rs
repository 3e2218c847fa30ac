//! The other libraries, each set up and called as its README says, on the same call as ours.
//!
//! Thresholds are out of reach and open times an hour, so that nothing but what is asked for happens.

use crate::{
    call::{Digest, Mixed, Outcome},
    case::{Case, Who},
    runner::Row,
};
use std::{future::ready, sync::Arc, time::Duration};

mod arcly;
mod circuit_breaker;
mod circuitbreaker_rs;
mod execution_policy;
mod failsafe;
mod machines;
mod nobreak;
mod other;
mod recloser;
mod seatbelt;
mod tower;

/// An hour: longer than any run.
pub(crate) const HOUR: Duration = Duration::from_hours(1);

/// All rows of all peers.
pub fn rows() -> Vec<Row> {
    [
        failsafe::rows(),
        recloser::rows(),
        nobreak::rows(),
        circuit_breaker::rows(),
        circuitbreaker_rs::rows(),
        seatbelt::rows(),
        machines::rows(),
        execution_policy::rows(),
        tower::rows(),
        other::rows(),
        arcly::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Two threads that share one of these.
pub(crate) fn shared<B: Send + Sync + 'static, D: Digest + 'static>(
    who: Who,
    case: Case,
    breaker: B,
    call: impl Fn(&B) -> D + Copy + Send + Sync + 'static,
) -> Row {
    let breaker = Arc::new(breaker);
    Row::threads(who, case, move |_| {
        let breaker = Arc::clone(&breaker);
        move || call(&breaker)
    })
}

/// Two threads that share one of these, one call in a hundred a failure.
pub(crate) fn shared_mixed<B: Send + Sync + 'static, D: Digest + 'static>(
    who: Who,
    case: Case,
    breaker: B,
    call: impl Fn(&B, &mut Mixed) -> D + Copy + Send + Sync + 'static,
) -> Row {
    let breaker = Arc::new(breaker);
    Row::threads(who, case, move |_| {
        let (breaker, mut calls) = (Arc::clone(&breaker), Mixed::default());
        move || call(&breaker, &mut calls)
    })
}

/// One thread, one call in a hundred a failure.
pub(crate) fn mixed<B: 'static, D: Digest + 'static>(
    who: Who,
    case: Case,
    breaker: B,
    call: impl Fn(&B, &mut Mixed) -> D + 'static,
) -> Row {
    let mut calls = Mixed::default();
    Row::calls(who, case, move || call(&breaker, &mut calls))
}

/// What an async peer awaits.
pub(crate) fn now(outcome: Outcome) -> std::future::Ready<Outcome> {
    ready(outcome)
}

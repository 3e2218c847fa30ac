//! recloser 1.4: a ring of calls.

use super::{HOUR, mixed, now, shared, shared_mixed};
use crate::{
    call::{Mixed, err, finish, ok},
    case::{Case, Who},
    runner::Row,
};
use recloser::{AsyncRecloser, Error, Recloser};

const WHO: Who = Who::Peer("recloser 1.4");

fn ring(calls: usize, rate: f32) -> Recloser {
    Recloser::custom().closed_len(calls).half_open_len(1).error_rate(rate).open_wait(HOUR).build()
}

/// A ring that is full of successes.
fn full(calls: usize) -> Recloser {
    let ring = ring(calls, 2.0);
    for _ in 0..=calls {
        let _ = ring.call(ok);
    }
    ring
}

fn opened() -> Recloser {
    let ring = ring(1, 0.5);
    for _ in 0..3 {
        let _ = ring.call(err);
    }
    assert!(matches!(ring.call(ok), Err(Error::Rejected)));
    ring
}

pub(super) fn rows() -> Vec<Row> {
    let (steady, failing, rejecting, hundred, large) = (full(100), full(100), opened(), full(100), full(10_000));
    let steady_async = AsyncRecloser::from(full(100));
    let one = |ring: &Recloser, calls: &mut Mixed| ring.call(|| calls.call());
    vec![
        Row::calls(WHO, Case::Ok, move || steady.call(|| ok())),
        Row::calls(WHO, Case::OkAsync, move || finish(steady_async.call(now(ok())))),
        Row::calls(WHO, Case::Err, move || failing.call(|| err())),
        Row::calls(WHO, Case::Rejected, move || rejecting.call(|| ok())),
        shared(WHO, Case::RejectedThreads, opened(), |ring| ring.call(|| ok())),
        shared(WHO, Case::OkThreads, full(100), |ring| ring.call(|| ok())),
        Row::calls(WHO, Case::Calls100, move || hundred.call(|| ok())),
        Row::calls(WHO, Case::Calls10k, move || large.call(|| ok())),
        shared(WHO, Case::CallsThreads, full(10_000), |ring| ring.call(|| ok())),
        mixed(WHO, Case::Calls100Mixed, full(100), one),
        mixed(WHO, Case::Calls10kMixed, full(10_000), one),
        shared_mixed(WHO, Case::CallsMixedThreads, full(100), one),
    ]
}

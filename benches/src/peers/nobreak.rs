//! nobreak 0.1.

use super::{HOUR, now, shared};
use crate::{
    call::{err, finish, ok},
    case::{Case, Who},
    runner::Row,
};
use nobreak::CircuitBreaker;

const WHO: Who = Who::Peer("nobreak 0.1");

fn breaker(failures: usize) -> CircuitBreaker {
    nobreak::builder().with_failure_threshold(failures).with_open_duration(HOUR).build()
}

fn opened() -> CircuitBreaker {
    let breaker = breaker(1);
    let _ = breaker.call(err);
    assert!(breaker.call(ok).is_err());
    breaker
}

pub(super) fn rows() -> Vec<Row> {
    let [steady, steady_async, failing] = [(); 3].map(|()| breaker(usize::MAX));
    let rejecting = opened();
    vec![
        Row::calls(WHO, Case::Ok, move || steady.call(|| ok())),
        Row::calls(WHO, Case::OkAsync, move || finish(steady_async.call_async(|| now(ok())))),
        Row::calls(WHO, Case::Err, move || failing.call(|| err())),
        Row::calls(WHO, Case::Rejected, move || rejecting.call(|| ok())),
        shared(WHO, Case::RejectedThreads, opened(), |breaker| breaker.call(|| ok())),
        shared(WHO, Case::OkThreads, breaker(usize::MAX), |breaker| breaker.call(|| ok())),
    ]
}

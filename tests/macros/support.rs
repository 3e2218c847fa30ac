//! What the tests share.

use breaker::{Rejected, Stats, TimedOut};
use std::{
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

/// An error of the usual kind.
#[derive(Debug, PartialEq)]
pub(crate) enum Fail {
    Open,
    Late,
    Other,
}

impl From<Rejected> for Fail {
    fn from(_: Rejected) -> Self {
        Self::Open
    }
}

impl From<TimedOut> for Fail {
    fn from(_: TimedOut) -> Self {
        Self::Late
    }
}

/// Runs a future that needs no runtime.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
    }
}

/// Runs a future on a clock that stands still unless all wait.
pub(crate) fn on_paused_clock<F: Future>(future: F) -> F::Output {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().expect("a runtime").block_on(future)
}

/// Pending once: a suspension without a runtime.
#[derive(Debug, Default)]
pub(crate) struct Pause(bool);

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Successes, failures, ignored.
pub(crate) fn counts(stats: &Stats) -> (u64, u64, u64) {
    (stats.successes, stats.failures, stats.ignored)
}

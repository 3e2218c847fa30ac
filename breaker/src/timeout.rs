//! `timeout = …`: a future that ends by itself, and what its end says about the dependency (R16).

use breaker_core::{Name, Outcome, TimedOut, hidden::Judge};
use pin_project_lite::pin_project;
use std::{
    any::Any,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep, sleep_until};

/// The call took longer than its time.
#[derive(Debug)]
pub struct Overrun {
    pub(crate) timed_out: TimedOut,
}

/// What a timer may be late by without a stall: tokio's counts in milliseconds, and a busy machine has its own.
const TIMER: Duration = Duration::from_millis(10);

pin_project! {
    /// A future with its time, which begins at the first poll. The body is dropped in the poll that finds it over.
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    #[derive(Debug)]
    pub struct Timed<F> {
        #[pin]
        body: Option<F>,
        #[pin]
        sleep: Option<Sleep>,
        breaker: Name,
        after: Duration,
        start: Option<Instant>,
    }
}

impl<F> Timed<F> {
    pub(crate) fn new(breaker: Name, after: Duration, body: F) -> Self {
        Self { body: Some(body), sleep: None, breaker, after, start: None }
    }
}

impl<F: Future> Future for Timed<F> {
    type Output = Result<F::Output, Overrun>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let start = *this.start.get_or_insert_with(Instant::now);
        // The body first: what is ready is no overrun, however late it is looked at.
        if let Some(body) = this.body.as_mut().as_pin_mut()
            && let Poll::Ready(result) = body.poll(cx)
        {
            return Poll::Ready(Ok(result));
        }
        // A time that no clock reaches never ends.
        let Some(deadline) = start.checked_add(*this.after) else {
            return Poll::Pending;
        };
        if this.sleep.is_none() {
            this.sleep.set(Some(sleep_until(deadline)));
        }
        let over = this.sleep.as_pin_mut().is_some_and(|sleep| sleep.poll(cx).is_ready());
        if !over {
            return Poll::Pending;
        }
        this.body.set(None);
        let after = *this.after;
        // Later than twice its time, it was not the dependency that kept us.
        let stalled = start.elapsed() > after.saturating_mul(2).max(after.saturating_add(TIMER));
        let timed_out = TimedOut::after(this.breaker.clone(), after).stalled(stalled);
        Poll::Ready(Err(Overrun { timed_out }))
    }
}

/// Judges what is in time as the inner judge does.
#[derive(Debug)]
pub(crate) struct Timely<'j, J>(pub(crate) &'j mut J);

impl<Ret, J: Judge<Ret>> Judge<Result<Ret, Overrun>> for Timely<'_, J> {
    const INSPECTS_PANICS: bool = J::INSPECTS_PANICS;

    fn judge(&mut self, result: &Result<Ret, Overrun>) -> Outcome {
        match result {
            Ok(result) => self.0.judge(result),
            Err(Overrun { timed_out }) if timed_out.stalled => Outcome::Ignored,
            Err(_) => Outcome::failure().cause("timed out"),
        }
    }

    fn panicked(payload: &(dyn Any + Send)) -> Outcome {
        J::panicked(payload)
    }
}

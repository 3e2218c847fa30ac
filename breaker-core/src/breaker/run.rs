//! Calls that the breaker makes itself: sync and async are wrappers of admit and settle.
//!
//! A guard on the stack tells a panic (dropped inside `run`, or inside one `poll`) from a dropped future exactly, so
//! that a panic costs no catch where nobody inspects its payload (R12).

use super::Breaker;
use crate::{
    Error, Outcome, Rejected, clock,
    outcome::{ByPolicy, Classify, Judge, PANICKED},
    permit::quietly,
    recover::Recover,
    registry::Site,
    strategy::Strategy,
    ticket::{Ticket, Way},
};
use pin_project_lite::pin_project;
use std::{
    fmt,
    mem::ManuallyDrop,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    pin::Pin,
    task::{Context, Poll, ready},
};

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// Runs `body` unless rejected, judged by the breaker's policy.
    ///
    /// The outcome is recorded before this returns (R17); a panic of the body is recorded and goes on (R12).
    #[inline]
    pub fn run<T, E>(&self, body: impl FnOnce() -> Result<T, E>) -> Result<T, Error<E>>
    where
        C: Classify<Result<T, E>>,
    {
        match self.enter(true) {
            Ok(ticket) => self.holding(ticket).run(ByPolicy::<C>::new(), body).map_err(Error::Inner),
            Err(refusal) => Err(Error::Rejected(self.rejection(refusal))),
        }
    }

    /// Runs `body` unless rejected, whatever it returns that the breaker's policy can judge.
    #[inline]
    pub fn call<Ret>(&self, body: impl FnOnce() -> Ret) -> Result<Ret, Rejected>
    where
        C: Classify<Ret>,
    {
        match self.enter(true) {
            Ok(ticket) => Ok(self.holding(ticket).run(ByPolicy::<C>::new(), body)),
            Err(refusal) => Err(self.rejection(refusal)),
        }
    }

    /// [`Breaker::run`] for a future. Nothing happens before the first poll, where a call is admitted or rejected.
    ///
    /// Dropped before its end it is judged by its age (R14).
    #[inline]
    pub fn run_async<T, E, F>(&self, body: F) -> impl Future<Output = Result<T, Error<E>>> + use<'_, T, E, F, S, R, C>
    where
        F: Future<Output = Result<T, E>>,
        C: Classify<Result<T, E>>,
    {
        Flattened { call: self.call_async(body) }
    }

    /// [`Breaker::call`] for a future. Nothing happens before the first poll, where a call is admitted or rejected.
    #[inline]
    pub fn call_async<F: Future>(&self, body: F) -> Guarded<'_, S, R, C, ByPolicy<C>, F>
    where
        C: Classify<F::Output>,
    {
        self.guarded(None, true, ByPolicy::new(), body)
    }

    /// Asks for one call that is about to be made; `probes`: it may be the probe (R40).
    #[doc(hidden)]
    #[inline]
    pub fn admit(&self, probes: bool) -> Result<Admitted<'_, S, R, C>, Rejected> {
        match self.enter(probes) {
            Ok(ticket) => Ok(Admitted { held: self.holding(ticket) }),
            Err(refusal) => Err(self.rejection(refusal)),
        }
    }

    /// A guarded fn's call: its `body`, or what `rejected` makes of a rejection.
    #[doc(hidden)]
    #[inline]
    pub fn run_at<Ret, J: Judge<Ret>>(
        &self,
        site: &'static Site,
        probes: bool,
        judge: J,
        body: impl FnOnce() -> Ret,
        rejected: impl FnOnce(Rejected) -> Ret,
    ) -> Ret {
        match self.enter(probes) {
            Ok(ticket) => Held { site: Some(site), ..self.holding(ticket) }.run(judge, body),
            Err(refusal) => rejected(self.rejection(refusal)),
        }
    }

    #[inline]
    fn holding(&self, ticket: Ticket) -> Held<'_, S, R, C> {
        Held { breaker: self, ticket, site: None }
    }

    /// `body`, guarded from its first poll on, of the fn at `site` if one makes the call.
    #[doc(hidden)]
    #[inline]
    pub fn guarded<J, F: Future>(
        &self,
        site: Option<&'static Site>,
        probes: bool,
        judge: J,
        body: F,
    ) -> Guarded<'_, S, R, C, J, F>
    where
        J: Judge<F::Output>,
    {
        let slot = Slot { held: Held { site, ..self.holding(Ticket::fresh(probes)) } };
        Guarded { judge: Some(judge), body, slot }
    }
}

/// A call that was let through and has not begun; dropped, it is a young abandoned call.
#[doc(hidden)]
pub struct Admitted<'a, S: Strategy, R: Recover, C> {
    held: Held<'a, S, R, C>,
}

impl<'a, S: Strategy, R: Recover, C> Admitted<'a, S, R, C> {
    /// The same call, made by a guarded fn.
    #[must_use]
    #[inline]
    pub const fn at(mut self, site: &'static Site) -> Self {
        self.held.site = Some(site);
        self
    }

    /// Runs the call and records what it came to.
    #[inline]
    pub fn run<Ret, J: Judge<Ret>>(self, judge: J, body: impl FnOnce() -> Ret) -> Ret {
        ManuallyDrop::new(self).held.run(judge, body)
    }

    /// Makes the call of a future that is admitted already.
    #[inline]
    pub fn run_async<J, F: Future>(self, judge: J, body: F) -> Running<'a, S, R, C, J, F>
    where
        J: Judge<F::Output>,
    {
        Running { judge: Some(judge), body, slot: Slot { held: ManuallyDrop::new(self).held } }
    }
}

impl<S: Strategy, R: Recover, C> Drop for Admitted<'_, S, R, C> {
    #[inline]
    fn drop(&mut self) {
        quietly(|| self.held.end(Outcome::Abandoned, ()));
    }
}

/// An admitted call's ticket, and where it goes in the end. It owes nothing by itself.
struct Held<'a, S: Strategy, R: Recover, C> {
    breaker: &'a Breaker<S, R, C>,
    ticket: Ticket,
    /// The guarded fn that makes the call, if one does.
    site: Option<&'static Site>,
}

impl<S: Strategy, R: Recover, C> Clone for Held<'_, S, R, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Strategy, R: Recover, C> Copy for Held<'_, S, R, C> {}

impl<S: Strategy, R: Recover, C> Held<'_, S, R, C> {
    /// The end of the call, whose result is given back.
    #[inline]
    fn end<Ret>(self, outcome: Outcome, result: Ret) -> Ret {
        self.breaker.end(self.ticket, self.site, outcome, result)
    }

    #[inline]
    fn run<Ret, J: Judge<Ret>>(self, judge: J, body: impl FnOnce() -> Ret) -> Ret {
        let unwinding = Unwinding(self);
        let result = if J::INSPECTS_PANICS {
            match catch_unwind(AssertUnwindSafe(body)) {
                Ok(result) => result,
                Err(payload) => {
                    let outcome = J::panicked(&*payload);
                    unwinding.settle_quietly(outcome);
                    resume_unwind(payload)
                }
            }
        } else {
            body()
        };
        let outcome = judge.judge(&result);
        unwinding.end(outcome, result)
    }
}

/// Lives while the body, or its judge, runs: only a panic drops it.
struct Unwinding<'a, S: Strategy, R: Recover, C>(Held<'a, S, R, C>);

impl<S: Strategy, R: Recover, C> Unwinding<'_, S, R, C> {
    #[inline]
    fn end<Ret>(self, outcome: Outcome, result: Ret) -> Ret {
        ManuallyDrop::new(self).0.end(outcome, result)
    }

    /// [`Self::end`] for a panic that was caught and goes on: what a user's strategy or recover panics with now
    /// does not take its place.
    #[cold]
    fn settle_quietly(self, outcome: Outcome) {
        let _ = catch_unwind(AssertUnwindSafe(|| self.end(outcome, ())));
    }
}

impl<S: Strategy, R: Recover, C> Drop for Unwinding<'_, S, R, C> {
    #[cold]
    fn drop(&mut self) {
        // A user's strategy that panics here would end the process.
        quietly(|| self.0.end(PANICKED, ()));
    }
}

/// Where a future stands with its breaker; dropped while admitted, it is abandoned.
struct Slot<'a, S: Strategy, R: Recover, C> {
    held: Held<'a, S, R, C>,
}

impl<'a, S: Strategy, R: Recover, C> Slot<'a, S, R, C> {
    /// What it holds, which is the caller's to settle now.
    #[inline]
    fn take(&mut self) -> Held<'a, S, R, C> {
        let held = self.held;
        self.held.ticket = Ticket::SPENT;
        held
    }

    /// Polls the body of an admitted call, and records what it came to.
    #[inline]
    fn drive<J, F: Future>(&mut self, judge: &mut Option<J>, body: Pin<&mut F>, cx: &mut Context<'_>) -> Poll<F::Output>
    where
        J: Judge<F::Output>,
    {
        let unwinding = Unwinding(self.take());
        let polled = if J::INSPECTS_PANICS {
            match catch_unwind(AssertUnwindSafe(|| body.poll(cx))) {
                Ok(polled) => polled,
                Err(payload) => {
                    let outcome = J::panicked(&*payload);
                    unwinding.settle_quietly(outcome);
                    resume_unwind(payload)
                }
            }
        } else {
            body.poll(cx)
        };
        let Poll::Ready(result) = polled else {
            let Held { ticket, .. } = ManuallyDrop::new(unwinding).0;
            // The call waits: from here on it has an age (R14).
            self.held.ticket = ticket.started_by(clock::recent);
            return Poll::Pending;
        };
        // A call that is done is not polled again: it has its judge.
        let outcome = match judge.take() {
            Some(judge) => judge.judge(&result),
            None => Outcome::Ignored,
        };
        Poll::Ready(unwinding.end(outcome, result))
    }
}

impl<S: Strategy, R: Recover, C> Drop for Slot<'_, S, R, C> {
    #[inline]
    fn drop(&mut self) {
        if !matches!(self.held.ticket.way(), Way::Fresh { .. } | Way::Spent) {
            let held = self.take();
            quietly(|| held.end(Outcome::Abandoned, ()));
        }
    }
}

pin_project! {
    /// A guarded future: admitted or rejected at its first poll, judged at its end.
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct Guarded<'a, S: Strategy, R: Recover, C, J, F> {
        judge: Option<J>,
        #[pin]
        body: F,
        slot: Slot<'a, S, R, C>,
    }
}

impl<S: Strategy, R: Recover, C, J: Judge<F::Output>, F: Future> Guarded<'_, S, R, C, J, F> {
    /// Polls it, and makes one result of what it may come to: none is unpacked only to be packed again.
    #[doc(hidden)]
    #[inline]
    pub fn poll_into<Out>(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        done: impl FnOnce(F::Output) -> Out,
        rejected: impl FnOnce(Rejected) -> Out,
    ) -> Poll<Out> {
        let this = self.project();
        let Held { breaker, ticket, .. } = this.slot.held;
        if let Way::Fresh { probes } = ticket.way() {
            match breaker.enter(probes) {
                Ok(ticket) => this.slot.held.ticket = ticket,
                // Still fresh: who polls on, against the contract, asks again, and no body runs without a permit.
                Err(refusal) => return Poll::Ready(rejected(breaker.rejection(refusal))),
            }
        }
        match this.slot.drive(this.judge, this.body, cx) {
            Poll::Ready(result) => Poll::Ready(done(result)),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: Strategy, R: Recover, C, J: Judge<F::Output>, F: Future> Future for Guarded<'_, S, R, C, J, F> {
    type Output = Result<F::Output, Rejected>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_into(cx, Ok, Err)
    }
}

pin_project! {
    /// A future that was admitted before its first poll, judged at its end.
    #[doc(hidden)]
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct Running<'a, S: Strategy, R: Recover, C, J, F> {
        judge: Option<J>,
        #[pin]
        body: F,
        slot: Slot<'a, S, R, C>,
    }
}

impl<S: Strategy, R: Recover, C, J: Judge<F::Output>, F: Future> Future for Running<'_, S, R, C, J, F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        this.slot.drive(this.judge, this.body, cx)
    }
}

pin_project! {
    /// One error out of two.
    struct Flattened<G> {
        #[pin]
        call: G,
    }
}

impl<T, E, G: Future<Output = Result<Result<T, E>, Rejected>>> Future for Flattened<G> {
    type Output = Result<T, Error<E>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let called = ready!(self.project().call.poll(cx));
        Poll::Ready(called?.map_err(Error::Inner))
    }
}

macro_rules! opaque_debug {
    ($($name:ident < $($param:ident),* >: $($holder:ident).+),*) => {$(
        impl<S: Strategy, R: Recover, $($param),*> fmt::Debug for $name<'_, S, R, $($param),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("breaker", self.$($holder).+.breaker).finish_non_exhaustive()
            }
        }
    )*};
}

opaque_debug! { Admitted<C>: held, Guarded<C, J, F>: slot.held, Running<C, J, F>: slot.held }

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Count, EveryNth, Status};

    #[test]
    fn r14_an_admitted_call_that_never_begins_gives_the_probes_slot_back() {
        let recover = EveryNth { rejections: 1, ..EveryNth::DEFAULT };
        let breaker = Breaker::new("admitted", Count { threshold: 1, ..Count::DEFAULT }, recover).unwrap();
        drop(breaker.admit(true).unwrap());
        assert_eq!(breaker.status(), Status::Closed);
        breaker.acquire().unwrap().failure();
        assert!(breaker.admit(true).is_err());
        let probe = breaker.admit(true).unwrap();
        assert_eq!(breaker.status(), Status::Probing);
        drop(probe);
        assert_eq!(breaker.status(), Status::HalfOpen);
    }
}

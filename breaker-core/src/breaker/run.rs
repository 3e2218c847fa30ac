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
    ticket::{Refusal, Ticket, Way},
};
use pin_project_lite::pin_project;
use std::{
    any::Any,
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
        Guarded { judge: ByPolicy::new(), body, slot: self.slot(None, true) }
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

    /// Asks for the call that the guarded fn at `site` is about to make.
    #[doc(hidden)]
    #[inline]
    pub fn hold_at(&self, site: &'static Site, probes: bool) -> Result<Held<'_, S, R, C>, Refusal> {
        let ticket = self.enter(probes)?;
        Ok(Held { site: Some(site), ..self.holding(ticket) })
    }

    /// What that fn is told that was turned away.
    #[doc(hidden)]
    #[inline]
    pub fn refused(&self, refusal: Refusal) -> Rejected {
        self.rejection(refusal)
    }

    /// What a future gets that was turned away.
    ///
    /// By reference: given back, it would be written where the result is to lie, whose address would so be known
    /// elsewhere, and every result would go through memory and be copied.
    #[cold]
    #[inline(never)]
    fn reject(&self, refusal: Refusal, told: &mut Option<Rejected>) {
        *told = Some(self.rejection(refusal));
    }

    /// Nobody waits for the call any more.
    #[cold]
    #[inline(never)]
    fn abandon(&self, ticket: Ticket, site: Option<&'static Site>) {
        quietly(|| self.end(ticket, site, Outcome::Abandoned, ()));
    }

    /// The call has panicked, and the panic goes on.
    #[cold]
    #[inline(never)]
    fn panicked(&self, ticket: Ticket, site: Option<&'static Site>) {
        // A user's strategy that panics here would end the process.
        quietly(|| self.end(ticket, site, PANICKED, ()));
    }

    #[inline]
    fn holding(&self, ticket: Ticket) -> Held<'_, S, R, C> {
        Held { breaker: self, ticket, site: None }
    }

    /// The place of a future that has not asked yet, of the fn at `site` if one makes the call.
    #[doc(hidden)]
    #[inline]
    pub fn slot(&self, site: Option<&'static Site>, probes: bool) -> Slot<'_, S, R, C> {
        Slot { held: Held { site, ..self.holding(Ticket::fresh(probes)) } }
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

    /// The place of a future that is admitted already.
    #[inline]
    pub fn slot(self) -> Slot<'a, S, R, C> {
        Slot { held: ManuallyDrop::new(self).held }
    }
}

impl<S: Strategy, R: Recover, C> Drop for Admitted<'_, S, R, C> {
    #[inline]
    fn drop(&mut self) {
        let Held { breaker, ticket, site } = self.held;
        breaker.abandon(ticket, site);
    }
}

/// An admitted call's ticket, and where it goes in the end. It owes nothing by itself.
#[doc(hidden)]
pub struct Held<'a, S: Strategy, R: Recover, C> {
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

    /// Runs the call and records what it came to.
    #[inline]
    pub fn run<Ret, J: Judge<Ret>>(self, judge: J, body: impl FnOnce() -> Ret) -> Ret {
        if J::INSPECTS_PANICS {
            return self.run_inspected(judge, body);
        }
        let unwinding = Unwinding(self);
        let result = body();
        unwinding.judged(judge, result)
    }

    fn run_inspected<Ret, J: Judge<Ret>>(self, judge: J, body: impl FnOnce() -> Ret) -> Ret {
        let unwinding = Unwinding(self);
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(result) => unwinding.judged(judge, result),
            Err(payload) => unwinding.resume(J::panicked(&*payload), payload),
        }
    }
}

/// Lives while the body, or its judge, runs: only a panic drops it.
struct Unwinding<'a, S: Strategy, R: Recover, C>(Held<'a, S, R, C>);

impl<S: Strategy, R: Recover, C> Unwinding<'_, S, R, C> {
    /// The end of a call that gave a result. No part of the body's own type is in here: it is compiled once for all
    /// that return the same.
    #[inline]
    fn judged<Ret, J: Judge<Ret>>(self, mut judge: J, result: Ret) -> Ret {
        let outcome = judge.judge(&result);
        ManuallyDrop::new(self).0.end(outcome, result)
    }

    /// The end of a call whose panic was caught and goes on: what a user's strategy or recover panics with now does
    /// not take its place.
    #[cold]
    fn resume(self, outcome: Outcome, payload: Box<dyn Any + Send>) -> ! {
        let held = ManuallyDrop::new(self).0;
        let _ = catch_unwind(AssertUnwindSafe(|| held.end(outcome, ())));
        resume_unwind(payload)
    }
}

impl<S: Strategy, R: Recover, C> Drop for Unwinding<'_, S, R, C> {
    #[cold]
    fn drop(&mut self) {
        let Held { breaker, ticket, site } = self.0;
        breaker.panicked(ticket, site);
    }
}

/// Where a future stands with its breaker; dropped while admitted, it is abandoned.
///
/// As little as can be of what it does knows the future's type: the rest is compiled once, and not for each guarded fn.
#[doc(hidden)]
pub struct Slot<'a, S: Strategy, R: Recover, C> {
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

    /// Asks, where it has not asked yet.
    #[inline]
    pub fn admit(&mut self) -> Result<(), Refusal> {
        let Held { breaker, ticket, .. } = self.held;
        if let Way::Fresh { probes } = ticket.way() {
            // Refused, it is still fresh: who polls on, against the contract, asks again, and no body runs without a
            // permit.
            self.held.ticket = breaker.enter(probes)?;
        }
        Ok(())
    }

    /// What a future gets that was turned away; always something.
    #[inline]
    pub fn rejection(&self, refusal: Refusal) -> Option<Rejected> {
        let mut told = None;
        self.held.breaker.reject(refusal, &mut told);
        told
    }

    /// Polls the body of an admitted call, and records what it came to.
    #[inline]
    pub fn drive<J: Judge<F::Output>, F: Future, Out>(
        &mut self,
        judge: &mut J,
        body: Pin<&mut F>,
        cx: &mut Context<'_>,
        done: impl FnOnce(F::Output) -> Out,
    ) -> Poll<Out> {
        if J::INSPECTS_PANICS {
            return self.drive_inspected(judge, body, cx, done);
        }
        let polling = Polling(self);
        let polled = body.poll(cx);
        polling.polled(judge, polled, done)
    }

    fn drive_inspected<J: Judge<F::Output>, F: Future, Out>(
        &mut self,
        judge: &mut J,
        body: Pin<&mut F>,
        cx: &mut Context<'_>,
        done: impl FnOnce(F::Output) -> Out,
    ) -> Poll<Out> {
        let polling = Polling(self);
        match catch_unwind(AssertUnwindSafe(|| body.poll(cx))) {
            Ok(polled) => polling.polled(judge, polled, done),
            Err(payload) => {
                let outcome = J::panicked(&*payload);
                Unwinding(polling.end()).resume(outcome, payload)
            }
        }
    }
}

impl<S: Strategy, R: Recover, C> Drop for Slot<'_, S, R, C> {
    #[inline]
    fn drop(&mut self) {
        if !matches!(self.held.ticket.way(), Way::Fresh { .. } | Way::Spent) {
            let Held { breaker, ticket, site } = self.take();
            breaker.abandon(ticket, site);
        }
    }
}

/// Lives while a future is polled, or judged: only a panic drops it.
struct Polling<'s, 'a, S: Strategy, R: Recover, C>(&'s mut Slot<'a, S, R, C>);

impl<'a, S: Strategy, R: Recover, C> Polling<'_, 'a, S, R, C> {
    /// What a poll came to. No part of the body's own type is in here, either.
    #[inline]
    fn polled<Ret, J: Judge<Ret>, Out>(
        self,
        judge: &mut J,
        polled: Poll<Ret>,
        done: impl FnOnce(Ret) -> Out,
    ) -> Poll<Out> {
        let Poll::Ready(result) = polled else {
            // The call waits: from here on it has an age (R14).
            let ticket = &mut ManuallyDrop::new(self).0.held.ticket;
            *ticket = ticket.started_by(clock::recent);
            return Poll::Pending;
        };
        let outcome = judge.judge(&result);
        // What comes out is made before the end is recorded: after it, the two ways there would meet in a copy.
        let ready = Poll::Ready(done(result));
        self.end().end(outcome, ready)
    }

    /// The call is over.
    #[inline]
    fn end(self) -> Held<'a, S, R, C> {
        ManuallyDrop::new(self).0.take()
    }
}

impl<S: Strategy, R: Recover, C> Drop for Polling<'_, '_, S, R, C> {
    #[cold]
    fn drop(&mut self) {
        let Held { breaker, ticket, site } = self.0.take();
        breaker.panicked(ticket, site);
    }
}

pin_project! {
    /// A guarded future: admitted or rejected at its first poll, judged at its end.
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct Guarded<'a, S: Strategy, R: Recover, C, J, F> {
        judge: J,
        #[pin]
        body: F,
        slot: Slot<'a, S, R, C>,
    }
}

impl<S: Strategy, R: Recover, C, J: Judge<F::Output>, F: Future> Future for Guarded<'_, S, R, C, J, F> {
    type Output = Result<F::Output, Rejected>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        match this.slot.admit() {
            Ok(()) => this.slot.drive(this.judge, this.body, cx, Ok),
            Err(refusal) => this.slot.rejection(refusal).map_or(Poll::Pending, |told| Poll::Ready(Err(told))),
        }
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
                f.debug_struct(stringify!($name)).field("breaker", self.$($holder).+).finish_non_exhaustive()
            }
        }
    )*};
}

opaque_debug! { Admitted<C>: held.breaker, Held<C>: breaker, Slot<C>: held.breaker, Guarded<C, J, F>: slot.held.breaker }

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

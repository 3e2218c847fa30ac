//! The calls into the library. Every bound stands on the fn that is called, so that a missing one is told once.

use super::carry::{Carries, Fallible, JudgedBy, Through};
use breaker_core::{
    Breaker, Outcome, Recover, Rejected, Strategy,
    hidden::{Admitted, ByFn, ByPolicy, Refusal, Site, Slot},
};
use pin_project_lite::pin_project;
use std::{
    convert::identity,
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

/// A breaker at one place, with what judges there.
pub struct Guard<S: Strategy, R: Recover, C: 'static, J> {
    pub(super) breaker: &'static Breaker<S, R, C>,
    pub(super) site: &'static Site,
    pub(super) probes: bool,
    pub(super) judge: J,
}

/// A call that was let through.
pub struct Admission<S: Strategy, R: Recover, C: 'static, J> {
    pub(super) admitted: Admitted<'static, S, R, C>,
    pub(super) breaker: &'static Breaker<S, R, C>,
    pub(super) judge: J,
}

/// All of a guarded future but its body.
pub struct Call<S: Strategy, R: Recover, C: 'static, J> {
    pub(super) slot: Slot<'static, S, R, C>,
    pub(super) judge: Through<J>,
}

impl<S: Strategy, R: Recover, C, J> Guard<S, R, C, J> {
    #[inline]
    pub(super) fn call(self) -> Call<S, R, C, J> {
        let Self { breaker, site, probes, judge } = self;
        Call { slot: breaker.slot(Some(site), probes), judge: Through(judge) }
    }

    #[inline]
    fn rejected<Ret: Carries<J>>(self, refusal: Refusal) -> Ret {
        Ret::rejected(self.breaker.refused(refusal))
    }
}

impl<S: Strategy, R: Recover, C, J> Admission<S, R, C, J> {
    #[inline]
    pub(super) fn call(self) -> Call<S, R, C, J> {
        Call { slot: self.admitted.slot(), judge: Through(self.judge) }
    }
}

/// The accessor itself. Site and guard take it from here, so that what is none is told twice in the same words, which
/// the compiler shows once.
#[inline]
pub const fn accessor<S: Strategy, R: Recover, C>(
    accessor: fn() -> &'static Breaker<S, R, C>,
) -> fn() -> &'static Breaker<S, R, C> {
    accessor
}

/// The breaker of a guarded fn, judged by its own policy.
///
/// The accessor is not called where the macro names it, just as in the site: a name that is wrong is told once.
#[inline]
pub fn guard<S: Strategy, R: Recover, C>(
    accessor: fn() -> &'static Breaker<S, R, C>,
    site: &'static Site,
) -> Guard<S, R, C, ByPolicy<C>> {
    Guard { breaker: accessor(), site, probes: true, judge: ByPolicy::new() }
}

/// The same, for a fn that is never the probe (R40).
#[inline]
pub fn never_probing<S: Strategy, R: Recover, C, J>(guard: Guard<S, R, C, J>) -> Guard<S, R, C, J> {
    Guard { probes: false, ..guard }
}

/// The same, judged by the fn's own `classify`.
#[expect(clippy::needless_pass_by_value, reason = "a guard is used once, whatever it is made into")]
#[inline]
pub fn judged<Ret, S: Strategy, R: Recover, C, F>(
    guard: Guard<S, R, C, ByPolicy<C>>,
    classify: F,
) -> Guard<S, R, C, ByFn<F>>
where
    F: FnOnce(&Ret) -> Outcome,
{
    let Guard { breaker, site, probes, .. } = guard;
    Guard { breaker, site, probes, judge: ByFn::new(classify) }
}

/// A call of a plain fn.
#[inline]
pub fn run<Ret: Carries<J>, S: Strategy, R: Recover, C, J>(
    guard: Guard<S, R, C, J>,
    body: impl FnOnce() -> Ret,
) -> Ret {
    // Short, since it is compiled for each guarded fn; what it calls, but for the body, is not.
    match guard.breaker.hold_at(guard.site, guard.probes) {
        Ok(held) => held.run(Through(guard.judge), body),
        Err(refusal) => guard.rejected(refusal),
    }
}

/// Asks first; what a rejected call returns is the caller's to say.
#[inline]
pub fn admit<S: Strategy, R: Recover, C, J>(guard: Guard<S, R, C, J>) -> Result<Admission<S, R, C, J>, Rejected> {
    let Guard { breaker, site, probes, judge } = guard;
    Ok(Admission { admitted: breaker.admit(probes)?.at(site), breaker, judge })
}

/// A call that was let through.
#[inline]
pub fn run_admitted<Ret: JudgedBy<J>, S: Strategy, R: Recover, C, J>(
    admission: Admission<S, R, C, J>,
    body: impl FnOnce() -> Ret,
) -> Ret {
    admission.admitted.run(Through(admission.judge), body)
}

/// A call that is a future, admitted at its first poll.
#[inline]
pub fn run_async<Ret, S: Strategy, R: Recover, C, J, F, P>(
    guard: Guard<S, R, C, J>,
    body: F,
    poll: P,
) -> GuardedCall<Call<S, R, C, J>, F, P>
where
    P: Fn(&mut Call<S, R, C, J>, Pin<&mut F>, &mut Context<'_>) -> Poll<Ret>,
{
    GuardedCall { call: guard.call(), body, poll }
}

impl<S: Strategy, R: Recover, C, J> Call<S, R, C, J> {
    #[inline]
    pub(super) fn rejected<Ret: Carries<J>>(&self, refusal: Refusal) -> Poll<Ret> {
        self.slot.rejection(refusal).map_or(Poll::Pending, |told| Poll::Ready(Ret::rejected(told)))
    }
}

/// Polls it.
#[inline]
pub fn poll<Ret: Carries<J>, S: Strategy, R: Recover, C, J, F: Future<Output = Ret>>(
    call: &mut Call<S, R, C, J>,
    body: Pin<&mut F>,
    cx: &mut Context<'_>,
) -> Poll<Ret> {
    match call.slot.admit() {
        Ok(()) => call.slot.drive(&mut call.judge, body, cx, identity),
        Err(refusal) => call.rejected(refusal),
    }
}

/// The same for a call that was let through.
#[inline]
pub fn run_admitted_async<Ret, S: Strategy, R: Recover, C, J, F, P>(
    admission: Admission<S, R, C, J>,
    body: F,
    poll: P,
) -> GuardedCall<Call<S, R, C, J>, F, P>
where
    P: Fn(&mut Call<S, R, C, J>, Pin<&mut F>, &mut Context<'_>) -> Poll<Ret>,
{
    GuardedCall { call: admission.call(), body, poll }
}

/// Polls it.
#[inline]
pub fn poll_admitted<Ret: JudgedBy<J>, S: Strategy, R: Recover, C, J, F: Future<Output = Ret>>(
    call: &mut Call<S, R, C, J>,
    body: Pin<&mut F>,
    cx: &mut Context<'_>,
) -> Poll<Ret> {
    call.slot.drive(&mut call.judge, body, cx, identity)
}

/// What a fn does at the call that returns a future.
#[inline]
pub fn at_once<T>(body: impl FnOnce() -> T) -> T {
    body()
}

/// How a `Result` is split. It is asked for by type alone, so that what is none is told at the type.
pub struct Splits<Ret, E>(fn(Ret) -> Result<Ret, E>);

/// Splits a `Ret`.
#[inline]
pub fn splits<Ret: Fallible<E>, E>() -> Splits<Ret, E> {
    Splits(Ret::split)
}

/// The result, or its error.
#[inline]
pub fn split<Ret, E>(result: Ret, Splits(split): Splits<Ret, E>) -> Result<Ret, E> {
    split(result)
}

/// The result, or what the fallback makes of its error.
#[inline]
pub fn fall_back<Ret, E>(result: Ret, splits: Splits<Ret, E>, fallback: impl FnOnce(E) -> Ret) -> Ret {
    split(result, splits).unwrap_or_else(fallback)
}

pin_project! {
    /// A guarded call as a future of what the fn returns.
    ///
    /// It holds how it is polled, as a type: a bound on this impl that does not hold would be told a second time, at
    /// `.await`, and a pointer to a fn would be called as such.
    #[must_use = "futures do nothing unless you `.await` or poll them"]
    pub struct GuardedCall<K, F, P> {
        // Dropped before the call that it makes is abandoned.
        #[pin]
        pub(super) body: F,
        pub(super) call: K,
        pub(super) poll: P,
    }
}

impl<Ret, K, F, P: Fn(&mut K, Pin<&mut F>, &mut Context<'_>) -> Poll<Ret>> Future for GuardedCall<K, F, P> {
    type Output = Ret;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ret> {
        let this = self.project();
        (this.poll)(this.call, this.body, cx)
    }
}

impl<Ret, E> fmt::Debug for Splits<Ret, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Splits")
    }
}

impl<K, F, P> fmt::Debug for GuardedCall<K, F, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardedCall").finish_non_exhaustive()
    }
}

impl<S: Strategy, R: Recover, C, J> fmt::Debug for Guard<S, R, C, J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("breaker", self.breaker).field("site", self.site).finish_non_exhaustive()
    }
}

impl<S: Strategy, R: Recover, C, J> fmt::Debug for Admission<S, R, C, J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admission").field("breaker", self.breaker).finish_non_exhaustive()
    }
}

impl<S: Strategy, R: Recover, C, J> fmt::Debug for Call<S, R, C, J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("slot", &self.slot).finish_non_exhaustive()
    }
}

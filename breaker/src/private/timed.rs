//! Calls with a `timeout`.

use super::{
    carry::{Carries, CarriesTimeout, JudgedBy, Through},
    run::{Admission, Guard, GuardedCall},
};
use crate::timeout::{Overrun, Timed, Timely};
use breaker_core::{
    Recover, Strategy,
    hidden::{Guarded, Running},
};
use std::{
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

type Fresh<S, R, C, J, F> = Guarded<'static, S, R, C, Timely<Through<J>>, Timed<F>>;
type Admitted<S, R, C, J, F> = Running<'static, S, R, C, Timely<Through<J>>, Timed<F>>;

/// A call that is a future, admitted at its first poll and dropped after this time.
pub fn run_timed<Ret, S: Strategy, R: Recover, C, J, F: Future<Output = Ret>, P>(
    guard: Guard<S, R, C, J>,
    after: Duration,
    body: F,
    poll: P,
) -> GuardedCall<Fresh<S, R, C, J, F>, Ret, P>
where
    P: Fn(Pin<&mut Fresh<S, R, C, J, F>>, &mut Context<'_>) -> Poll<Ret>,
{
    let Guard { breaker, site, probes, judge } = guard;
    let body = Timed::new(breaker.name(), after, body);
    GuardedCall { call: breaker.guarded(Some(site), probes, Timely(Through(judge)), body), poll, ret: PhantomData }
}

/// Polls it.
pub fn poll_timed<Ret: Carries<J> + CarriesTimeout, S: Strategy, R: Recover, C, J, F: Future<Output = Ret>>(
    call: Pin<&mut Fresh<S, R, C, J, F>>,
    cx: &mut Context<'_>,
) -> Poll<Ret> {
    call.poll_into(cx, in_time, Ret::rejected)
}

/// The same for a call that was let through.
pub fn run_admitted_timed<Ret, S: Strategy, R: Recover, C, J, F: Future<Output = Ret>, P>(
    admission: Admission<S, R, C, J>,
    after: Duration,
    body: F,
    poll: P,
) -> GuardedCall<Admitted<S, R, C, J, F>, Ret, P>
where
    P: Fn(Pin<&mut Admitted<S, R, C, J, F>>, &mut Context<'_>) -> Poll<Ret>,
{
    let Admission { admitted, breaker, judge } = admission;
    let body = Timed::new(breaker.name(), after, body);
    GuardedCall { call: admitted.run_async(Timely(Through(judge)), body), poll, ret: PhantomData }
}

/// Polls it.
pub fn poll_admitted_timed<
    Ret: JudgedBy<J> + CarriesTimeout,
    S: Strategy,
    R: Recover,
    C,
    J,
    F: Future<Output = Ret>,
>(
    call: Pin<&mut Admitted<S, R, C, J, F>>,
    cx: &mut Context<'_>,
) -> Poll<Ret> {
    call.poll(cx).map(in_time)
}

fn in_time<Ret: CarriesTimeout>(called: Result<Ret, Overrun>) -> Ret {
    called.unwrap_or_else(|overrun| Ret::timed_out(overrun.timed_out))
}

//! Calls with a `timeout`.

use super::{
    carry::{Carries, CarriesTimeout, JudgedBy},
    run::{Admission, Call, Guard, GuardedCall},
};
use crate::timeout::{Overrun, Timed, Timely};
use breaker_core::{Recover, Strategy};
use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

/// A call that is a future, admitted at its first poll and dropped after this time.
pub fn run_timed<Ret, S: Strategy, R: Recover, C, J, F, P>(
    guard: Guard<S, R, C, J>,
    after: Duration,
    body: F,
    poll: P,
) -> GuardedCall<Call<S, R, C, J>, Timed<F>, P>
where
    P: Fn(&mut Call<S, R, C, J>, Pin<&mut Timed<F>>, &mut Context<'_>) -> Poll<Ret>,
{
    let body = Timed::new(guard.breaker.name(), after, body);
    GuardedCall { call: guard.call(), body, poll }
}

/// Polls it.
pub fn poll_timed<Ret: Carries<J> + CarriesTimeout, S: Strategy, R: Recover, C, J, F: Future<Output = Ret>>(
    call: &mut Call<S, R, C, J>,
    body: Pin<&mut Timed<F>>,
    cx: &mut Context<'_>,
) -> Poll<Ret> {
    match call.slot.admit() {
        Ok(()) => call.slot.drive(&mut Timely(&mut call.judge), body, cx, in_time),
        Err(refusal) => call.rejected(refusal),
    }
}

/// The same for a call that was let through.
pub fn run_admitted_timed<Ret, S: Strategy, R: Recover, C, J, F, P>(
    admission: Admission<S, R, C, J>,
    after: Duration,
    body: F,
    poll: P,
) -> GuardedCall<Call<S, R, C, J>, Timed<F>, P>
where
    P: Fn(&mut Call<S, R, C, J>, Pin<&mut Timed<F>>, &mut Context<'_>) -> Poll<Ret>,
{
    let body = Timed::new(admission.breaker.name(), after, body);
    GuardedCall { call: admission.call(), body, poll }
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
    call: &mut Call<S, R, C, J>,
    body: Pin<&mut Timed<F>>,
    cx: &mut Context<'_>,
) -> Poll<Ret> {
    call.slot.drive(&mut Timely(&mut call.judge), body, cx, in_time)
}

fn in_time<Ret: CarriesTimeout>(called: Result<Ret, Overrun>) -> Ret {
    called.unwrap_or_else(|overrun| Ret::timed_out(overrun.timed_out))
}

//! `timeout` without the feature that it needs: one message that names it.

use super::run::{Admission, Call, Guard};
use breaker_core::{Recover, Strategy};
use std::{
    future::{Pending, pending},
    pin::Pin,
    task::{Context, Poll},
};

/// What nothing is without the feature. It is asked of the time, so that it is told at the option.
#[diagnostic::on_unimplemented(
    message = "`timeout` needs the feature `tokio` of the crate `breaker`; add `features = [\"tokio\"]` to it in Cargo.toml",
    label = "the feature `tokio` is off"
)]
pub trait FeatureTokio {}

/// Not without the feature.
pub fn run_timed<Ret, S: Strategy, R: Recover, C, J, F, P>(
    _: Guard<S, R, C, J>,
    _: impl FeatureTokio,
    _: F,
    _: P,
) -> Pending<Ret>
where
    P: Fn(&mut Call<S, R, C, J>, Pin<&mut F>, &mut Context<'_>) -> Poll<Ret>,
{
    pending()
}

/// Not without the feature.
pub fn poll_timed<Ret, S: Strategy, R: Recover, C, J, F: Future<Output = Ret>>(
    _: &mut Call<S, R, C, J>,
    _: Pin<&mut F>,
    _: &mut Context<'_>,
) -> Poll<Ret> {
    Poll::Pending
}

/// Not without the feature.
pub fn run_admitted_timed<Ret, S: Strategy, R: Recover, C, J, F, P>(
    _: Admission<S, R, C, J>,
    _: impl FeatureTokio,
    _: F,
    _: P,
) -> Pending<Ret>
where
    P: Fn(&mut Call<S, R, C, J>, Pin<&mut F>, &mut Context<'_>) -> Poll<Ret>,
{
    pending()
}

/// Not without the feature.
pub fn poll_admitted_timed<Ret, S: Strategy, R: Recover, C, J, F: Future<Output = Ret>>(
    _: &mut Call<S, R, C, J>,
    _: Pin<&mut F>,
    _: &mut Context<'_>,
) -> Poll<Ret> {
    Poll::Pending
}

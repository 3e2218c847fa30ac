//! `timeout` without the feature that it needs: one message that names it.

use super::run::{Admission, Guard};
use breaker_core::{Recover, Strategy};
use std::{future::Pending, time::Duration};

/// What nothing is without the feature.
#[diagnostic::on_unimplemented(
    message = "`timeout` needs the feature `tokio` of the crate `breaker`; add `features = [\"tokio\"]` to it in Cargo.toml",
    label = "the feature `tokio` is off"
)]
pub trait FeatureTokio {}

/// Not without the feature.
pub fn run_timed<Ret: FeatureTokio, S: Strategy, R: Recover, C, J, F: Future<Output = Ret>>(
    _: Guard<S, R, C, J>,
    _: Duration,
    _: F,
) -> Pending<Ret> {
    std::future::pending()
}

/// Not without the feature.
pub fn run_admitted_timed<Ret: FeatureTokio, S: Strategy, R: Recover, C, J, F: Future<Output = Ret>>(
    _: Admission<S, R, C, J>,
    _: Duration,
    _: F,
) -> Pending<Ret> {
    std::future::pending()
}

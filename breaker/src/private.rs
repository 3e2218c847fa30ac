//! What the macros' expansions name. No part of the public interface: it changes with the macros, in step.
//!
//! Expansions are thin: a static and one call of a fn from here, so that the logic is plain Rust.

mod carry;
mod linked;
mod own;
mod run;
#[cfg(feature = "tokio")]
mod timed;
#[cfg(not(feature = "tokio"))]
mod untimed;

pub use breaker_core::{
    hidden::{BREAKERS, CALL_SITES, Declaration, Site, linkme},
    *,
};
pub use carry::{
    AFuture, AValue, AnyValue, Carries, CarriesTimeout, Fallible, FromRejected, FromTimedOut, JudgedBy, Judges,
    NoFuture, RetryHint, Returned, Through, no_future,
};
pub use core::{
    convert::identity,
    file, line, module_path,
    option::Option::{None, Some},
    result::Result::{self, Err, Ok},
    time::Duration,
};
pub use own::{AnySettings, Asked, Shipped, Unchecked, not_zero};
pub use run::{
    Admission, Call, Guard, GuardedCall, Splits, accessor, admit, at_once, fall_back, guard, judged, never_probing,
    poll, poll_admitted, run, run_admitted, run_admitted_async, run_async, split, splits,
};
pub use std::boxed::Box;
#[cfg(feature = "tokio")]
pub use timed::{poll_admitted_timed, poll_timed, run_admitted_timed, run_timed};
#[cfg(not(feature = "tokio"))]
pub use untimed::{poll_admitted_timed, poll_timed, run_admitted_timed, run_timed};

pub use crate::{__breaker_entry as entry, __breaker_guarded as guarded};

/// The outcome of a failure that may say when to come back.
pub fn failure_after(hint: &impl RetryHint) -> Outcome {
    hint.hint().map_or_else(Outcome::failure, |after| Outcome::failure().retry_after(after))
}

/// What a result says whose error judges itself.
pub fn by_error<T, E: ClassifyError>(result: &Result<T, E>) -> Outcome {
    <ByError as Classify<Result<T, E>>>::classify(result)
}

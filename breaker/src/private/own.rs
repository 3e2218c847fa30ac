//! What only const evaluation can ask: settings of a type that is named by a path, which may be the library's after all,
//! and a `timeout` that is no literal.

use breaker_core::{Backoff, BasicTimeout, Burst, Count, EveryNth, FailureRate, RetryAfter, SlowCallRate};
use std::{marker::PhantomData, time::Duration};

/// Asks a type whether it ships: the inherent const is found first, where there is one.
#[derive(Debug)]
pub struct Asked<T>(PhantomData<T>);

/// Looks at nothing, since a const fn cannot call what a user implements; `verify` asks that.
#[derive(Clone, Copy, Debug)]
pub struct Unchecked;

impl Unchecked {
    /// Nothing.
    pub const fn assert<T>(self, _: &T) {}
}

/// Found where a type does not ship.
pub trait AnySettings {
    /// What checks it.
    const VALIDATOR: Unchecked = Unchecked;
}

impl<T> AnySettings for Asked<T> {}

/// Checks a shipped type in const evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Shipped<T>(PhantomData<T>);

macro_rules! shipped {
    ($($name:ident)*) => {
        $(
            impl Asked<$name> {
                /// What checks it.
                pub const VALIDATOR: Shipped<$name> = Shipped(PhantomData);
            }

            impl Shipped<$name> {
                /// Fails const evaluation on settings that cannot work.
                pub const fn assert(self, settings: &$name) {
                    settings.assert_valid();
                }
            }
        )*
    };
}

shipped!(Count FailureRate SlowCallRate Burst BasicTimeout Backoff RetryAfter EveryNth);

/// A `timeout` that is no literal.
///
/// # Panics
///
/// On zero, in const evaluation.
pub const fn not_zero(timeout: Duration) -> Duration {
    assert!(!timeout.is_zero(), "`timeout` cannot be zero; use a longer one, such as `2s`");
    timeout
}

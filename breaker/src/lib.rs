#![doc = include_str!("../../README.md")]

pub use breaker_core::*;
pub use breaker_macros::{Classify, breakers, circuit_breaker};

mod private;
#[cfg(feature = "settings")]
mod settings;
#[cfg(feature = "tokio")]
mod timeout;

#[cfg(feature = "settings")]
pub use settings::{ApplyError, Problem, apply_settings};

/// What the macros' expansions name.
#[doc(hidden)]
pub mod __private {
    pub use crate::private::*;
}

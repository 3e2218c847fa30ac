#![doc = include_str!("../../README.md")]

pub use breaker_core::*;
#[doc = include_str!("pages/classify.md")]
pub use breaker_macros::Classify;
#[doc = include_str!("pages/breakers.md")]
pub use breaker_macros::breakers;
#[doc = include_str!("pages/circuit_breaker.md")]
pub use breaker_macros::circuit_breaker;

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

#[cfg(all(any(doc, doctest), feature = "settings", feature = "test-util", feature = "tokio"))]
#[doc = include_str!("pages/guide.md")]
pub mod guide {}

#[cfg(any(doc, doctest))]
#[doc = include_str!("pages/internals.md")]
#[doc = "```text"]
#[doc = include_str!("../../breaker-macros/snapshots/async_fn.rs")]
#[doc = "```"]
#[doc = include_str!("pages/expansion.md")]
pub mod internals {}

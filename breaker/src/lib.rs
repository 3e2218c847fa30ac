#![doc = include_str!("../../README.md")]

pub use breaker_core::*;
pub use breaker_macros::{Classify, breakers, circuit_breaker};

mod private;
#[cfg(feature = "tokio")]
mod timeout;

/// What the macros' expansions name.
#[doc(hidden)]
pub mod __private {
    pub use crate::private::*;
}

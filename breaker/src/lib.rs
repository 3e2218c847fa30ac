#![doc = include_str!("../../README.md")]

pub use breaker_core::*;
pub use breaker_macros::{Classify, breakers, circuit_breaker};

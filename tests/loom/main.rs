//! The interleavings of a few threads, by the model checker: of small models every one, of large ones each with at most
//! so many preemptions.
//!
//! `RUSTFLAGS='--cfg breaker_loom' cargo test --release -p tests --test loom`, in a target directory of its own.
#![cfg(breaker_loom)]

mod support;

mod costs;
mod late;
mod overrides;
mod probe;
mod stalled;
mod strategies;
mod telling;

//! This library beside its peers, in one run.
//!
//! `cargo bench -p benches` measures and writes RESULTS.md and results.svg; the README tells the rest.

pub mod call;
pub mod case;
pub mod floors;
pub mod ours;
pub mod runner;

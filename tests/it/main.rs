//! The rules of the machine, one by one: a test's name begins with the number of its rule.
//!
//! Time is the test clock's, moved by hand (`isolate`, `advance`) or tokio's, paused: no test sleeps, and none depends
//! on the machine's speed.

#![expect(clippy::unchecked_time_subtraction, reason = "a test that subtracts too much is to fail")]

mod support;

mod abandoned;
mod closed;
mod commands;
mod eras;
mod events;
mod lease;
mod open;
mod outcomes;
mod overrides;
mod panics;
mod probe;
mod recover;
mod retry_after;
mod settings;
mod strategy;
mod time;
mod trace;

//! The circuit breaker machine behind the `breaker` crate: no macros, no framework, no I/O.
//!
//! The modules stand in the order in which a call flows through them: a call becomes a permit, an outcome, a
//! verdict, a transition, an event.

#[cfg(not(target_has_atomic = "64"))]
compile_error!("breaker packs its state into one 64-bit atomic, which this target does not have");

#[cfg(target_family = "wasm")]
compile_error!("breaker gathers its registry at link time, which no linker for wasm does yet");

mod breaker;
mod permit;
mod ticket;

mod outcome;
mod strategy;

mod machine;
mod recover;
mod trip;
mod trips;

mod event;
mod mode;
mod stats;

mod audit;
mod registry;
mod snapshot;

mod error;
mod settings;

mod era;
mod identity;
mod name;
mod overrides;
mod stamp;
mod status;

mod clock;
mod sync;

#[cfg(any(feature = "test-util", breaker_loom))]
pub mod test_util;

pub use audit::{Finding, audit};
pub use breaker::{Breaker, Tuning};
pub use clock::Time;
pub use era::Era;
pub use error::{AmbiguousName, Error, LookupError, Place, Rejected, TimedOut, UnknownBreaker, VerifyError};
pub use event::{Event, Observation, observe};
pub use name::Name;
pub use outcome::{ByError, Classify, ClassifyError, ErrIsFailure, Failure, Outcome};
pub use overrides::Override;
pub use permit::Permit;
pub use recover::{Backoff, BasicTimeout, EveryNth, Plan, Recover, RetryAfter};
pub use registry::{
    AnyBreaker, BreakerRef, CallSite, Registry, explain, force_close, force_open, get, override_closed, override_open,
    registry, snapshot, status,
};
pub use settings::{Setting, SettingsError, Value};
pub use snapshot::Snapshot;
pub use stats::{Stats, collect_stats};
pub use status::Status;
pub use strategy::{AnyOf, Burst, Call, Count, FailureRate, Now, SlowCallRate, Strategy, Tally, Verdict, Window};
pub use trip::{Cause, Source, Trip};

/// What the macros' expansions stand on; no part of the public interface.
#[doc(hidden)]
pub mod hidden {
    pub use crate::{
        breaker::{Admitted, Guarded, Slot},
        identity::Declaration,
        outcome::{ByFn, ByPolicy, Judge},
        permit::Commit,
        registry::configure,
        registry::{BREAKERS_0_1 as BREAKERS, CALL_SITES_0_1 as CALL_SITES, Site},
        ticket::Refusal,
    };
    pub use linkme;
}

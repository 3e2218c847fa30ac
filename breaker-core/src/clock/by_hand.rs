//! The clock of tests: moved by hand while a guard lives; inside a tokio runtime, tokio's, paused or not.
//!
//! Both count in whole microseconds, as deadlines do, so that a test meets a deadline exactly.

use super::{Time, system};
use crate::sync::{
    Ordering,
    process::{AtomicBool, AtomicU64},
};
use std::time::Duration;

static HELD: AtomicBool = AtomicBool::new(false);
static NANOS: AtomicU64 = AtomicU64::new(0);

#[cfg(breaker_loom)]
static READS: AtomicU64 = AtomicU64::new(0);

/// How often a clock was read, for models that count.
#[cfg(breaker_loom)]
pub(crate) fn reads() -> u64 {
    READS.load(Ordering::SeqCst)
}

/// The time of the test that is running, if one is.
pub(super) fn time() -> Option<Time> {
    #[cfg(breaker_loom)]
    {
        READS.fetch_add(1, Ordering::SeqCst);
        crate::sync::read_clock();
    }
    #[cfg(feature = "test-util")]
    if let Some(time) = tokios() {
        return Some(time);
    }
    held().then(|| Time(NANOS.load(Ordering::SeqCst)))
}

/// Whether a test holds the clock.
pub(crate) fn held() -> bool {
    HELD.load(Ordering::SeqCst)
}

/// From here on time stands still, until [`release`].
pub(crate) fn hold() {
    NANOS.store(whole_micros(system::precise()).0, Ordering::SeqCst);
    HELD.store(true, Ordering::SeqCst);
}

/// Time goes by itself again.
pub(crate) fn release() {
    HELD.store(false, Ordering::SeqCst);
}

/// Moves the held clock.
pub(crate) fn advance(by: Duration) {
    let Time(by) = Time::at(by);
    #[cfg(breaker_loom)]
    crate::sync::move_clock();
    let _ = NANOS.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |now| Some(now.saturating_add(by)));
}

fn whole_micros(time: Time) -> Time {
    Time::from_micros(time.micros())
}

#[cfg(feature = "test-util")]
fn tokios() -> Option<Time> {
    use crate::sync::OnceLock;
    use std::time::Instant;

    static ORIGIN: OnceLock<(Instant, Time)> = OnceLock::new();

    tokio::runtime::Handle::try_current().ok()?;
    let now = tokio::time::Instant::now().into_std();
    let (origin, Time(at)) = ORIGIN.get_or_init(|| (Instant::now(), system::precise()));
    // A paused clock stands where it was paused, which may be before it was first read here.
    let Time(ahead) = Time::at(now.saturating_duration_since(*origin));
    let Time(behind) = Time::at(origin.saturating_duration_since(now));
    Some(whole_micros(Time(at.saturating_add(ahead).saturating_sub(behind))))
}

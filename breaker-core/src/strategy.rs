//! When to open: the contract, and the strategies that ship, one a file.
//!
//! A strategy knows nothing of states. It sees the outcomes of closed eras, never a probe's, and concludes.

use crate::{
    Era, Outcome,
    clock::{self, Time},
    era::EraWord,
    settings::{Setting, SettingsError, Value, value::unknown},
};
use std::time::Duration;

mod any_of;
mod burst;
mod count;
mod failure_rate;
mod slow_call_rate;
mod window;

pub use any_of::AnyOf;
pub use burst::Burst;
pub use count::Count;
pub use failure_rate::FailureRate;
pub use slow_call_rate::SlowCallRate;
pub use window::Window;

/// Decides when a closed breaker opens.
///
/// The implementor is the settings, as written in the literal of a declaration; what it remembers is
/// [`Strategy::State`], in atomics of its own choice.
///
/// ```
/// # use breaker_core as breaker;
/// use breaker::{Call, Era, Strategy, Verdict};
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// /// Opens on the n-th failure of an era, whatever comes between.
/// #[derive(Clone, Copy)]
/// struct Total { failures: u32 }
///
/// impl Strategy for Total {
///     type State = AtomicU64; // the era in the high half, its failures in the low half
///     const NEW: AtomicU64 = AtomicU64::new(0);
///
///     fn record(&self, state: &AtomicU64, era: Era, call: &Call) -> Verdict {
///         if !call.outcome.is_failure() {
///             return Verdict::Stay;
///         }
///         let counted = state.fetch_update(Ordering::AcqRel, Ordering::Acquire, |seen| {
///             (seen >> 32 == era.get()).then_some(seen + 1)
///         });
///         match counted {
///             Ok(before) if before as u32 + 1 >= self.failures => Verdict::Open { rule: "total" },
///             _ => Verdict::Stay,
///         }
///     }
///
///     fn begin(&self, state: &AtomicU64, era: Era) {
///         // A winner that was stalled may come after a later one.
///         let _ = state.fetch_update(Ordering::AcqRel, Ordering::Acquire, |seen| {
///             era.is_after(Era::new((seen >> 32) as u32)).then_some(era.get() << 32)
///         });
///     }
/// }
/// ```
pub trait Strategy: Copy + Send + Sync + 'static {
    /// What it remembers. No locks are required by the contract.
    type State: Send + Sync;

    /// The memory of a breaker that has seen nothing, in era 0.
    const NEW: Self::State;

    /// Whether [`Call::elapsed`] is needed; if so, calls read the clock twice.
    const NEEDS_ELAPSED: bool = false;

    /// What is wrong with the settings, if anything; asked by [`Breaker::new`](crate::Breaker::new) and by
    /// [`Registry::verify`](crate::Registry::verify).
    fn check(&self) -> Result<(), SettingsError> {
        Ok(())
    }

    /// The settings by key, for those who look; none unless given.
    fn settings(&self) -> Vec<Setting> {
        Vec::new()
    }

    /// Changes one setting by key, for live settings; refused unless given. [`Strategy::check`] is asked afterwards.
    fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingsError> {
        let _ = value;
        Err(unknown(key, &[]))
    }

    /// What of `other` is fixed once a breaker has it and differs from this; nothing unless given.
    fn fixed(&self, other: &Self) -> Option<SettingsError> {
        let _ = other;
        None
    }

    /// Counts one call, a [success](Outcome::Success) or a [failure](Outcome::Failure), of a closed era.
    ///
    /// A call of an older era than the one that counts must be refused in the same atomic step that would count it
    /// (R24). A call may come in before [`Strategy::begin`] of its own era: count it there, or let it go.
    fn record(&self, state: &Self::State, era: Era, call: &Call) -> Verdict;

    /// Whether `rule` is one of this strategy's; only asked of one of two (R23).
    #[doc(hidden)]
    fn owns(&self, rule: &str) -> bool {
        let _ = rule;
        false
    }

    /// What this strategy had counted when it concluded by `rule`.
    #[doc(hidden)]
    fn tally_of(&self, state: &Self::State, rule: &str) -> Tally {
        let _ = rule;
        self.tally(state)
    }

    /// Whether a success of this closed era, counted now, would change nothing: neither what is remembered nor the
    /// verdict. `false`, as unless given, is never wrong; for a word that is not plain nothing else is right.
    ///
    /// Asked before [`Strategy::record`], which is then not called: it stands in the code of every guarded call, so a
    /// load and a comparison are what it should be.
    #[doc(hidden)]
    #[inline]
    fn unmoved(&self, state: &Self::State, era: EraWord) -> bool {
        let _ = (state, era);
        false
    }

    /// A closed era begins: what came before no longer counts. Threads may come here out of order: an era that is
    /// older than the one that counts changes nothing.
    fn begin(&self, state: &Self::State, era: Era);

    /// What it has counted in this era, for those who look.
    fn tally(&self, state: &Self::State) -> Tally {
        let _ = state;
        Tally::default()
    }

    /// What of the settings cannot work as meant on the calls that were seen, in words, for [`crate::audit`]; nothing
    /// unless given.
    fn doubts(&self, state: &Self::State) -> Vec<String> {
        let _ = state;
        Vec::new()
    }
}

/// One finished call, as a strategy sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Call {
    /// [`Outcome::Success`] or [`Outcome::Failure`]; nothing else is shown to a strategy.
    pub outcome: Outcome,
    /// How long it took, where [`Strategy::NEEDS_ELAPSED`].
    pub elapsed: Option<Duration>,
    /// When it ended.
    pub now: Now,
}

impl Call {
    /// A call that ended just now; a strategy's own tests make theirs so.
    pub const fn new(outcome: Outcome) -> Self {
        Self { outcome, elapsed: None, now: Now(None) }
    }

    /// The same call, having taken `elapsed`.
    #[must_use]
    pub const fn took(self, elapsed: Duration) -> Self {
        Self { elapsed: Some(elapsed), ..self }
    }

    /// The same call, having ended at `time`.
    #[must_use]
    pub const fn at(self, time: Time) -> Self {
        Self { now: Now(Some(time)), ..self }
    }
}

/// When a call ended: read from the clock only by a strategy that asks.
#[derive(Clone, Copy, Debug)]
pub struct Now(Option<Time>);

impl Now {
    /// The time: the coarse clock's, unless the call has already read the precise one.
    pub fn read(self) -> Time {
        self.0.unwrap_or_else(clock::recent)
    }
}

/// What a strategy concludes from a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing.
    Stay,
    /// The dependency is down.
    Open {
        /// The rule that says so, in a few static words.
        rule: &'static str,
    },
}

/// What a strategy has counted in this era.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Failures that count.
    pub failures: u32,
    /// Calls that count, failures among them.
    pub calls: u32,
}

impl Tally {
    /// `failures` of `calls`.
    pub const fn new(failures: u32, calls: u32) -> Self {
        Self { failures, calls }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    struct Bare;

    impl Strategy for Bare {
        type State = ();
        const NEW: () = ();

        fn record(&self, (): &(), _: Era, _: &Call) -> Verdict {
            Verdict::Stay
        }

        fn begin(&self, (): &(), _: Era) {}
    }

    #[test]
    fn r24_a_strategy_that_gives_only_what_it_must_has_no_keys_no_rules_and_no_doubts() {
        assert!(Bare.settings().is_empty());
        assert_eq!(Bare.set("rate", &Value::Number(1)).unwrap_err().field, "rate");
        assert!(!Bare.owns("") && !Bare.owns("a rule"));
        assert!(Bare.doubts(&()).is_empty());
    }
}

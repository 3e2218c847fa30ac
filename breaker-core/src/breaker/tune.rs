//! Settings that change while the program runs.
//!
//! A re-configured breaker leaves the fast path and reads an overriding copy of its settings; all others pay nothing.

use super::Breaker;
use crate::{
    Setting, SettingsError, Value,
    machine::transition::{Edge, next},
    recover::Recover,
    strategy::Strategy,
    sync::lock,
};
use std::time::Duration;

/// What of a breaker can be changed while the program runs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tuning<S, R> {
    /// When to open; its kind, and the size of its memory, are fixed.
    pub strategy: S,
    /// How long to stay open and how to probe, from the next opening on.
    pub recover: R,
    /// From which age on a call that is dropped counts as a failure (R14).
    pub abandoned_after: Duration,
}

/// The settings that override the declaration's, and how often they have changed.
#[derive(Debug)]
pub(super) struct Tuned<S, R> {
    version: u64,
    tuning: Option<Tuning<S, R>>,
}

impl<S, R> Tuned<S, R> {
    pub(super) const fn none() -> Self {
        Self { version: 0, tuning: None }
    }
}

/// The key of the one setting that is neither the strategy's nor the recover's.
const ABANDONED_AFTER: &str = "abandoned_after";

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// Changes settings while the program runs: all that `change` does, or nothing where the result cannot work.
    ///
    /// State, counts and calls in flight survive; a call reads each setting once. The declaration's values stay the
    /// defaults. The error names the setting that cannot work, or that is fixed. `change` runs again where another
    /// thread has changed settings meanwhile, so that neither change is lost.
    ///
    /// ```
    /// # use breaker_core as breaker;
    /// use breaker::{Backoff, Breaker, Count};
    ///
    /// let payments = Breaker::new("payments", Count::DEFAULT, Backoff::DEFAULT)?;
    /// payments.configure(|settings| settings.strategy.threshold = 10)?;
    /// assert!(payments.configure(|settings| settings.strategy.threshold = 0).is_err());
    /// # Ok::<_, breaker::SettingsError>(())
    /// ```
    pub fn configure(&self, change: impl Fn(&mut Tuning<S, R>)) -> Result<(), SettingsError> {
        loop {
            // Not asked of the word: who made the change before this one may have yet to mark it there.
            let Tuned { version, tuning } = *lock(&self.cold().tuned);
            let mut tuning = tuning.unwrap_or_else(|| self.declared_tuning());
            change(&mut tuning);
            self.accepts(&tuning)?;
            let mut tuned = lock(&self.cold().tuned);
            if tuned.version == version {
                *tuned = Tuned { version: version + 1, tuning: Some(tuning) };
                break;
            }
        }
        // No new era: nothing that is counted or in flight is touched.
        let _ = self.cell.shift(|word| next(word, Edge::Tune));
        Ok(())
    }

    /// Whether the change that these keys and values ask for would work.
    pub(super) fn accepts_keys(&self, changes: &[(String, Value)]) -> Result<(), SettingsError> {
        let mut tuning = self.tuning();
        for (key, value) in changes {
            set(&mut tuning, key, value)?;
        }
        self.accepts(&tuning)
    }

    /// Makes the change that these keys and values ask for; refused where another change came between.
    pub(super) fn configure_keys(&self, changes: &[(String, Value)]) -> Result<(), SettingsError> {
        self.configure(|tuning| {
            for (key, value) in changes {
                // It is accepted, so that none is refused by itself; what they make together is checked again.
                let _ = set(tuning, key, value);
            }
        })
    }

    /// The settings that are in force.
    pub(super) fn tuning(&self) -> Tuning<S, R> {
        let tuned = self.cell.tuned().then(|| lock(&self.cold().tuned).tuning).flatten();
        tuned.unwrap_or_else(|| self.declared_tuning())
    }

    /// Back to the declaration's.
    #[cfg(any(feature = "test-util", breaker_loom))]
    pub(super) fn untune(&self) {
        *lock(&self.cold().tuned) = Tuned::none();
    }

    fn declared_tuning(&self) -> Tuning<S, R> {
        Tuning { strategy: self.strategy, recover: self.recover, abandoned_after: self.identity.abandoned_after() }
    }

    pub(super) fn strategy(&self) -> S {
        self.tuning().strategy
    }

    pub(super) fn recover(&self) -> R {
        self.tuning().recover
    }

    pub(super) fn abandoned(&self) -> Duration {
        self.tuning().abandoned_after
    }

    fn accepts(&self, tuning: &Tuning<S, R>) -> Result<(), SettingsError> {
        if let Some(fixed) = self.strategy.fixed(&tuning.strategy) {
            return Err(fixed);
        }
        tuning.strategy.check()?;
        tuning.recover.check()
    }
}

/// A key may say whose it is, as `strategy.rate`; it must where strategy and recover have the same one.
fn set<S: Strategy, R: Recover>(tuning: &mut Tuning<S, R>, key: &str, value: &Value) -> Result<(), SettingsError> {
    if key == ABANDONED_AFTER {
        return crate::settings::value::set(&mut tuning.abandoned_after, ABANDONED_AFTER, value);
    }
    if let Some(key) = key.strip_prefix("strategy.") {
        return tuning.strategy.set(key, value);
    }
    if let Some(key) = key.strip_prefix("recover.") {
        return tuning.recover.set(key, value);
    }
    let strategys = tuning.strategy.settings();
    let recovers = tuning.recover.settings();
    let has = |settings: &[Setting]| settings.iter().any(|setting| setting.key == key);
    if has(&strategys) && has(&recovers) {
        let problem =
            format!("`{key}` is both the strategy's and the recover's; say `strategy.{key}` or `recover.{key}`");
        Err(SettingsError { field: key.to_owned().into(), problem: problem.into() })
    } else if has(&strategys) {
        tuning.strategy.set(key, value)
    } else if has(&recovers) {
        tuning.recover.set(key, value)
    } else {
        let known = strategys.iter().chain(&recovers).map(|setting| &*setting.key);
        Err(crate::settings::value::unknown(key, &known.chain([ABANDONED_AFTER]).collect::<Vec<_>>()))
    }
}

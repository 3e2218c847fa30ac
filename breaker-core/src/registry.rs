//! Every declared breaker of the program, by name, from its start: a slice that the linker gathers.
//!
//! Nothing runs before `main`. A crate that nobody names is not linked at all, breakers included: name it with
//! `use dep as _;`.

use crate::{
    error::{AmbiguousName, LookupError, Place, Rejected, UnknownBreaker, VerifyError},
    name::Name,
    overrides::Override,
    permit::{Commit, Conduct, Inside, Permit},
    settings::{SettingsError, Value},
    snapshot::Snapshot,
    stats::Stats,
    status::Status,
    sync::{Arc, lock_process, process},
};
use std::{collections::BTreeMap, fmt, ops::Deref};

mod site;

pub(crate) use site::failures;
pub use site::{CALL_SITES_0_1, CallSite, Site};

/// Every entry of every `breakers!`. The name carries the breaking version: two of them are two registries, and do
/// not mix their entries (linkme refuses equal names of unequal types at first use).
#[doc(hidden)]
#[linkme::distributed_slice]
pub static BREAKERS_0_1: [&'static dyn AnyBreaker];

/// A breaker of whatever type, as the registry gives it.
pub trait AnyBreaker: Conduct {
    /// Its name.
    fn name(&self) -> Name;
    /// The module that it was declared in; empty for one built at run time.
    fn module(&self) -> &'static str;
    /// See [`Breaker::status`](crate::Breaker::status).
    fn status(&self) -> Status;
    /// See [`Breaker::snapshot`](crate::Breaker::snapshot).
    fn snapshot(&self) -> Snapshot;
    /// See [`Breaker::explain`](crate::Breaker::explain).
    fn explain(&self) -> String;
    /// See [`Breaker::stats`](crate::Breaker::stats).
    fn stats(&self) -> Stats;
    /// See [`Breaker::force_open`](crate::Breaker::force_open).
    fn force_open(&self);
    /// See [`Breaker::force_close`](crate::Breaker::force_close).
    fn force_close(&self);
    /// See [`Breaker::override_open`](crate::Breaker::override_open).
    fn override_open(&self, hold: Override);
    /// See [`Breaker::override_closed`](crate::Breaker::override_closed).
    fn override_closed(&self, hold: Override);
    /// See [`Breaker::acquire`](crate::Breaker::acquire).
    fn acquire(&self) -> Result<Permit<'_>, Rejected>;
}

/// A registered breaker.
#[derive(Clone)]
pub struct BreakerRef(Held);

#[derive(Clone)]
enum Held {
    Static(&'static dyn AnyBreaker),
    Shared(Arc<dyn AnyBreaker>),
}

/// The breakers built at run time that have entered.
static ENTERED: process::Mutex<Vec<Arc<dyn AnyBreaker>>> = process::Mutex::new(Vec::new());

impl BreakerRef {
    /// Asks for one call; the permit is `'static`, and keeps alive what it must.
    pub fn acquire_owned(&self) -> Result<Permit<'static>, Rejected> {
        match &self.0 {
            Held::Static(breaker) => breaker.acquire(),
            Held::Shared(breaker) => {
                let breaker: Arc<dyn Conduct> = Arc::clone(breaker) as _;
                let ticket = breaker.enter_dyn(Inside(()))?;
                Ok(Permit::owned(breaker, ticket))
            }
        }
    }
}

/// The change of settings that these keys and values ask for, once it is known to work.
#[doc(hidden)]
pub fn configure<'a>(breaker: &'a BreakerRef, changes: &[(String, Value)]) -> Result<Commit<'a>, SettingsError> {
    breaker.configure_dyn(changes, Inside(()))
}

impl Deref for BreakerRef {
    type Target = dyn AnyBreaker;

    fn deref(&self) -> &Self::Target {
        match &self.0 {
            Held::Static(breaker) => *breaker,
            Held::Shared(breaker) => &**breaker,
        }
    }
}

impl fmt::Debug for BreakerRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BreakerRef").field(&self.place().path).finish()
    }
}

/// Every breaker of the program.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Registry;

/// Every breaker of the program: those declared with `breakers!` from its start, used or not, across modules and
/// crates.
pub const fn registry() -> Registry {
    Registry
}

impl Registry {
    /// Every breaker, in no order that could be relied on.
    pub fn iter(self) -> impl Iterator<Item = BreakerRef> {
        let entered = lock_process(&ENTERED).clone();
        let declared = BREAKERS_0_1.iter().map(|breaker| BreakerRef(Held::Static(*breaker)));
        declared.chain(entered.into_iter().map(|breaker| BreakerRef(Held::Shared(breaker))))
    }

    /// Enters a breaker that was built at run time, so that it is found by its name. The error lists who has the name
    /// already.
    ///
    /// ```
    /// # use breaker_core as breaker;
    /// use breaker::{Backoff, Breaker, Count};
    /// use std::sync::Arc;
    ///
    /// let tenant = Arc::new(Breaker::new("tenant-7", Count::DEFAULT, Backoff::DEFAULT)?);
    /// breaker::registry().enter(tenant)?;
    /// assert_eq!(breaker::status("tenant-7")?.to_string(), "closed");
    /// assert!(breaker::registry().leave("tenant-7").is_some());
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn enter(self, breaker: Arc<dyn AnyBreaker>) -> Result<(), AmbiguousName> {
        let name = breaker.name();
        let mut entered = lock_process(&ENTERED);
        let declared = BREAKERS_0_1.iter().map(|breaker| BreakerRef(Held::Static(*breaker)));
        let others = declared.chain(entered.iter().map(|breaker| BreakerRef(Held::Shared(Arc::clone(breaker)))));
        let mut same: Vec<_> = others.filter(|other| other.name() == name).collect();
        if same.is_empty() {
            entered.push(breaker);
            return Ok(());
        }
        same.push(BreakerRef(Held::Shared(breaker)));
        Err(ambiguous(&name, &same))
    }

    /// Takes out a breaker that has entered, and gives it back; calls in flight are not touched. A declared breaker
    /// does not leave.
    pub fn leave(self, name: &str) -> Option<BreakerRef> {
        let mut entered = lock_process(&ENTERED);
        let at = entered.iter().position(|breaker| breaker.name() == name)?;
        Some(BreakerRef(Held::Shared(entered.swap_remove(at))))
    }

    /// How many there are.
    pub fn len(self) -> usize {
        BREAKERS_0_1.len() + lock_process(&ENTERED).len()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The breaker with this name, or with this full path (`app::resilience::payments`).
    pub fn get(self, name: &str) -> Result<BreakerRef, LookupError> {
        let mut found: Vec<_> = self.iter().filter(|breaker| breaker.name() == name).collect();
        if found.is_empty() {
            found = self.iter().filter(|breaker| breaker.place().path == name).collect();
        }
        match found.len() {
            0 => Err(LookupError::Unknown(self.unknown(name))),
            1 => Ok(found.swap_remove(0)),
            _ => Err(LookupError::Ambiguous(ambiguous(name, &found))),
        }
    }

    /// Every fn guarded by the breaker with this name or full path, called or not; empty where there is none.
    pub fn call_sites(self, name: &str) -> Vec<CallSite> {
        site::all(|breaker| breaker.name() == name || breaker.place().path == name).collect()
    }

    /// The start-up check: every name that more than one breaker has, with the places, and every user-defined
    /// setting that its own check refuses.
    ///
    /// ```
    /// # use breaker_core as breaker;
    /// breaker::registry().verify()?;
    /// # Ok::<_, breaker::VerifyError>(())
    /// ```
    pub fn verify(self) -> Result<(), VerifyError> {
        let mut by_name = BTreeMap::<Name, Vec<BreakerRef>>::new();
        for breaker in self.iter() {
            by_name.entry(breaker.name()).or_default().push(breaker);
        }
        let several = by_name.iter().filter(|(_, breakers)| breakers.len() > 1);
        let ambiguous = several.map(|(name, breakers)| ambiguous(name, breakers)).collect::<Vec<_>>();
        let refused = |breaker: BreakerRef| Some((breaker.place(), breaker.check().err()?));
        let unsound = self.iter().filter_map(refused).collect::<Vec<_>>();
        if ambiguous.is_empty() && unsound.is_empty() { Ok(()) } else { Err(VerifyError { ambiguous, unsound }) }
    }

    fn unknown(self, name: &str) -> UnknownBreaker {
        // A full path is asked for by its last part as well.
        let asked = name.rsplit("::").next().unwrap_or(name);
        let mut near: Vec<_> = self
            .iter()
            .map(|breaker| (strsim::osa_distance(asked, &breaker.name()), breaker.name()))
            .filter(|(distance, name)| distance * 3 <= asked.chars().count().max(name.chars().count()))
            .collect();
        near.sort();
        near.dedup();
        let nearest = near.into_iter().map(|(_, name)| name).take(3).collect();
        UnknownBreaker { name: name.to_owned(), nearest }
    }
}

fn ambiguous(name: &str, breakers: &[BreakerRef]) -> AmbiguousName {
    let mut places: Vec<Place> = breakers.iter().map(|breaker| breaker.place()).collect();
    places.sort_by(|a, b| a.path.cmp(&b.path));
    AmbiguousName { name: name.to_owned(), places }
}

/// The breaker with this name or full path.
pub fn get(name: &str) -> Result<BreakerRef, LookupError> {
    registry().get(name)
}

/// The state of the breaker with this name or full path.
pub fn status(name: &str) -> Result<Status, LookupError> {
    Ok(get(name)?.status())
}

/// Everything there is to see of the breaker with this name or full path.
pub fn snapshot(name: &str) -> Result<Snapshot, LookupError> {
    Ok(get(name)?.snapshot())
}

/// Text for an operator about the breaker with this name or full path: why it opened, by which rule, on what counts,
/// from which fns, until when.
pub fn explain(name: &str) -> Result<String, LookupError> {
    Ok(get(name)?.explain())
}

/// Opens the breaker with this name or full path, until [`force_close`].
pub fn force_open(name: &str) -> Result<(), LookupError> {
    get(name)?.force_open();
    Ok(())
}

/// Closes the breaker with this name or full path, with a fresh strategy.
pub fn force_close(name: &str) -> Result<(), LookupError> {
    get(name)?.force_close();
    Ok(())
}

/// Opens the breaker with this name or full path, until the override ends by itself.
///
/// ```no_run
/// # use breaker_core as breaker;
/// use breaker::Override;
/// use std::time::Duration;
///
/// let hold = Override::lasting(Duration::from_secs(600)).reason("card processor migrates").actor("ops");
/// breaker::override_open("payments", hold)?;
/// # Ok::<_, breaker::LookupError>(())
/// ```
pub fn override_open(name: &str, hold: Override) -> Result<(), LookupError> {
    get(name)?.override_open(hold);
    Ok(())
}

/// Closes the breaker with this name or full path, until the override ends by itself: everything passes and is
/// counted, and what would have opened it is told.
pub fn override_closed(name: &str, hold: Override) -> Result<(), LookupError> {
    get(name)?.override_closed(hold);
    Ok(())
}

#[cfg(not(breaker_loom))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backoff, Breaker, Count};

    /// No breaker is declared in this process, and no other test of it enters one.
    #[test]
    fn a_registry_is_empty_until_one_enters_and_one_alone_is_unambiguous() {
        assert!(registry().is_empty() && registry().iter().next().is_none());
        let alone = Breaker::new("alone", Count::DEFAULT, Backoff::DEFAULT).unwrap();
        registry().enter(Arc::new(alone)).unwrap();
        assert!(!registry().is_empty());
        assert_eq!(registry().verify(), Ok(()));
        assert!(registry().leave("alone").is_some() && registry().is_empty());
    }
}

//! The fns that `#[circuit_breaker]` guards, and where failures came from.

use super::AnyBreaker;
use crate::{
    Era,
    sync::{Ordering, process::AtomicU64},
    trip::Source,
};
use std::{fmt, time::Duration};

/// Every fn under `#[circuit_breaker]`.
#[doc(hidden)]
#[linkme::distributed_slice]
pub static CALL_SITES_0_1: [Site];

/// What gives a breaker. As a trait, since the macro need not write a closure for it at each fn.
#[doc(hidden)]
pub trait Accessor: Sync {
    /// The breaker.
    fn breaker(&self) -> &'static dyn AnyBreaker;
}

impl<B: AnyBreaker + 'static, F: Fn() -> &'static B + Sync> Accessor for F {
    fn breaker(&self) -> &'static dyn AnyBreaker {
        self()
    }
}

/// A fn under `#[circuit_breaker]`, as the macro leaves it in the program.
#[doc(hidden)]
pub struct Site {
    breaker: &'static dyn Accessor,
    function: &'static str,
    module: &'static str,
    file: &'static str,
    line: u32,
    timeout: Option<Duration>,
    /// An era, and its failures from here, in one word.
    failures: AtomicU64,
}

impl Site {
    /// `function` in `module`, guarded by what `breaker` gives.
    pub const fn new(
        breaker: &'static dyn Accessor,
        function: &'static str,
        module: &'static str,
        file: &'static str,
        line: u32,
    ) -> Self {
        Self { breaker, function, module, file, line, timeout: None, failures: AtomicU64::new(0) }
    }

    /// The same, with the fn's own timeout.
    #[must_use]
    pub const fn timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }

    /// One failure more, in `era`.
    pub(crate) fn failed(&self, era: Era) {
        let counted = |seen: u64| {
            let (of, failures) = (Era::new((seen >> 32) as u32), seen & u64::from(u32::MAX));
            if of.is_after(era) {
                // A late failure: those of the newer era stay.
                return None;
            }
            let failures = if of == era { failures.saturating_add(1) } else { 1 };
            Some((era.get() << 32) | failures.min(u32::MAX.into()))
        };
        // For people: nothing rests on it, so that no order is needed.
        let _ = self.failures.fetch_update(Ordering::Relaxed, Ordering::Relaxed, counted);
    }

    fn failures(&self, era: Era) -> u32 {
        let seen = self.failures.load(Ordering::Relaxed);
        #[expect(clippy::cast_possible_truncation, reason = "the low half")]
        if seen >> 32 == era.get() { seen as u32 } else { 0 }
    }

    const fn public(&self) -> CallSite {
        let Self { function, module, file, line, timeout, .. } = *self;
        CallSite { function, module, file, line, timeout }
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.public().fmt(f)
    }
}

/// A fn that a breaker guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallSite {
    /// The fn's name.
    pub function: &'static str,
    /// The module that it stands in.
    pub module: &'static str,
    /// The file.
    pub file: &'static str,
    /// The line in it.
    pub line: u32,
    /// The fn's own `timeout`, if it has one.
    pub timeout: Option<Duration>,
}

/// The fns guarded by those breakers that `which` picks.
pub(super) fn all(which: impl Fn(&dyn AnyBreaker) -> bool) -> impl Iterator<Item = CallSite> {
    CALL_SITES_0_1.iter().filter(move |site| which(site.breaker.breaker())).map(Site::public)
}

/// The fns that the failures of this breaker's `era` came from, those with the most first.
pub(crate) fn failures(breaker: *const (), era: Era) -> Vec<Source> {
    let guards = |site: &&Site| std::ptr::addr_eq(std::ptr::from_ref(site.breaker.breaker()), breaker);
    let source = |site: &Site| Source { function: site.function, module: site.module, failures: site.failures(era) };
    let mut sources: Vec<_> = CALL_SITES_0_1.iter().filter(guards).map(source).collect();
    sources.retain(|source| source.failures > 0);
    sources.sort_by_key(|source| std::cmp::Reverse(source.failures));
    sources
}

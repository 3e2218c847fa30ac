//! What a breaker looks like at one moment.

use crate::{name::Name, overrides::Override, settings::Setting, status::Status, strategy::Tally, trip::Trip};
use std::{fmt, time::Duration};

/// What a breaker looks like at one moment.
///
/// `Display` is one line: ``payments: open for 2s, retry in 28s; opened on consecutive failures: 5``.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The name.
    pub name: Name,
    /// The module that it was declared in; empty for one built at run time.
    pub module: &'static str,
    /// The state.
    pub status: Status,
    /// Who holds it open or closed, if anybody.
    pub forced: Option<Override>,
    /// The number of this stay in this state.
    pub era: u64,
    /// How long it has been in this state: for a declared breaker that has never left its first, since this process
    /// first looked at a clock.
    pub since: Duration,
    /// When a call may be let through, and under an override when that ends: none where no time is known, or calls are
    /// let through now (R37).
    pub retry_after: Option<Duration>,
    /// The share of calls that is let through while closed: 1.0 but in a ramp.
    pub admitting: f64,
    /// The settings in force, the strategy's and the recover's.
    pub settings: Vec<Setting>,
    /// The last opening.
    pub last_trip: Option<Trip>,
    /// What the strategy has counted in this era.
    pub tally: Tally,
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::error::Rounded;

        write!(f, "{}: {}", self.name, self.status)?;
        if self.forced.is_some() {
            f.write_str(" (forced)")?;
        }
        write!(f, " for {}", Rounded(self.since))?;
        match self.retry_after {
            Some(left) if self.status == Status::Closed => write!(f, ", for another {}", Rounded(left))?,
            Some(after) => write!(f, ", retry in {}", Rounded(after))?,
            None => {}
        }
        match &self.last_trip {
            Some(trip) if self.status != Status::Closed => write!(f, "; opened on {trip}"),
            Some(trip) => write!(f, "; last opened on {trip}"),
            None => Ok(()),
        }
    }
}

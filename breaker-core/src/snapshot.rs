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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    #[test]
    fn a_snapshot_is_one_line() {
        let secs = Duration::from_secs;
        let closed = Snapshot {
            name: "payments".into(),
            module: "",
            status: Status::Closed,
            forced: None,
            era: 0,
            since: secs(2),
            retry_after: None,
            admitting: 1.0,
            settings: Vec::new(),
            last_trip: None,
            tally: Tally::default(),
        };
        assert_eq!(closed.to_string(), "payments: closed for 2s");
        let trip = Trip { rule: "rule", ..Trip::new(1, Outcome::failure()) };
        let tripped = Snapshot { last_trip: Some(trip), ..closed.clone() };
        assert_eq!(tripped.to_string(), "payments: closed for 2s; last opened on rule");
        let open = Snapshot { status: Status::Open, retry_after: Some(secs(28)), ..tripped };
        assert_eq!(open.to_string(), "payments: open for 2s, retry in 28s; opened on rule");
        let held = Snapshot { forced: Some(Override::lasting(secs(9))), retry_after: Some(secs(7)), ..closed };
        assert_eq!(held.to_string(), "payments: closed (forced) for 2s, for another 7s");
    }
}

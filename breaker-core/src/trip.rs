//! One opening: who said so, and on what counts.

use crate::sync::Arc;
use crate::{
    clock::Time,
    outcome::{Failure, Outcome},
    settings::Setting,
    strategy::Tally,
};
use std::{fmt, time::Duration};

/// One opening of a breaker.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trip {
    /// How many openings in a row this makes, less those that were forgotten (R27); at least 1.
    pub openings: u32,
    /// The outcome that opened it.
    pub outcome: Outcome,
    /// What kind of event opened it.
    pub cause: Cause,
    /// The strategy's rule, or what a probe came to.
    pub rule: &'static str,
    /// What the strategy had counted.
    pub tally: Tally,
    /// The strategy's settings, thresholds among them.
    pub settings: Vec<Setting>,
    /// The guarded fns that its failures came from, those with the most first; none for a breaker built at run time.
    pub sources: Vec<Source>,
    /// The opening that a failed or lapsed probe was to end, where this is one's.
    pub first: Option<Arc<Trip>>,
    /// How long ago it opened, as of the snapshot that this is in.
    pub ago: Duration,
    /// How many calls were rejected since the first opening in a row, as of the snapshot that this is in.
    pub rejected: u64,
    pub(crate) at: Time,
    /// How many had been rejected before.
    pub(crate) turned_away: u64,
}

/// A guarded fn, and how many failures came from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// The fn's name.
    pub function: &'static str,
    /// The module that it stands in.
    pub module: &'static str,
    /// Its failures in the era that ended with the opening.
    pub failures: u32,
}

impl Trip {
    /// The `openings`-th opening in a row, by `outcome`; a recover's own tests make theirs so.
    pub const fn new(openings: u32, outcome: Outcome) -> Self {
        Self {
            openings,
            outcome,
            cause: Cause::Tripped,
            rule: "",
            tally: Tally::new(0, 0),
            settings: Vec::new(),
            sources: Vec::new(),
            first: None,
            ago: Duration::ZERO,
            rejected: 0,
            at: Time::at(Duration::ZERO),
            turned_away: 0,
        }
    }
}

/// `failure rate: 12 of 20 calls, the last: timed out`, or `a failed probe: timed out`
impl fmt::Display for Trip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { failures, calls } = self.tally;
        f.write_str(self.rule)?;
        match self.cause {
            Cause::Tripped if calls > failures => write!(f, ": {failures} of {calls} calls")?,
            Cause::Tripped if failures > 0 => write!(f, ": {failures}")?,
            _ => {}
        }
        match self.outcome {
            Outcome::Failure(Failure { cause: Some(cause), .. }) if self.cause == Cause::Tripped => {
                write!(f, ", the last: {cause}")
            }
            Outcome::Failure(Failure { cause: Some(cause), .. }) => write!(f, ": {cause}"),
            _ => Ok(()),
        }?;
        match &self.first {
            Some(first) => write!(f, "; at first on {first}"),
            None => Ok(()),
        }
    }
}

/// Why a breaker went from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The strategy concluded that the dependency is down.
    Tripped,
    /// The time, or the rejected calls, that recover gave were over.
    Elapsed,
    /// A caller became the probe.
    Probed,
    /// The probe succeeded.
    ProbeSucceeded,
    /// The probe failed.
    ProbeFailed,
    /// The probe ended without a verdict: ignored, or abandoned while young.
    ProbeReleased,
    /// The probe's lease was over before it ended.
    ProbeLapsed,
    /// `force_open` or `force_close`.
    Forced,
    /// `override_open` or `override_closed`.
    Overridden,
    /// An override was over.
    OverrideEnded,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Tripped => "tripped",
            Self::Elapsed => "elapsed",
            Self::Probed => "probed",
            Self::ProbeSucceeded => "probe succeeded",
            Self::ProbeFailed => "probe failed",
            Self::ProbeReleased => "probe released",
            Self::ProbeLapsed => "probe lapsed",
            Self::Forced => "forced",
            Self::Overridden => "overridden",
            Self::OverrideEnded => "override ended",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trip_says_its_rule_its_counts_and_its_last_cause() {
        let said = |cause, tally, outcome| Trip { rule: "rule", cause, tally, ..Trip::new(1, outcome) }.to_string();
        let (plain, timed_out) = (Outcome::failure(), Outcome::failure().cause("timed out"));
        assert_eq!(said(Cause::Tripped, Tally::new(2, 4), plain), "rule: 2 of 4 calls");
        assert_eq!(said(Cause::Tripped, Tally::new(2, 2), plain), "rule: 2");
        assert_eq!(said(Cause::Tripped, Tally::new(0, 0), plain), "rule", "a strategy that counts nothing");
        assert_eq!(said(Cause::Tripped, Tally::new(2, 2), timed_out), "rule: 2, the last: timed out");
        assert_eq!(said(Cause::ProbeFailed, Tally::new(2, 4), timed_out), "rule: timed out");
        assert_eq!(said(Cause::ProbeFailed, Tally::new(2, 4), plain), "rule");
    }
}

//! One opening: who said so, and on what counts.

use crate::{outcome::Outcome, strategy::Tally};
use std::fmt;

/// One opening of a breaker.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

impl Trip {
    /// The `openings`-th opening in a row, by `outcome`; a recover's own tests make theirs so.
    pub const fn new(openings: u32, outcome: Outcome) -> Self {
        Self { openings, outcome, cause: Cause::Tripped, rule: "", tally: Tally::new(0, 0) }
    }
}

/// `5 consecutive failures, the last: timed out`
impl fmt::Display for Trip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { failures, calls } = self.tally;
        match self.cause {
            Cause::Tripped if calls > failures => write!(f, "{failures} of {calls} calls: {}", self.rule)?,
            Cause::Tripped if failures > 0 => write!(f, "{failures} {}", self.rule)?,
            _ => f.write_str(self.rule)?,
        }
        match self.outcome {
            Outcome::Failure(failure) => match failure.cause {
                Some(cause) => write!(f, ", the last: {cause}"),
                None => Ok(()),
            },
            _ => Ok(()),
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

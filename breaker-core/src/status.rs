//! The four states.

use std::fmt;

/// The four states (R1).
///
/// `Display` writes `closed`, `open`, `half_open` or `probing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// Calls pass; the strategy alone decides when to open.
    Closed = 0,
    /// Calls are rejected and the body is never touched.
    Open = 1,
    /// The next caller becomes the probe.
    HalfOpen = 2,
    /// One probe is out; all other calls are rejected.
    Probing = 3,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
            Self::Probing => "probing",
        })
    }
}

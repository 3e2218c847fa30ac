//! What is measured, and on whom.

/// A kind of call: a column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Case {
    /// Closed, a success, sync.
    Ok,
    /// Closed, a success, a future that is ready at once.
    OkAsync,
    /// The same two through the attribute.
    OkAttribute,
    /// See [`Case::OkAttribute`].
    OkAttributeAsync,
    /// Closed, a failure.
    Err,
    /// Open.
    Rejected,
    /// Open, two threads on one breaker.
    RejectedThreads,
    /// A success, two threads on one breaker.
    OkThreads,
    /// A success, two threads, a breaker for each.
    OkThreadsApart,
    /// A window of 100 calls, full of successes.
    Calls100,
    /// A window of 10,000 calls, full of successes.
    Calls10k,
    /// A window of 10,000 calls, full of successes, two threads.
    CallsThreads,
    /// A window of 100 calls, one in a hundred a failure.
    Calls100Mixed,
    /// A window of 10,000 calls, one in a hundred a failure.
    Calls10kMixed,
    /// The same, two threads on one breaker.
    CallsMixedThreads,
    /// A window of time with up to 100 calls in it.
    TimeLow,
    /// A window of time with more than 10,000 calls in it.
    TimeHigh,
    /// A success while stats are collected.
    Stats,
    /// The same, two threads on one breaker.
    StatsThreads,
    /// A success while an observer listens.
    Observed,
}

/// The cells of a table, and what the numbers are called.
pub const CASES: [(Case, &str); 20] = [
    (Case::Ok, "ok, sync"),
    (Case::OkAsync, "ok, async"),
    (Case::OkAttribute, "ok, attribute"),
    (Case::OkAttributeAsync, "ok, attribute, async"),
    (Case::Err, "err"),
    (Case::Rejected, "rejected"),
    (Case::RejectedThreads, "rejected, 2 threads"),
    (Case::OkThreads, "ok, 2 threads, 1 breaker"),
    (Case::OkThreadsApart, "ok, 2 threads, 2 breakers"),
    (Case::Calls100, "window of 100, healthy"),
    (Case::Calls10k, "window of 10,000, healthy"),
    (Case::CallsThreads, "window of 10,000, healthy, 2 threads"),
    (Case::Calls100Mixed, "window of 100, 1 % fail"),
    (Case::Calls10kMixed, "window of 10,000, 1 % fail"),
    (Case::CallsMixedThreads, "window of 100, 1 % fail, 2 threads"),
    (Case::TimeLow, "window of time, 100 calls in it"),
    (Case::TimeHigh, "window of time, 10,000 calls in it and more"),
    (Case::Stats, "ok, stats on"),
    (Case::StatsThreads, "ok, stats on, 2 threads"),
    (Case::Observed, "ok, observer on"),
];

/// Who is measured: a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// What nothing can be faster than.
    Floor(&'static str),
    /// This library.
    Ours,
    /// Another library.
    Peer(&'static str),
}

impl Who {
    /// As the table shows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Floor(name) | Self::Peer(name) => name,
            Self::Ours => "this library",
        }
    }
}

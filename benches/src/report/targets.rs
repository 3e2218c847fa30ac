//! Each target, the figure, and whether it is met.

use super::{
    Results,
    facts::{Build, Memory},
    number,
};
use crate::{
    case::{Case, Who},
    floors,
    runner::Measured,
};

/// One target.
#[derive(Debug)]
pub struct Target {
    /// What is asked.
    pub what: String,
    /// What it came to.
    pub figure: String,
    /// What it must be at the most.
    pub most: String,
    /// Whether it is.
    pub met: bool,
}

impl Target {
    fn new(what: impl Into<String>, figure: f64, most: f64, unit: &str) -> Self {
        let met = figure <= most;
        Self {
            what: what.into(),
            figure: format!("{}{unit}", number(figure)),
            most: format!("{}{unit}", number(most)),
            met,
        }
    }

    /// As one line.
    pub fn line(&self) -> String {
        let Self { what, figure, most, met } = self;
        let word = if *met { "met" } else { "NOT MET" };
        format!("{word:8} {figure:>10} of {most:<10} {what}")
    }
}

/// All that this run can say something about.
pub fn all(results: &Results, memory: &[Memory], build: Option<Build>) -> Vec<Target> {
    [timed(results), stats(results), sizes(memory), build.map(built).into_iter().collect()]
        .into_iter()
        .flatten()
        .collect()
}

fn ratio(a: &Measured, b: &Measured) -> f64 {
    a.ratio(|round| b.round(round))
}

fn timed(results: &Results) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut times = |what: &str, (who, case): (Who, Case), (other, at): (Who, Case), most: f64| {
        if let (Some(a), Some(b)) = (results.get(who, case), results.get(other, at)) {
            targets.push(Target::new(what, ratio(a, b), most, " x"));
        }
    };
    let ours = |case| (Who::Ours, case);
    let loads = (floors::TWO_LOADS, Case::Ok);
    times("`Count`, closed, ok, sync: x two acquire loads", ours(Case::Ok), loads, 1.5);
    let alike = (floors::TWO_LOADS_OURS, Case::Ok);
    times("… x two acquire loads around a call that gives our result", ours(Case::Ok), alike, 1.5);
    times("`Count`, closed, err: x load + fetch_add", ours(Case::Err), (floors::LOAD_AND_ADD, Case::Err), 2.5);
    times("ok, 2 threads on one breaker: x on two", ours(Case::OkThreads), ours(Case::OkThreadsApart), 1.5);
    times("`Calls(100)`, healthy: x two acquire loads", ours(Case::Calls100), loads, 2.0);
    times("… x two acquire loads around a call that gives our result", ours(Case::Calls100), alike, 2.0);
    times("`Calls(10_000)`, healthy: x two acquire loads", ours(Case::Calls10k), loads, 2.0);
    times("… x two acquire loads around a call that gives our result", ours(Case::Calls10k), alike, 2.0);
    times("`Calls(10_000)`, healthy, 2 threads: x one", ours(Case::CallsThreads), ours(Case::Calls10k), 1.5);
    times("1 % fail: `Calls(10_000)` x `Calls(100)`", ours(Case::Calls10kMixed), ours(Case::Calls100Mixed), 1.25);
    times("`Time(10s)`: high traffic x low", ours(Case::TimeHigh), ours(Case::TimeLow), 1.25);

    for (what, case) in
        [("async", Case::OkAsync), ("attribute", Case::OkAttribute), ("attribute, async", Case::OkAttributeAsync)]
    {
        if let (Some(own), Some(bare)) = (results.get(Who::Ours, case), results.get(floors::BARE, case)) {
            let over = own.median() - bare.median();
            targets.push(Target::new(format!("ok, {what}: over the same without a breaker"), over, 2.0, " ns"));
        }
    }
    for (what, case, most) in [
        ("ok, sync", Case::Ok, 1.0),
        ("ok, async", Case::OkAsync, 1.0),
        ("ok, attribute, async, against peers' async", Case::OkAttributeAsync, 1.0),
        ("err", Case::Err, 1.0),
        ("rejected", Case::Rejected, 0.35),
        ("rejected, 2 threads", Case::RejectedThreads, 0.35),
        ("ok, 2 threads", Case::OkThreads, 1.0),
        ("`Calls(100)`, 1 % fail", Case::Calls100Mixed, 0.75),
        ("`Calls(10_000)`, 1 % fail", Case::Calls10kMixed, 0.75),
        ("`Calls(100)`, 1 % fail, 2 threads", Case::CallsMixedThreads, 0.35),
        ("`Time(10s)`, low traffic", Case::TimeLow, 0.25),
        ("`Time(10s)`, high traffic", Case::TimeHigh, 0.25),
    ] {
        let theirs = if case == Case::OkAttributeAsync { Case::OkAsync } else { case };
        if let (Some(own), Some(peer)) = (results.get(Who::Ours, case), results.fastest_peer(theirs)) {
            let what = format!("{what}: x the fastest peer, {}", peer.who.name());
            targets.push(Target::new(what, ratio(own, peer), most, " x"));
        }
    }
    targets
}

/// Stats are measured after all else, since they cannot be turned off again.
fn stats(results: &Results) -> Vec<Target> {
    let get = |who, case| results.get(who, case).map(Measured::median);
    let (Some(on), Some(both), Some(off), Some(load), Some(add)) = (
        get(Who::Ours, Case::Stats),
        get(Who::Ours, Case::StatsThreads),
        get(Who::Ours, Case::Ok),
        get(floors::LOAD, Case::Ok),
        get(floors::LOAD_AND_ADD, Case::Ok),
    ) else {
        return Vec::new();
    };
    vec![
        Target::new("stats on: over the bare path, x a fetch_add", (on - off) / (add - load), 3.0, " x"),
        Target::new("stats on: 2 threads x one", both / on, 1.1, " x"),
    ]
}

fn sizes(memory: &[Memory]) -> Vec<Target> {
    let Some(count) = memory.iter().find(|row| row.who == "this library, Count") else { return Vec::new() };
    let calls = memory.iter().find(|row| row.who == "this library, Calls(100)");
    let mut targets = vec![
        Target::new("a `Count` breaker", count.size, 128.0, " B"),
        Target::new("what it allocates when it first opens", count.opened, 64.0, " B"),
        Target::new("allocations of a call, ok, err or rejected", count.ok + count.err + count.rejected, 0.0, ""),
        Target::new(
            "`Rejected`",
            memory.iter().find(|row| row.who == "Rejected").map_or(0.0, |row| row.size),
            64.0,
            " B",
        ),
    ];
    if let Some(calls) = calls {
        let more = calls.size + calls.heap - count.size - count.heap;
        targets.push(Target::new("a breaker with `Calls(100)`: more than one with `Count`", more, 256.0, " B"));
    }
    targets
}

fn built(build: Build) -> Target {
    Target::new("build, default features: x syn + quote + darling alone", build.ours / build.parts, 1.5, " x")
}

//! What other programs of this package found out, and hand over as lines of tabs.

use std::process::Command;

/// Size and allocations of one breaker.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Whose.
    pub who: String,
    /// Its own size.
    pub size: f64,
    /// What it allocates until it has made a call that succeeds.
    pub heap: f64,
    /// What it allocates more when it first opens.
    pub opened: f64,
    /// Allocations a call: ok.
    pub ok: f64,
    /// Err.
    pub err: f64,
    /// Rejected.
    pub rejected: f64,
}

impl Memory {
    /// As a line.
    pub fn line(&self) -> String {
        let Self { who, size, heap, opened, ok, err, rejected } = self;
        format!("{who}\t{size}\t{heap}\t{opened}\t{ok}\t{err}\t{rejected}")
    }

    fn parse(line: &str) -> Option<Self> {
        let (who, numbers) = line.split_once('\t')?;
        let mut numbers = numbers.split('\t').map(str::parse::<f64>);
        let mut next = || numbers.next()?.ok();
        Some(Self {
            who: who.into(),
            size: next()?,
            heap: next()?,
            opened: next()?,
            ok: next()?,
            err: next()?,
            rejected: next()?,
        })
    }

    /// What the program says.
    pub fn ask(program: &str) -> Vec<Self> {
        lines(program).iter().filter_map(|line| Self::parse(line)).collect()
    }
}

/// Instructions of one call, its loop and the bare call taken off.
#[derive(Clone, Debug)]
pub struct Instructions {
    /// Which path.
    pub path: String,
    /// How many.
    pub count: f64,
    /// How many at the most.
    pub bound: f64,
}

impl Instructions {
    /// As a line.
    pub fn line(&self) -> String {
        format!("{}\t{}\t{}", self.path, self.count, self.bound)
    }

    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.split('\t');
        let path = parts.next()?.into();
        Some(Self { path, count: parts.next()?.parse().ok()?, bound: parts.next()?.parse().ok()? })
    }

    /// What the program says; nothing without valgrind.
    pub fn ask(program: &str) -> Vec<Self> {
        lines(program).iter().filter_map(|line| Self::parse(line)).collect()
    }
}

/// Seconds of two builds from nothing.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// A crate that depends on this library.
    pub ours: f64,
    /// One that depends on what its macros need.
    pub parts: f64,
}

fn lines(program: &str) -> Vec<String> {
    let output = Command::new(program).output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).lines().map(str::to_owned).collect()
}

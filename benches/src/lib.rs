//! This library beside its peers, in one run.
//!
//! `cargo bench -p benches` measures and writes RESULTS.md and results.svg; the README tells the rest.

use std::{fs, process::Command};

pub mod behaviour;
pub mod build;
pub mod call;
pub mod case;
pub mod floors;
pub mod ours;
pub mod peers;
pub mod report;
pub mod runner;

/// What must be said before any table.
pub const NOTES: &str = "\
NOTE: breaker-machines is measured at 0.17.1. From 0.18 on it needs Rust 1.99 (through state-machines 0.30), which is
      not out yet; nothing newer of it builds here.
NOTE: this package needs Rust 1.95, since seatbelt 0.11 does. The library itself asks for less.";

/// The processor's name.
pub fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} ({cores} cores, shared)", name.unwrap_or("an unknown processor"))
}

/// The compiler's name.
pub fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&output);
    text.split(" (").next().unwrap_or("rustc").trim().to_owned()
}

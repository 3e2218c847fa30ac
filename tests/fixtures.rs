//! Crates as users have them, under `fixtures/`: other editions, another name for the dependency, no prelude, every
//! lint, crates that nobody names. Each must build without a warning, and say what it has to say when it runs.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Where this test was built, beside which the fixtures are built.
fn target() -> PathBuf {
    let exe = env::current_exe().expect("a test knows its own path");
    exe.ancestors().nth(3).expect("target/profile/deps/test").join("fixtures")
}

fn cargo(args: &[&str]) {
    // The same versions as everywhere else; those that are not needed fall away.
    let lock = folder().join("Cargo.lock");
    if !lock.exists() {
        fs::copy(folder().join("../../Cargo.lock"), lock).expect("the workspace has a lock file");
    }
    let out = Command::new(env!("CARGO"))
        .args(args)
        .arg("--offline")
        .current_dir(folder())
        .env("CARGO_TARGET_DIR", target())
        .output()
        .expect("cargo runs");
    assert!(out.status.success(), "cargo {args:?}\n{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn no_expansion_trips_a_lint() {
    cargo(&["clippy", "--workspace", "--quiet"]);
}

/// Optimised and in many units, where the linker has most reason to leave something out.
#[test]
fn unnamed_entries_are_linked() {
    let profile = ["--config", "profile.dev.opt-level=1", "--config", "profile.dev.codegen-units=16"];
    cargo(&[&["run", "--quiet", "--package", "linked"][..], &profile].concat());
}

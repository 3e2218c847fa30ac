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
    let (success, told) = run_cargo(args);
    assert!(success, "cargo {args:?}\n{told}");
}

/// Whether it ended well, and what it told.
fn run_cargo(args: &[&str]) -> (bool, String) {
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
        .env("CARGO_TERM_COLOR", "never")
        .output()
        .expect("cargo runs");
    (out.status.success(), String::from_utf8_lossy(&out.stderr).into_owned())
}

#[test]
fn no_expansion_trips_a_lint() {
    cargo(&["clippy", "--workspace", "--exclude", "featureless", "--exclude", "zero", "--quiet"]);
}

/// A feature that is off is named once, where the option is that asks for it.
#[test]
fn a_missing_feature_is_named_at_the_option() {
    let (success, told) = run_cargo(&["check", "--package", "featureless", "--quiet", "--message-format", "short"]);
    assert!(!success, "it builds without the feature");
    let main = fs::read_to_string(folder().join("featureless/src/main.rs")).expect("the fixture is there");
    let asked = main.lines().enumerate().filter_map(|(line, text)| {
        let column = text.find("timeout = ")? + "timeout = ".len();
        Some(format!("featureless/src/main.rs:{}:{}: error[E0277]: {MISSING_TOKIO}", line + 1, column + 1))
    });
    let (told, mut expected): (Vec<_>, Vec<_>) = (told.lines().collect(), asked.collect());
    assert!(!expected.is_empty(), "the fixture has time-outs");
    expected.push("error: could not compile `featureless` (bin \"featureless\") due to 2 previous errors".into());
    assert_eq!(told, expected);
}

const MISSING_TOKIO: &str = "`timeout` needs the feature `tokio` of the crate `breaker`; add `features = [\"tokio\"]` to it in Cargo.toml: the feature `tokio` is off";

/// An associated const is known where the fn is compiled to the end, and no earlier.
#[test]
fn a_timeout_of_zero_behind_a_const_does_not_build() {
    let (success, told) = run_cargo(&["build", "--package", "zero", "--quiet", "--message-format", "short"]);
    assert!(!success, "it builds");
    let place = "zero/src/main.rs:15:43: error[E0080]: evaluation panicked: `timeout` cannot be zero; use a longer one";
    assert!(told.contains(place), "{told}");
}

/// Optimised and in many units, where the linker has most reason to leave something out.
#[test]
fn unnamed_entries_are_linked() {
    let profile = ["--config", "profile.dev.opt-level=1", "--config", "profile.dev.codegen-units=16"];
    cargo(&[&["run", "--quiet", "--package", "linked"][..], &profile].concat());
}

//! R39: `BREAKER_MODE`, each in a process of its own, since it is read once.

use std::process::Command;

fn run(environment: &[(&str, &str)]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mode_child"));
    for variable in ["BREAKER_MODE", "BREAKER_MODE_PAYMENTS", "BREAKER_MODE_SEARCH"] {
        child.env_remove(variable);
    }
    let output = child.envs(environment.iter().copied()).output().expect("the child runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const ENFORCED: &str = "open rejected=3 would_open=0 failures=2 forced_passes=false\ntold: 2 begun, 2 ended\n";
const OBSERVED: &str = "closed rejected=0 would_open=2 failures=5 forced_passes=true\ntold: 6 begun, 6 ended\n\
    the environment says `observe`: every call passes, and observers hear what would have opened\n";
const OFF: &str = "closed rejected=0 would_open=0 failures=0 forced_passes=true\ntold: 0 begun, 0 ended\n\
    the environment says `off`: every call passes, and nobody hears of it\n";

#[test]
fn r39_enforce_is_the_default() {
    assert_eq!(run(&[]), ENFORCED);
    assert_eq!(run(&[("BREAKER_MODE", "enforce")]), ENFORCED);
    assert_eq!(run(&[("BREAKER_MODE", "")]), ENFORCED);
}

#[test]
fn r39_observe_passes_counts_and_tells() {
    assert_eq!(run(&[("BREAKER_MODE", "observe")]), OBSERVED);
}

#[test]
fn r39_off_passes_without_counting_or_telling() {
    assert_eq!(run(&[("BREAKER_MODE", "off")]), OFF);
}

#[test]
fn r39_a_breakers_own_variable_wins() {
    let own = [("BREAKER_MODE", "off"), ("BREAKER_MODE_PAYMENTS", "enforce")];
    assert_eq!(run(&own), ENFORCED.replace("passes=false", "passes=true"));
}

#[test]
fn r39_what_is_no_mode_enforces_and_is_told() {
    let text = run(&[("BREAKER_MODE", "obsrve"), ("BREAKER_MODE_SEARCH", "Off")]);
    assert!(text.starts_with(ENFORCED), "{text}");
    assert!(text.contains("`BREAKER_MODE` is `obsrve`"), "{text}");
    assert!(text.contains("`search`: `BREAKER_MODE_SEARCH` is `Off`"), "{text}");
}

#[test]
fn r39_a_variable_for_no_breaker_is_told() {
    let text =
        run(&[("BREAKER_MODE_PAYMENT", "off"), ("BREAKER_MODEL_CASES", "1"), ("BREAKER_MODE_SEARCH", "enforce")]);
    assert_eq!(
        text.strip_prefix(ENFORCED),
        Some(
            "`BREAKER_MODE_PAYMENT` is for no breaker of the registry, so it does nothing; `BREAKER_MODE_PAYMENTS` is for \
             the one whose name is nearest\n"
        )
    );
}

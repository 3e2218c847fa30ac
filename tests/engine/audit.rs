//! What in the declarations cannot work as meant.

use breaker::{Error, circuit_breaker, test_util};
use std::time::Duration;

breaker::breakers! {
    pub busy { strategy: FailureRate { window: Time(10s), min_calls: 20 }, recover: BasicTimeout { probing_timeout: 5s } }
    pub idle {}
}

mod again {
    breaker::breakers! {
        pub twice {}
    }
    pub(super) mod deeper {
        breaker::breakers! {
            pub twice {}
        }
    }
}

#[circuit_breaker(busy, timeout = 6s)]
async fn slow() -> Result<(), Error<()>> {
    Ok(())
}

#[circuit_breaker(busy, timeout = 5s)]
async fn quick() -> Result<(), Error<()>> {
    Ok(())
}

fn texts() -> Vec<String> {
    breaker::audit().iter().map(ToString::to_string).collect()
}

fn says(words: &[&str]) -> bool {
    texts().iter().any(|text| words.iter().all(|word| text.contains(word)))
}

#[test]
fn audit_finds_a_rate_that_its_traffic_never_reaches() {
    let _alone = test_util::isolate();
    // What was seen before belongs to the window's whole life.
    for _ in 0..12 {
        busy().acquire().unwrap().success();
    }
    test_util::advance(Duration::from_secs(10));
    assert!(says(&["`busy`", "its busiest 10s held 12 calls", "`min_calls` is 20"]), "{:#?}", texts());
    for _ in 0..20 {
        busy().acquire().unwrap().success();
    }
    assert!(!says(&["its busiest"]), "{:#?}", texts());
}

#[test]
fn audit_finds_a_timeout_longer_than_the_lease() {
    let _ = (slow(), quick());
    assert!(says(&["`busy`", "`slow`", "6s", "5s"]), "{:#?}", texts());
    assert!(!says(&["`quick`"]), "{:#?}", texts());
}

#[test]
fn audit_finds_what_guards_nothing_and_what_is_declared_twice() {
    assert!(says(&["`idle`", "no fn is guarded by it"]), "{:#?}", texts());
    assert!(!says(&["`busy`", "no fn is guarded by it"]), "{:#?}", texts());
    assert!(says(&["2 circuit breakers are named `twice`", "deeper", "audit.rs"]), "{:#?}", texts());
}

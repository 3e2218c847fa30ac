//! Random lives of a breaker, step by step beside a dull twin.
//!
//! `BREAKER_MODEL_CASES` sets how many lives; the long run takes more of them.

mod life;
mod steps;
mod twin;

use life::live;
use proptest::test_runner::{Config, TestRunner};
use steps::lives;

const CASES: u32 = 4_000;

fn cases() -> u32 {
    std::env::var("BREAKER_MODEL_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES)
}

/// Where both end, over all lives: a model that never gets far proves nothing.
#[test]
fn r08_the_machine_and_its_dull_twin_live_the_same_life() {
    let mut seen = life::Seen::default();
    let mut runner = TestRunner::new(Config { cases: cases(), failure_persistence: None, ..Config::default() });
    let told = std::cell::RefCell::new(&mut seen);
    runner.run(&lives(), |life| live(&life, &mut told.borrow_mut())).unwrap_or_else(|error| panic!("{error}"));
    assert!(seen.everything(), "the lives are too dull: {seen:?}");
}

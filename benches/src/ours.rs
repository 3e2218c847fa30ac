//! This library, called as its README says.

use crate::{
    call::{Failed, Mixed, err, finish, ok},
    case::{Case, Who},
    floors,
    runner::{Row, time},
};
use breaker::{BasicTimeout, Breaker, Error, FailureRate, Recover, Strategy, Window, breakers, circuit_breaker};
use std::{
    future::ready,
    time::{Duration, Instant},
};

breakers! {
    /// Never opens.
    pub steady {
        strategy: Count { threshold: 4_294_967_295 },
        recover: BasicTimeout { reset_timeout: 1h },
    }

    /// A second one, for the second thread.
    pub apart {
        strategy: Count { threshold: 4_294_967_295 },
        recover: BasicTimeout { reset_timeout: 1h },
    }

    /// Counts failures.
    pub failing {
        strategy: Count { threshold: 4_294_967_295 },
        recover: BasicTimeout { reset_timeout: 1h },
    }

    /// Opens at once, and stays so.
    pub opened {
        strategy: Count { threshold: 1 },
        recover: BasicTimeout { reset_timeout: 1h },
    }

    /// A small window.
    pub hundred {
        strategy: FailureRate { window: Calls(100), min_calls: 100, rate: 1.0, streak: 0 },
        recover: BasicTimeout { reset_timeout: 1h },
    }

    /// A large one.
    pub ten_thousand {
        strategy: FailureRate { window: Calls(10_000), min_calls: 10_000, rate: 1.0, streak: 0 },
        recover: BasicTimeout { reset_timeout: 1h },
    }

    /// A small window with failures in it.
    pub hundred_mixed {
        strategy: FailureRate { window: Calls(100), min_calls: 100, rate: 1.0, streak: 0 },
        recover: BasicTimeout { reset_timeout: 1h },
    }

    /// A large one with failures in it.
    pub ten_thousand_mixed {
        strategy: FailureRate { window: Calls(10_000), min_calls: 10_000, rate: 1.0, streak: 0 },
        recover: BasicTimeout { reset_timeout: 1h },
    }

    /// A window of time.
    pub ten_seconds {
        strategy: FailureRate { window: Time(10s), min_calls: 20, rate: 1.0, streak: 0 },
        recover: BasicTimeout { reset_timeout: 1h },
    }
}

/// A call through the attribute.
#[circuit_breaker(steady)]
pub fn attributed() -> Result<u64, Error<Failed>> {
    ok().map_err(Error::Inner)
}

/// The same of an async fn.
#[circuit_breaker(steady)]
pub async fn attributed_async() -> Result<u64, Error<Failed>> {
    ok().map_err(Error::Inner)
}

/// The same two without the attribute: what they are compared with.
fn bare() -> Result<u64, Error<Failed>> {
    ok().map_err(Error::Inner)
}

#[expect(clippy::unused_async, reason = "it is what the guarded one is compared with")]
async fn bare_async() -> Result<u64, Error<Failed>> {
    ok().map_err(Error::Inner)
}

/// Trips `opened`.
///
/// # Panics
///
/// Where that does not open it.
pub fn open() {
    let _ = opened().run(err);
    assert!(matches!(opened().run(ok), Err(Error::Rejected(_))), "it is open");
}

/// Fills the windows.
pub fn fill() {
    for _ in 0..10_000 {
        let _ = hundred().run(ok);
        let _ = ten_thousand().run(ok);
        let _ = ten_seconds().run(ok);
    }
    for call in 0..10_000 {
        let call = if call % 100 == 0 { err } else { ok };
        let _ = hundred_mixed().run(call);
        let _ = ten_thousand_mixed().run(call);
    }
}

fn mixed<S: Strategy, R: Recover>(breaker: &'static Breaker<S, R>) -> impl FnMut() -> Result<u64, Error<Failed>> {
    let mut calls = Mixed::default();
    move || breaker.run(|| calls.call())
}

/// All rows, with nobody listening.
pub fn rows() -> Vec<Row> {
    open();
    fill();
    vec![
        Row::calls(Who::Ours, Case::Ok, || steady().run(|| ok())),
        Row::calls(Who::Ours, Case::OkAsync, || finish(steady().run_async(ready(ok())))),
        Row::calls(floors::BARE, Case::OkAttribute, bare),
        Row::calls(floors::BARE, Case::OkAttributeAsync, || finish(bare_async())),
        Row::calls(Who::Ours, Case::OkAttribute, attributed),
        Row::calls(Who::Ours, Case::OkAttributeAsync, || finish(attributed_async())),
        Row::calls(Who::Ours, Case::Err, || failing().run(|| err())),
        Row::calls(Who::Ours, Case::Rejected, || opened().run(|| ok())),
        Row::threads(Who::Ours, Case::RejectedThreads, |_| || opened().run(|| ok())),
        Row::threads(Who::Ours, Case::OkThreads, |_| || steady().run(|| ok())),
        Row::threads(Who::Ours, Case::OkThreadsApart, |second| {
            let breaker = if second { apart() } else { steady() };
            move || breaker.run(|| ok())
        }),
        Row::calls(Who::Ours, Case::Calls100, || hundred().run(|| ok())),
        Row::calls(Who::Ours, Case::Calls10k, || ten_thousand().run(|| ok())),
        Row::threads(Who::Ours, Case::CallsThreads, |_| || ten_thousand().run(|| ok())),
        Row::calls(Who::Ours, Case::Calls100Mixed, mixed(hundred_mixed())),
        Row::calls(Who::Ours, Case::Calls10kMixed, mixed(ten_thousand_mixed())),
        Row::threads(Who::Ours, Case::CallsMixedThreads, |_| mixed(hundred_mixed())),
        Row::new(Who::Ours, Case::TimeLow, few_in_a_window),
        Row::calls(Who::Ours, Case::TimeHigh, || ten_seconds().run(|| ok())),
        Row::new(Who::Ours, Case::Observed, observed),
    ]
}

/// The rows that end the time in which nobody counts.
pub fn stats_rows() -> Vec<Row> {
    breaker::collect_stats();
    vec![
        Row::calls(Who::Ours, Case::Stats, || steady().run(|| ok())),
        Row::threads(Who::Ours, Case::StatsThreads, |_| || steady().run(|| ok())),
    ]
}

/// A fresh window every hundred calls.
fn few_in_a_window(calls: u64) -> Duration {
    let strategy = FailureRate { window: Window::Time(Duration::from_secs(10)), rate: 1.0, ..FailureRate::DEFAULT };
    in_hundreds(
        calls,
        || Breaker::new("fresh", strategy, BasicTimeout::DEFAULT).expect("it can work"),
        |fresh| move || fresh.run(|| ok()),
    )
}

/// Times calls of a fresh breaker for every hundred; its making is not timed, its first call is.
pub fn in_hundreds<B, C: FnMut() -> D, D: crate::call::Digest>(
    calls: u64,
    make: impl Fn() -> B,
    call: impl Fn(B) -> C,
) -> Duration {
    (0..calls.div_ceil(100)).map(|_| time(100, &mut call(make()))).sum::<Duration>()
}

fn observed(calls: u64) -> Duration {
    let _observation = breaker::observe(|event| {
        std::hint::black_box(event);
    });
    let start = Instant::now();
    for _ in 0..calls {
        std::hint::black_box(steady().run(ok).is_ok());
    }
    start.elapsed()
}

//! Threads and every kind of call, drop, panic and command on one breaker: nothing wedges, and the totals add up.
//!
//! `SOAK_CALLS` says how many calls a thread makes; 200,000 unless set, 20 million in the long tests. Time is the test
//! clock's, moved by the threads themselves.

use breaker::{
    AnyBreaker, Backoff, BasicTimeout, Breaker, Burst, Call, Count, Era, Error, EveryNth, FailureRate, Outcome,
    Override, Recover, SlowCallRate, Status, Strategy, Tally, Window, test_util,
};
use std::{
    future::Future,
    hint::black_box,
    panic::{AssertUnwindSafe, catch_unwind, panic_any},
    pin::pin,
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

/// What a thread has seen its own calls come to.
#[derive(Default)]
struct Seen {
    admitted: u64,
    rejected: u64,
}

/// A payload that the panic hook passes over.
struct Planned;

/// Small, seeded and good enough to mix calls (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % sides
    }
}

fn calls() -> u64 {
    std::env::var("SOAK_CALLS").ok().and_then(|calls| calls.parse().ok()).unwrap_or(200_000)
}

#[test]
fn count_and_a_fixed_time() {
    let recover = BasicTimeout { reset_timeout: Duration::from_millis(5), successes: 2, ..BasicTimeout::DEFAULT };
    soak(Count { threshold: 3, ..Count::DEFAULT }, recover);
}

#[test]
fn a_rate_over_calls_and_a_backoff_with_a_ramp() {
    let max = Duration::from_millis(50);
    let ramp = Duration::from_millis(20);
    let recover = Backoff { initial: Duration::from_millis(1), max, ramp, ..Backoff::DEFAULT };
    soak(FailureRate { window: Window::Calls(64), min_calls: 32, rate: 0.4, ..FailureRate::DEFAULT }, recover);
}

#[test]
fn a_rate_over_time_and_every_nth() {
    let window = Window::Time(Duration::from_millis(100));
    soak(FailureRate { window, min_calls: 20, rate: 0.4, ..FailureRate::DEFAULT }, EveryNth::DEFAULT);
}

#[test]
fn a_burst_or_slow_calls_and_a_backoff() {
    let burst = Burst { failures: 12, within: Duration::from_millis(2), ..Burst::DEFAULT };
    let slow =
        SlowCallRate { slower_than: Duration::from_millis(1), window: Window::Calls(50), ..SlowCallRate::DEFAULT };
    soak(breaker::AnyOf(burst, slow), Backoff { initial: Duration::from_millis(1), ..Backoff::DEFAULT });
}

/// More threads than processors, so that some sleep between a look and its step while others go round the ring.
#[test]
fn small_windows_of_calls_stay_exact() {
    for size in [1, 3, 10, 33] {
        let strategy = FailureRate { window: Window::Calls(size), min_calls: size, rate: 1.0, ..FailureRate::DEFAULT };
        let state = FailureRate::NEW;
        let record = |failed: bool| {
            let outcome = if failed { Outcome::failure() } else { Outcome::Success };
            strategy.record(&state, Era::new(0), &Call::new(outcome));
        };
        thread::scope(|scope| {
            for seed in 0..4 {
                scope.spawn(move || {
                    let mut dice = Dice(seed);
                    (0..calls()).for_each(|_| record(dice.roll(3) == 0));
                });
            }
        });
        (0..2 * size).for_each(|_| record(false));
        assert_eq!(strategy.tally(&state), Tally::new(0, size), "of {size}");
    }
}

fn soak<S: Strategy, R: Recover>(strategy: S, recover: R) {
    let _alone = test_util::isolate();
    breaker::collect_stats();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !info.payload().is::<Planned>() {
            usual(info);
        }
    }));
    let breaker = Breaker::new("soak", strategy, recover).unwrap();
    let seen = std::thread::scope(|scope| {
        let threads = [1, 2].map(|seed| {
            let breaker = &breaker;
            scope.spawn(move || work(breaker, Dice(seed)))
        });
        threads.map(|thread| thread.join().expect("no thread panics"))
    });
    let admitted: u64 = seen.iter().map(|seen| seen.admitted).sum();
    let rejected: u64 = seen.iter().map(|seen| seen.rejected).sum();
    let stats = breaker.stats();
    let finished = stats.successes + stats.failures + stats.ignored + stats.abandoned + stats.late;
    assert_eq!((stats.in_flight, finished, stats.rejected), (0, admitted, rejected), "{stats:?}");
    assert!(stats.late > 0 && stats.abandoned > 0 && stats.ignored > 0 && rejected > 0, "{stats:?}");
    comes_back(&breaker);
}

/// Whatever came before, good calls close it again.
fn comes_back(breaker: &dyn AnyBreaker) {
    breaker.force_open();
    breaker.force_close();
    for _ in 0..10_000 {
        if let Ok(permit) = breaker.acquire() {
            permit.failure();
        }
    }
    assert_ne!(breaker.status(), Status::Closed);
    for _ in 0..100 {
        test_util::advance(Duration::from_secs(60));
        for _ in 0..20 {
            if let Ok(permit) = breaker.acquire() {
                permit.success();
            }
        }
    }
    assert_eq!(breaker.status(), Status::Closed);
}

fn work<S: Strategy, R: Recover>(breaker: &Breaker<S, R>, mut dice: Dice) -> Seen {
    let mut seen = Seen::default();
    let mut held = Vec::new();
    for _ in 0..calls() {
        match dice.roll(1_000) {
            0..600 => {
                let good = dice.roll(3) > 0;
                count(&mut seen, &breaker.run(|| if black_box(good) { Ok(()) } else { Err(()) }));
            }
            600..700 => {
                let outcome = [Outcome::Success, Outcome::failure(), Outcome::Ignored, Outcome::Abandoned];
                let at = usize::try_from(dice.roll(4)).unwrap();
                match breaker.acquire() {
                    Ok(permit) => {
                        seen.admitted += 1;
                        permit.settle(outcome[at]);
                    }
                    Err(_) => seen.rejected += 1,
                }
            }
            700..800 => match breaker.acquire() {
                Ok(permit) => {
                    seen.admitted += 1;
                    held.push(permit);
                }
                Err(_) => seen.rejected += 1,
            },
            800..900 => {
                if !held.is_empty() {
                    let at = dice.roll(held.len() as u64);
                    drop(held.swap_remove(usize::try_from(at).unwrap()));
                }
            }
            900..950 => cancelled(breaker, &mut seen),
            950..952 => {
                let run = catch_unwind(AssertUnwindSafe(|| breaker.call(|| -> Result<(), ()> { panic_any(Planned) })));
                match run {
                    Err(_) => seen.admitted += 1,
                    Ok(called) => {
                        assert!(called.is_err(), "it panics or is rejected");
                        seen.rejected += 1;
                    }
                }
            }
            952..990 => test_util::advance(Duration::from_micros(dice.roll(5_000))),
            990..992 => breaker.force_open(),
            992..998 => breaker.force_close(),
            998 => breaker.override_open(Override::lasting(Duration::from_millis(1))),
            _ => breaker.override_closed(Override::lasting(Duration::from_millis(1))),
        }
        if held.len() > 16 {
            held.remove(0).success();
        }
    }
    seen
}

/// A future that is polled once and dropped.
fn cancelled<S: Strategy, R: Recover>(breaker: &Breaker<S, R>, seen: &mut Seen) {
    let mut call = pin!(breaker.run_async(std::future::pending::<Result<(), ()>>()));
    match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Pending => seen.admitted += 1,
        Poll::Ready(called) => count(seen, &called),
    }
}

fn count(seen: &mut Seen, called: &Result<(), Error<()>>) {
    match called {
        Err(Error::Rejected(_)) => seen.rejected += 1,
        _ => seen.admitted += 1,
    }
}

//! Sizes and allocations, by a counting allocator; a program of its own, since counting slows what is timed.
//!
//! `cargo run --release -p benches --bin memory`

use benches::{
    call::{Failed, err, finish, ok},
    report::facts::Memory,
};
use breaker::{BasicTimeout, Breaker, Count, FailureRate, Name, Strategy, Window};
use std::{alloc::System, future::ready, hint::black_box, iter::repeat, time::Duration};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const CALLS: u32 = 1_000;
const HOUR: Duration = Duration::from_hours(1);

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let _entered = runtime.enter();
    for row in ours().into_iter().chain(peers()).chain(async_peers()) {
        println!("{}", row.line());
    }
    let rejected = Memory { who: "Rejected".into(), size: size::<breaker::Rejected>(), ..Memory::default() };
    println!("{}", rejected.line());
    let permit = Memory { who: "Permit".into(), size: size::<breaker::Permit<'_>>(), ..Memory::default() };
    println!("{}", permit.line());
}

fn ours() -> Vec<Memory> {
    // Half of the calls fail: one of these two never opens then, the other at once.
    let steady = |window, calls| FailureRate { window, min_calls: calls, rate: 1.0, streak: 0, ..FailureRate::DEFAULT };
    let opening = |window| FailureRate { window, min_calls: 1, rate: 0.01, ..FailureRate::DEFAULT };
    let windows = [
        ("this library, Calls(100)", Window::Calls(100), 100),
        ("this library, Calls(10_000)", Window::Calls(10_000), 10_000),
        ("this library, Time(10s)", Window::Time(Duration::from_secs(10)), 20),
    ];
    let count = own(
        "this library, Count",
        Count { threshold: u32::MAX, ..Count::DEFAULT },
        Count { threshold: 1, ..Count::DEFAULT },
    );
    let windows = windows.map(|(who, window, calls)| own(who, steady(window, calls), opening(window)));
    [count].into_iter().chain(windows).collect()
}

fn own<S: Strategy>(who: &str, steady: S, opening: S) -> Memory {
    let name = Name::from_static("weighed");
    let make = |strategy: S| {
        let recover = BasicTimeout { reset_timeout: HOUR, ..BasicTimeout::DEFAULT };
        move || Breaker::new(name.clone(), strategy, recover).expect("it can work")
    };
    let (steady, opening) = (make.clone()(steady), make(opening));
    weigh(who, steady, opening, |breaker| breaker.run(ok), |breaker| breaker.run(err))
}

fn peers() -> Vec<Memory> {
    use failsafe::{CircuitBreaker as _, Config, failure_policy::consecutive_failures};
    let failsafe =
        |failures| move || Config::new().failure_policy(consecutive_failures(failures, repeat(HOUR))).build();
    let recloser = |calls, rate| {
        move || recloser::Recloser::custom().closed_len(calls).half_open_len(1).error_rate(rate).open_wait(HOUR).build()
    };
    let nobreak =
        |failures| move || nobreak::builder().with_failure_threshold(failures).with_open_duration(HOUR).build();
    let circuit_breaker = |failures| move || circuit_breaker::CircuitBreaker::new(failures, HOUR);
    let rs = |failures| {
        move || -> circuitbreaker_rs::CircuitBreaker<circuitbreaker_rs::DefaultPolicy, Failed> {
            let builder = circuitbreaker_rs::BreakerBuilder::new().failure_threshold(2.0);
            builder.consecutive_failures(failures).cooldown(HOUR).build()
        }
    };
    let machines = |failures| {
        move || {
            let builder = breaker_machines::CircuitBreaker::builder("weighed").failure_threshold(failures);
            builder.failure_window_secs(3_600.0).half_open_timeout_secs(3_600.0).build()
        }
    };
    vec![
        weigh("failsafe 1.3", failsafe(u32::MAX), failsafe(1), |breaker| breaker.call(ok), |breaker| breaker.call(err)),
        weigh(
            "recloser 1.4, 100",
            recloser(100, 2.0),
            recloser(1, 0.5),
            |breaker| breaker.call(ok),
            |breaker| breaker.call(err),
        ),
        weigh(
            "recloser 1.4, 10,000",
            recloser(10_000, 2.0),
            recloser(1, 0.5),
            |breaker| breaker.call(ok),
            |breaker| breaker.call(err),
        ),
        weigh("nobreak 0.1", nobreak(usize::MAX), nobreak(1), |breaker| breaker.call(ok), |breaker| breaker.call(err)),
        weigh(
            "circuit_breaker 0.1",
            circuit_breaker(u32::MAX),
            circuit_breaker(1),
            |breaker| breaker.execute(ok),
            |breaker| breaker.execute(err),
        ),
        weigh("circuitbreaker-rs 0.1", rs(u64::MAX), rs(1), |breaker| breaker.call(ok), |breaker| breaker.call(err)),
        weigh(
            "breaker-machines 0.17",
            machines(usize::MAX),
            machines(1),
            |breaker| breaker.call(ok),
            |breaker| breaker.call(err),
        ),
    ]
}

fn async_peers() -> Vec<Memory> {
    let other = |failures| {
        move || {
            let config = other_breaker::CircuitBreakerConfig::builder().consecutive_failures(failures);
            let config = config.failure_rate_threshold(0.0).backoff(other_breaker::BackoffStrategy::Fixed(HOUR));
            other_breaker::CircuitBreaker::new(config.build())
        }
    };
    let arcly = |failures| move || arcly_http_core::resilience::CircuitBreaker::new(failures, HOUR);
    let policy = |failures| {
        move || {
            let breaker = execution_policy::CircuitBreaker::consecutive_failures(failures).open_for(HOUR);
            execution_policy::ExecutionPolicyBuilder::<u64, Failed>::new().circuit_breaker(breaker).build()
        }
    };
    vec![
        weigh(
            "execution-policy 0.0.6",
            policy(u32::MAX),
            policy(1),
            |policy| finish(policy.run(async || ok())),
            |policy| finish(policy.run(async || err())),
        ),
        weigh(
            "breaker 2.0 (another project's)",
            other(u32::MAX),
            other(1),
            |breaker| finish(breaker.call(|| ready(ok()))),
            |breaker| finish(breaker.call(|| ready(err()))),
        ),
        weigh(
            "arcly-http 0.9",
            arcly(u32::MAX),
            arcly(1),
            |breaker| finish(breaker.execute(|| ready(ok()))),
            |breaker| finish(breaker.execute(|| ready(err()))),
        ),
    ]
}

/// Weighs one that never opens and one that opens on its first failure.
fn weigh<B, T>(
    who: &str,
    steady: impl Fn() -> B,
    opening: impl Fn() -> B,
    ok: impl Fn(&mut B) -> T,
    err: impl Fn(&mut B) -> T,
) -> Memory {
    let ok = |breaker: &mut B| drop(black_box(ok(breaker)));
    let err = |breaker: &mut B| drop(black_box(err(breaker)));
    // A success after each failure, so that no rate opens it.
    let both = |breaker: &mut B| {
        err(breaker);
        ok(breaker);
    };
    // What the library allocates once for the whole process is not a breaker's.
    let mut first = opening();
    ok(&mut first);
    err(&mut first);

    let region = Region::new(ALLOCATOR);
    let mut breaker = steady();
    for _ in 0..3 {
        ok(&mut breaker);
    }
    let heap = held(&region);
    let each = |call: &dyn Fn(&mut B), breaker: &mut B| {
        let region = Region::new(ALLOCATOR);
        for _ in 0..CALLS {
            call(breaker);
        }
        let change = region.change();
        number(change.allocations + change.reallocations) / f64::from(CALLS)
    };
    let (each_ok, each_err) = (each(&ok, &mut breaker), each(&both, &mut breaker));

    let mut breaker = opening();
    for _ in 0..3 {
        ok(&mut breaker);
    }
    let region = Region::new(ALLOCATOR);
    err(&mut breaker);
    let opened = held(&region);
    // One library opens a call later.
    err(&mut breaker);
    ok(&mut breaker);
    let rejected = each(&ok, &mut breaker);
    Memory { who: who.into(), size: size::<B>(), heap, opened, ok: each_ok, err: each_err, rejected }
}

fn held(region: &Region<'_, System>) -> f64 {
    let change = region.change();
    number(change.bytes_allocated) - number(change.bytes_deallocated)
}

fn size<T>() -> f64 {
    number(size_of::<T>())
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn number(count: usize) -> f64 {
    count as f64
}

//! The memory of each strategy that ships, alone: what two threads make of it at once is what some order of their calls
//! makes of it. (That each order makes the right thing of it is what the naive twins of the unit tests hold.)

use crate::support::{alone, check, check_with, race};
use breaker::{
    AnyOf, Burst, Call, Count, Era, FailureRate, Outcome, SlowCallRate, Strategy, Tally, Verdict, Window,
    test_util::{advance, rewind},
};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// What a thread does: a call of an era that fails, takes long or succeeds, an era that begins, some time that passes.
#[derive(Clone, Copy, Debug)]
enum Step {
    Fail(u32),
    Crawl(u32),
    Succeed(u32),
    Begin(u32),
    Wait(u64),
}

use Step::{Begin, Crawl, Fail, Succeed, Wait};

/// Whether each call opened, by thread, and what is remembered in the end.
#[derive(Clone, Debug, PartialEq)]
struct History {
    opened: [Vec<bool>; 2],
    tally: Tally,
}

fn take<S: Strategy>(strategy: &S, state: &S::State, step: Step) -> Option<bool> {
    let (era, call) = match step {
        Fail(era) => (era, Call::new(Outcome::failure()).took(Duration::ZERO)),
        Crawl(era) => (era, Call::new(Outcome::Success).took(Duration::from_secs(5))),
        Succeed(era) => (era, Call::new(Outcome::Success).took(Duration::ZERO)),
        Begin(era) => {
            strategy.begin(state, Era::new(era));
            return None;
        }
        Wait(millis) => {
            advance(Duration::from_millis(millis));
            return None;
        }
    };
    Some(strategy.record(state, Era::new(era), &call) != Verdict::Stay)
}

/// A memory in era 1, every part of which has been used.
fn used<S: Strategy>(strategy: &S) -> S::State {
    let state = S::NEW;
    for _ in 0..3 {
        take(strategy, &state, Fail(0));
    }
    strategy.begin(&state, Era::new(1));
    state
}

/// Which of two threads makes each step, in every way.
fn orders(a: usize, b: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..a + b {
        orders = orders.into_iter().flat_map(|order| [0, 1].map(|who| [order.as_slice(), &[who]].concat())).collect();
    }
    orders.retain(|order| order.iter().filter(|who| **who == 0).count() == a);
    orders
}

/// What the strategy makes of the steps in one order.
fn one_by_one<S: Strategy>(strategy: &S, before: &[Step], threads: [&[Step]; 2], order: &[usize]) -> History {
    let state = used(strategy);
    for step in before {
        take(strategy, &state, *step);
    }
    let mut left = threads.map(|steps| steps.iter());
    let mut opened = [Vec::new(), Vec::new()];
    for who in order {
        let step = left[*who].next().expect("as many as the order says");
        opened[*who].extend(take(strategy, &state, *step));
    }
    History { opened, tally: strategy.tally(&state) }
}

/// How alike a history must be to one that is made one by one.
#[derive(Clone, Copy)]
enum Alike {
    /// The same.
    Exactly,
    /// The same in the end; and a call opens where one does in every order, and none where none does in any.
    InTheEnd,
}

fn holds<S: Strategy>(alike: Alike, strategy: S, before: &'static [Step], a: &'static [Step], b: &'static [Step])
where
    S::State: 'static,
{
    check(every_run(alike, strategy, before, a, b));
}

/// [`holds`], with at most four preemptions: without a bound it would take minutes.
fn mostly_holds<S: Strategy>(alike: Alike, strategy: S, before: &'static [Step], a: &'static [Step], b: &'static [Step])
where
    S::State: 'static,
{
    check_with(4, every_run(alike, strategy, before, a, b));
}

fn every_run<S: Strategy>(
    alike: Alike,
    strategy: S,
    before: &'static [Step],
    a: &'static [Step],
    b: &'static [Step],
) -> impl Fn() + Send + Sync + 'static
where
    S::State: 'static,
{
    let expected = Arc::new(Mutex::new(Vec::new()));
    let one_by_ones = Arc::clone(&expected);
    // Its atomics are the checker's, even where it stands alone.
    alone(move || {
        let known = orders(a.len(), b.len()).into_iter().map(|order| {
            rewind();
            one_by_one(&strategy, before, [a, b], &order)
        });
        *one_by_ones.lock().expect("no panic") = known.collect();
    });
    move || {
        let expected = expected.lock().expect("no panic").clone();
        let state = Arc::new(used(&strategy));
        for step in before {
            take(&strategy, &state, *step);
        }
        let run = |steps: &'static [Step]| {
            let state = Arc::clone(&state);
            move || steps.iter().filter_map(|step| take(&strategy, &state, *step)).collect::<Vec<_>>()
        };
        let (first, second) = race(run(a), run(b));
        let history = History { opened: [first, second], tally: strategy.tally(&state) };
        match alike {
            Alike::Exactly => assert!(expected.contains(&history), "{history:?} is none of {expected:?}"),
            Alike::InTheEnd => {
                let opens = |history: &History| history.opened.iter().flatten().any(|opened| *opened);
                let ends = expected.iter().filter(|one| one.tally == history.tally);
                assert!(ends.count() > 0, "{history:?} ends as none of {expected:?}");
                let opening = expected.iter().filter(|one| opens(one)).count();
                assert!(opening > 0 || !opens(&history), "{history:?} opens, and none of {expected:?}");
                assert!(
                    opening < expected.len() || opens(&history),
                    "{history:?} does not open, as all of {expected:?}"
                );
            }
        }
    }
}

const TWO: Count = Count { threshold: 2, ..Count::DEFAULT };

#[test]
fn r19_a_streak_is_counted_in_some_order() {
    holds(Alike::Exactly, TWO, &[], &[Fail(1), Fail(1)], &[Fail(1), Succeed(1)]);
    holds(Alike::Exactly, TWO, &[Fail(1)], &[Succeed(1), Fail(1)], &[Fail(1)]);
}

#[test]
fn r24_a_streak_and_a_new_era() {
    holds(Alike::Exactly, TWO, &[Fail(1)], &[Fail(1), Succeed(1)], &[Begin(3), Fail(3)]);
    holds(Alike::Exactly, TWO, &[Fail(1)], &[Begin(5)], &[Begin(3), Fail(3)]);
}

const fn calls(window: u32) -> FailureRate {
    FailureRate { window: Window::Calls(window), min_calls: 2, rate: 0.6, streak: 0, ..FailureRate::DEFAULT }
}

#[test]
fn r20_a_window_of_calls_is_counted_in_some_order() {
    holds(Alike::Exactly, calls(2), &[], &[Fail(1)], &[Succeed(1), Fail(1)]);
    holds(Alike::Exactly, calls(3), &[Fail(1), Succeed(1)], &[Fail(1), Succeed(1)], &[Fail(1)]);
}

#[test]
fn r20_a_full_window_of_calls_lets_go_of_the_oldest() {
    holds(Alike::Exactly, calls(2), &[Fail(1), Succeed(1)], &[Fail(1)], &[Fail(1)]);
    holds(Alike::Exactly, calls(2), &[Succeed(1), Succeed(1)], &[Succeed(1), Fail(1)], &[Fail(1)]);
}

/// Full, with a failure, and at a place where a success just moves the head.
const MOVING: [Step; 6] = [Succeed(1), Succeed(1), Succeed(1), Succeed(1), Fail(1), Succeed(1)];

#[test]
fn r20_a_success_that_just_moves_the_head_is_counted_in_some_order() {
    let strategy = FailureRate { rate: 0.4, ..calls(5) };
    holds(Alike::Exactly, strategy, &MOVING, &[Succeed(1), Succeed(1)], &[Fail(1)]);
    holds(Alike::Exactly, strategy, &MOVING, &[Succeed(1)], &[Succeed(1), Fail(1)]);
    holds(Alike::Exactly, strategy, &MOVING, &[Succeed(1), Succeed(1)], &[Begin(3), Fail(3)]);
}

#[test]
fn r20_a_call_that_sleeps_for_a_whole_round_counts_in_some_order() {
    let strategy = FailureRate { rate: 1.0, ..calls(3) };
    // After it, the place and the count are as before, and what is oldest is not.
    const ROUND: [Step; 3] = [Fail(1), Succeed(1), Succeed(1)];
    mostly_holds(Alike::Exactly, strategy, &[Succeed(1), Succeed(1), Fail(1), Succeed(1)], &[Succeed(1)], &ROUND);
    mostly_holds(Alike::Exactly, strategy, &[Succeed(1), Succeed(1), Fail(1), Succeed(1)], &[Fail(1)], &ROUND);
}

#[test]
fn r20_a_window_of_one_call_is_counted_in_some_order() {
    let strategy = FailureRate { min_calls: 1, rate: 1.0, ..calls(1) };
    mostly_holds(Alike::Exactly, strategy, &[Fail(1)], &[Succeed(1), Fail(1)], &[Fail(1), Succeed(1)]);
    mostly_holds(Alike::Exactly, strategy, &[Fail(1)], &[Succeed(1)], &[Begin(3), Fail(3), Succeed(3)]);
}

#[test]
fn r24_a_window_of_calls_and_a_new_era() {
    holds(Alike::Exactly, calls(2), &[Fail(1)], &[Fail(1), Fail(1)], &[Begin(3), Fail(3)]);
    holds(Alike::Exactly, calls(2), &[Fail(1), Succeed(1)], &[Begin(5)], &[Begin(3), Fail(3)]);
}

#[test]
fn r20_a_streak_at_low_traffic_is_counted_in_some_order() {
    let strategy = FailureRate { min_calls: 3, streak: 2, ..calls(4) };
    holds(Alike::InTheEnd, strategy, &[], &[Fail(1)], &[Fail(1)]);
}

#[test]
fn r21_slow_calls_are_counted_in_some_order() {
    let strategy = SlowCallRate { window: Window::Calls(2), min_calls: 2, rate: 1.0, ..SlowCallRate::DEFAULT };
    holds(Alike::Exactly, strategy, &[], &[Crawl(1), Succeed(1)], &[Crawl(1)]);
}

/// Two buckets of a millisecond.
const MILLIS: FailureRate = FailureRate { window: Window::Time(Duration::from_millis(2)), ..calls(2) };

#[test]
fn r20_a_window_of_time_is_counted_in_some_order() {
    holds(Alike::InTheEnd, MILLIS, &[], &[Fail(1)], &[Fail(1)]);
    holds(Alike::InTheEnd, MILLIS, &[Fail(1)], &[Fail(1)], &[Succeed(1)]);
}

#[test]
fn r20_a_success_that_completes_the_volume_is_judged_by_somebody() {
    // Whichever comes second opens: the success that finds no failure marked was seen by the failure.
    let half = FailureRate { rate: 0.5, ..MILLIS };
    holds(Alike::InTheEnd, half, &[], &[Fail(1)], &[Succeed(1)]);
    mostly_holds(Alike::InTheEnd, half, &[], &[Fail(1)], &[Wait(1), Succeed(1)]);
    mostly_holds(Alike::InTheEnd, half, &[Fail(1)], &[Fail(3)], &[Begin(3), Succeed(3)]);
}

#[test]
fn r20_a_window_of_time_rolls_on_under_a_call() {
    mostly_holds(Alike::InTheEnd, MILLIS, &[Fail(1)], &[Fail(1)], &[Wait(1), Fail(1)]);
    // The one that was overtaken sees who overtook it, or the other way round: three failures open.
    mostly_holds(Alike::InTheEnd, FailureRate { min_calls: 3, ..MILLIS }, &[Fail(1)], &[Fail(1)], &[Wait(1), Fail(1)]);
    // Overtaken by more than the window, it counts for nobody.
    mostly_holds(Alike::InTheEnd, MILLIS, &[], &[Fail(1)], &[Wait(9), Fail(1)]);
}

#[test]
fn r24_a_window_of_time_and_a_new_era() {
    holds(Alike::InTheEnd, MILLIS, &[Fail(1)], &[Fail(1)], &[Begin(3), Fail(3)]);
    mostly_holds(Alike::InTheEnd, MILLIS, &[Fail(1)], &[Begin(5)], &[Begin(3), Fail(3)]);
}

const BURST: Burst = Burst { failures: 2, within: Duration::from_millis(5), ..Burst::DEFAULT };

#[test]
fn r22_a_burst_is_seen_by_somebody() {
    holds(Alike::InTheEnd, BURST, &[], &[Fail(1)], &[Fail(1)]);
    // Overtaken by more than the burst may last, it is part of none.
    holds(Alike::InTheEnd, BURST, &[], &[Fail(1)], &[Wait(9), Fail(1)]);
    holds(Alike::InTheEnd, Burst { failures: 3, ..BURST }, &[], &[Fail(1), Fail(1)], &[Fail(1)]);
}

#[test]
fn r22_a_failure_that_sleeps_for_a_whole_round_hides_no_later_one() {
    mostly_holds(Alike::InTheEnd, BURST, &[], &[Fail(1)], &[Fail(1), Wait(9), Fail(1), Fail(1)]);
}

#[test]
fn r24_a_burst_and_a_new_era() {
    holds(Alike::InTheEnd, BURST, &[Fail(1)], &[Fail(1)], &[Begin(3), Fail(3)]);
    holds(Alike::InTheEnd, BURST, &[Fail(1)], &[Begin(5), Fail(5)], &[Begin(3)]);
}

#[test]
fn r23_any_of_two_counts_in_both() {
    holds(
        Alike::InTheEnd,
        AnyOf(Count { threshold: 3, ..Count::DEFAULT }, calls(2)),
        &[Fail(1)],
        &[Fail(1)],
        &[Succeed(1)],
    );
}

//! Types and fns by every kind of path: with arguments, whose commas are their own, and by way of a trait.

use breaker::{Call, Classify, Era, Event, Outcome, Plan, Recover, Strategy, Trip, Verdict, breakers};
use std::{marker::PhantomData, time::Duration};

breakers! {
    with_arguments {
        classify: Two<u8, u16>,
        recover: self::Pace<1, 2> {} strategy: Count { threshold: four::<u8, u16>() }
        on_event: told::<u8, u16>, abandoned_after: lasting::<u8, u16>()
    }
    in_any_of { strategy: AnyOf(self::Never<u8, u8> { of: PhantomData }, Count {}) }
    by_trait { classify: <u8 as Named<u8, u16>>::Type, on_event: <u8 as Named<u8, u16>>::told }
}

struct Two<A, B>(PhantomData<(A, B)>);

impl<T, E> Classify<Result<T, E>> for Two<u8, u16> {
    fn classify(_: &Result<T, E>) -> Outcome {
        Outcome::Ignored
    }
}

#[derive(Clone, Copy, Debug)]
struct Pace<const A: u64, const B: u64> {}

impl<const A: u64, const B: u64> Recover for Pace<A, B> {
    fn plan(&self, _: &Trip) -> Plan {
        Plan::after(Duration::from_secs(A + B))
    }
}

#[derive(Clone, Copy)]
struct Never<A, B> {
    of: PhantomData<(A, B)>,
}

impl<A: Copy + Send + Sync + 'static, B: Copy + Send + Sync + 'static> Strategy for Never<A, B> {
    type State = ();
    const NEW: () = ();

    fn record(&self, (): &(), _: Era, _: &Call) -> Verdict {
        Verdict::Stay
    }

    fn begin(&self, (): &(), _: Era) {}
}

trait Named<A, B> {
    type Type;

    fn told(_: &Event) {}
}

impl Named<u8, u16> for u8 {
    type Type = Two<u8, u16>;
}

fn told<A, B>(_: &Event) {}

const fn four<A, B>() -> u32 {
    4
}

const fn lasting<A, B>() -> Duration {
    Duration::from_secs(7)
}

#[test]
fn arguments_are_read_with_the_path_that_they_belong_to() {
    let failing = || Err::<(), ()>(());
    for _ in 0..9 {
        let _ = (with_arguments().run(failing), by_trait().run(failing));
    }
    // Their `classify` ignores whatever happens.
    assert_eq!((with_arguments().status(), by_trait().status()), (breaker::Status::Closed, breaker::Status::Closed));
    for _ in 0..4 {
        with_arguments().acquire().expect("it is closed").failure();
    }
    assert_eq!(with_arguments().status(), breaker::Status::Open);
    for _ in 0..5 {
        let _ = in_any_of().run(failing);
    }
    assert_eq!(in_any_of().status(), breaker::Status::Open);
}

breakers! {
    by_path { strategy: breaker::Count { threshold: 2, ..breaker::Count::DEFAULT } }
    with_rest { strategy: Count { threshold: 2, ..Count::DEFAULT } }
    of_the_same_name { recover: self::Backoff { after: 3s } }
}

/// A name of the library's, and none of its checks.
#[derive(Clone, Copy, Debug)]
struct Backoff {
    after: Duration,
}

impl Recover for Backoff {
    fn plan(&self, _: &Trip) -> Plan {
        Plan::after(self.after)
    }
}

#[test]
fn the_librarys_own_may_be_named_by_a_path() {
    for breaker in [by_path().name(), with_rest().name()] {
        let breaker = breaker::get(&breaker).expect("it is declared");
        for _ in 0..2 {
            breaker.acquire().expect("it is closed").failure();
        }
        assert_eq!(breaker.status(), breaker::Status::Open);
    }
    assert_eq!(of_the_same_name().status(), breaker::Status::Closed);
}

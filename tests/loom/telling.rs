//! What is told, once and in order, whoever wins. Observers are the process's, and none of the checker's business.

use crate::support::{Effort, closed, permit, race, run};
use breaker::{Event, Observation, observe, test_util::isolate};
use std::sync::{Arc, Mutex};

/// The eras of the transitions of one breaker, as told.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<u64>>>);

impl Told {
    fn of(name: &'static str) -> (Self, Observation) {
        let told = Self::default();
        let to = told.clone();
        let observation = observe(move |event| {
            if let Event::Transition { breaker, era, .. } = event
                && *breaker == name
            {
                to.0.lock().expect("no panic").push(*era);
            }
        });
        (told, observation)
    }

    fn take(&self) -> Vec<u64> {
        std::mem::take(&mut self.0.lock().expect("no panic"))
    }
}

/// Listens to `name` while nobody else's model runs: whether anybody listens is the process's, and changes paths.
fn check_told(name: &'static str, model: impl Fn(&Told) + Send + Sync + 'static) {
    let _alone = isolate();
    let (told, _observation) = Told::of(name);
    run(Effort::Locks, move || model(&told));
}

fn two_trips_at_once_tell_once(told: &Told) {
    let breaker = closed("tell once");
    let (a, b) = (permit(&breaker), permit(&breaker));
    let era = breaker.snapshot().era;
    told.take();
    race(move || a.failure(), move || b.failure());
    assert_eq!(told.take(), [era + 1]);
}

fn a_trip_and_a_command_are_told_in_order(told: &Told) {
    let breaker = closed("in order");
    let (a, other) = (permit(&breaker), Arc::clone(&breaker));
    let era = breaker.snapshot().era;
    told.take();
    race(move || a.failure(), move || other.force_open());
    let last = breaker.snapshot().era;
    assert_eq!(told.take(), (era + 1..=last).collect::<Vec<_>>());
}

#[test]
fn r33_two_trips_at_once_tell_once() {
    check_told("tell once", two_trips_at_once_tell_once);
}

#[test]
fn r33_a_trip_and_a_command_are_told_in_order() {
    check_told("in order", a_trip_and_a_command_are_told_in_order);
}

//! What nothing that does the job can be faster than.

use crate::{
    call::{Failed, Outcome, err, finish, ok},
    case::{Case, Who},
    runner::Row,
};
use breaker::Error;
use std::{
    hint::black_box,
    sync::{
        Mutex, PoisonError,
        atomic::{
            AtomicU64,
            Ordering::{Acquire, Relaxed},
        },
    },
};

/// The call alone.
pub const BARE: Who = Who::Floor("the call alone");
/// One acquire load before it.
pub const LOAD: Who = Who::Floor("1 acquire load");
/// One before it and one after it: what a breaker that looks and then looks again must pay.
pub const TWO_LOADS: Who = Who::Floor("2 acquire loads");
/// The call alone, giving what a guarded one gives: an error that may be a rejection is wider than the call's own.
pub const BARE_OURS: Who = Who::Floor("the call alone, our result");
/// [`TWO_LOADS`] around such a call.
pub const TWO_LOADS_OURS: Who = Who::Floor("2 acquire loads, our result");
/// One before it, a `fetch_add` after it.
pub const LOAD_AND_ADD: Who = Who::Floor("load + fetch_add");
/// A lock before it and after it.
pub const TWO_LOCKS: Who = Who::Floor("2 mutex locks");

/// What a word that is looked at must be.
const CLOSED: u64 = 0;

/// All floors.
pub fn rows() -> Vec<Row> {
    static WORD: AtomicU64 = AtomicU64::new(CLOSED);
    static OTHER: AtomicU64 = AtomicU64::new(CLOSED);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    static SHARED: AtomicU64 = AtomicU64::new(0);
    static LOCKED: Mutex<u64> = Mutex::new(0);

    // The addresses are not told to the optimiser, which would see that nobody writes.
    let word = black_box(&WORD);
    let other = black_box(&OTHER);
    let two_loads = move || {
        if word.load(Acquire) != CLOSED {
            return 0;
        }
        let number = ok().unwrap_or(0);
        if other.load(Acquire) == CLOSED { number } else { 0 }
    };
    let two_loads_ours = move || {
        if word.load(Acquire) != CLOSED {
            return Err(Error::Inner(Failed));
        }
        let result = ok().map_err(Error::Inner);
        if other.load(Acquire) == CLOSED { result } else { Err(Error::Inner(Failed)) }
    };
    let lock_twice = || {
        *LOCKED.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        let result = ok();
        *LOCKED.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        result
    };
    vec![
        Row::calls(BARE, Case::Ok, ok),
        Row::calls(BARE, Case::OkAsync, || finish(async { ok() })),
        Row::calls(BARE, Case::Err, err),
        Row::calls(LOAD, Case::Ok, move || if word.load(Acquire) == CLOSED { ok() } else { Ok(0) }),
        Row::calls(TWO_LOADS, Case::Ok, two_loads),
        Row::calls(BARE_OURS, Case::Ok, || ok().map_err(Error::<Failed>::Inner)),
        Row::calls(BARE_OURS, Case::OkAsync, || finish(async { ok().map_err(Error::<Failed>::Inner) })),
        Row::calls(TWO_LOADS_OURS, Case::Ok, two_loads_ours),
        Row::threads(TWO_LOADS, Case::OkThreads, move |_| two_loads),
        Row::calls(LOAD_AND_ADD, Case::Ok, load_and_add(word, &COUNT, ok)),
        Row::calls(LOAD_AND_ADD, Case::Err, load_and_add(word, &COUNT, err)),
        Row::threads(LOAD_AND_ADD, Case::OkThreads, move |_| load_and_add(word, &SHARED, ok)),
        Row::calls(TWO_LOCKS, Case::Ok, lock_twice),
        Row::threads(TWO_LOCKS, Case::OkThreads, move |_| lock_twice),
    ]
}

fn load_and_add<C: Fn() -> Outcome>(
    word: &'static AtomicU64,
    count: &'static AtomicU64,
    call: C,
) -> impl FnMut() -> Outcome + use<C> {
    move || {
        if word.load(Acquire) != CLOSED {
            return Ok(0);
        }
        let result = call();
        count.fetch_add(1, Relaxed);
        result
    }
}

//! The body runs as it was written, and every way out of it is judged once.

use crate::support::{Fail, Pause, block_on, counts};
use breaker::{Error, Rejected, breakers, circuit_breaker, collect_stats};
use std::{
    cell::{Cell, RefCell},
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

breakers! {
    exits { strategy: Count { threshold: 50 } }
    panics { strategy: Count { threshold: 50 } }
    unpolled {}
    plain {}
    first { strategy: Count { threshold: 50 } }
    second { strategy: Count { threshold: 50 } }
}

#[circuit_breaker(exits)]
async fn exit(way: u8) -> Result<u8, Fail> {
    if way == 0 {
        return Ok(0);
    }
    if way == 1 {
        return Err(Fail::Other);
    }
    let parsed: u8 = if way == 2 { "x" } else { "3" }.parse().map_err(|_| Fail::Other)?;
    Ok(parsed)
}

#[test]
fn every_exit_is_judged_once() {
    collect_stats();
    let results: Vec<_> = (0..4).map(|way| block_on(exit(way))).collect();
    assert_eq!(results, [Ok(0), Err(Fail::Other), Err(Fail::Other), Ok(3)]);
    assert_eq!((counts(&exits().stats()), exits().stats().in_flight), ((2, 2, 0), 0));
}

#[circuit_breaker(panics)]
async fn panic_later() -> Result<u8, Rejected> {
    Pause::default().await;
    panic!("later")
}

#[circuit_breaker(panics)]
fn panic_now() -> Result<u8, Rejected> {
    panic!("now")
}

#[test]
fn a_panic_counts_and_goes_on_with_its_payload() {
    collect_stats();
    let payload = catch_unwind(AssertUnwindSafe(|| block_on(panic_later()))).expect_err("it panics");
    assert_eq!(payload.downcast_ref(), Some(&"later"));
    let payload = catch_unwind(panic_now).expect_err("it panics");
    assert_eq!(payload.downcast_ref(), Some(&"now"));
    assert_eq!((counts(&panics().stats()), panics().stats().in_flight), ((0, 2, 0), 0));
}

#[circuit_breaker(unpolled)]
async fn holds(_: Rc<()>) -> Result<(), Rejected> {
    Ok(())
}

#[test]
fn nothing_is_asked_before_the_first_poll() {
    collect_stats();
    let held = Rc::new(());
    let call = holds(Rc::clone(&held));
    assert_eq!((Rc::strong_count(&held), unpolled().stats().in_flight), (2, 0));
    drop(call);
    let stats = unpolled().stats();
    assert_eq!((Rc::strong_count(&held), counts(&stats), stats.abandoned), (1, (0, 0, 0), 0));
}

/// The body's own names may be those of the signature's types, or of anything the expansion uses.
#[circuit_breaker(plain)]
fn shadows() -> Result<u8, Fail> {
    #[derive(Debug)]
    struct Fail;
    let (guard, breaker, result) = (1, 2, 3);
    let text = format!("{Fail:?}");
    Ok(guard + breaker + result + u8::try_from(text.len()).unwrap_or(0))
}

/// Labels, closures and blocks that return on their own account.
#[circuit_breaker(plain)]
async fn nested(limit: u32) -> Result<u32, Fail> {
    const STEP: u32 = 2;
    fn early(n: u32) -> u32 {
        if n > 3 {
            return n;
        }
        n + 1
    }
    let add = |n: u32| n.checked_add(STEP);
    let inner = async {
        if limit == 0 {
            return 0;
        }
        Pause::default().await;
        1
    };
    let found = 'search: loop {
        for n in 0.. {
            if n * n >= limit {
                break 'search n;
            }
        }
    };
    Ok(early(add(found).ok_or(Fail::Other)?) + inner.await)
}

#[circuit_breaker(plain)]
async fn unsized_value(n: u8) -> Result<Box<dyn Debug>, Rejected> {
    if n == 0 {
        return Ok(Box::new("none"));
    }
    Ok(Box::new(n))
}

/// The guard in the tail dies before the cell does.
#[circuit_breaker(plain)]
fn tail() -> Result<u8, Rejected> {
    let cell = RefCell::new(7);
    Ok(*cell.borrow())
}

#[test]
fn a_body_means_what_it_meant() {
    assert_eq!((shadows(), block_on(nested(16))), (Ok(10), Ok(7)));
    assert_eq!(block_on(unsized_value(0)).map(|value| format!("{value:?}")), Ok("\"none\"".into()));
    assert_eq!(tail(), Ok(7));
}

#[circuit_breaker(first)]
#[circuit_breaker(second)]
async fn twice(ok: bool) -> Result<u8, Error<u8>> {
    if ok { Ok(1) } else { Err(Error::Inner(2)) }
}

#[test]
fn two_breakers_on_one_fn_both_count() {
    collect_stats();
    assert_eq!(block_on(twice(true)), Ok(1));
    assert_eq!(block_on(twice(false)), Err(Error::Inner(2)));
    assert_eq!((counts(&first().stats()), counts(&second().stats())), ((1, 1, 0), (1, 1, 0)));
    second().force_open();
    assert!(matches!(block_on(twice(true)), Err(Error::Rejected(rejected)) if &*rejected.breaker == "second"));
}

fn sends<F: Future + Send>(future: F) -> F {
    future
}

#[circuit_breaker(plain)]
async fn sendable(text: String, cell: Cell<u8>) -> Result<usize, Rejected> {
    {
        let local = Rc::new(1);
        drop(local);
    }
    Pause::default().await;
    Ok(text.len() + usize::from(cell.get()))
}

/// What it gives is not `Send`, the future is.
#[circuit_breaker(plain, fallback = |error| { Pause::default().await; Err(error) })]
async fn gives_unsendable() -> Result<Rc<u8>, Rejected> {
    Ok(Rc::new(1))
}

#[circuit_breaker(plain)]
async fn unsendable(rc: Rc<u8>) -> Result<u8, Rejected> {
    Pause::default().await;
    Ok(*rc)
}

#[test]
fn send_stays_what_it_was() {
    assert_eq!(block_on(sends(sendable("ab".into(), Cell::new(1)))), Ok(3));
    assert_eq!(block_on(sends(gives_unsendable())), Ok(Rc::new(1)));
    assert_eq!(block_on(unsendable(Rc::new(2))), Ok(2));
}

async fn unguarded(buffer: [u8; 1024]) -> Result<u8, Rejected> {
    Pause::default().await;
    Ok(buffer[7])
}

#[circuit_breaker(plain)]
async fn guarded(buffer: [u8; 1024]) -> Result<u8, Rejected> {
    Pause::default().await;
    Ok(buffer[7])
}

#[circuit_breaker(plain, on_open = Ok(1))]
async fn with_on_open(buffer: [u8; 1024]) -> Result<u8, Rejected> {
    Pause::default().await;
    Ok(buffer[7])
}

#[test]
fn the_future_grows_by_the_permit_only() {
    let plain = size_of_val(&unguarded([0; 1024]));
    assert!(size_of_val(&guarded([0; 1024])) <= plain + 160);
    assert!(size_of_val(&with_on_open([0; 1024])) <= plain + 256);
}

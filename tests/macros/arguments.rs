//! Arguments bind, borrow and drop as they do without the attribute.

use crate::support::{Pause, block_on};
use breaker::{Rejected, breakers, circuit_breaker};
use std::{cell::RefCell, fmt};

breakers! {
    plain {}
    payments {}
}

thread_local! {
    static LOG: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

struct Noted(&'static str);

impl Drop for Noted {
    fn drop(&mut self) {
        LOG.with_borrow_mut(|log| log.push(self.0));
    }
}

impl fmt::Display for Noted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The same fn with and without the attribute, sync and async.
macro_rules! both {
    ($plain:ident, $guarded:ident, ($($args:tt)*) $body:block) => {
        async fn $plain($($args)*) -> Result<(), Rejected> $body
        #[circuit_breaker(plain)]
        async fn $guarded($($args)*) -> Result<(), Rejected> $body
        mod $plain {
            use super::{Noted, Rejected, circuit_breaker, plain};
            #[circuit_breaker(plain)]
            pub(super) fn now($($args)*) -> Result<(), Rejected> $body
        }
    };
}

both!(unguarded, guarded, (_: Noted, a: Noted, _: Noted, (b, _, c): (Noted, Noted, Noted), mut d: Noted, _e: Noted) {
    d.0 = "changed";
    let _local = Noted("local");
    // In another order than they were declared in, and one in a format string only.
    assert_eq!(format!("{}{}{a}{}", c.0, b.0, d.0), "cba changed".replace(' ', ""));
    Ok(())
});

#[test]
fn arguments_drop_in_reverse_order_of_declaration() {
    let noted = || {
        let bc = (Noted("b"), Noted("unbound"), Noted("c"));
        (Noted("0"), Noted("a"), Noted("1"), bc, Noted("d"), Noted("e"))
    };
    let (zero, a, one, bc, d, e) = noted();
    block_on(unguarded(zero, a, one, bc, d, e)).expect("it is closed");
    let without = LOG.take();
    // What a pattern leaves unbound stays with the fn itself, and is not in question here.
    let of = |log: Vec<&'static str>| log.into_iter().filter(|name| *name != "unbound").collect::<Vec<_>>();
    let (zero, a, one, bc, d, e) = noted();
    block_on(guarded(zero, a, one, bc, d, e)).expect("it is closed");
    assert_eq!(of(LOG.take()), of(without.clone()));
    let (zero, a, one, bc, d, e) = noted();
    unguarded::now(zero, a, one, bc, d, e).expect("it is closed");
    assert_eq!(of(LOG.take()), of(without));
}

struct Point {
    x: u32,
    y: u32,
}

#[circuit_breaker(plain)]
async fn patterns(
    Point { x, y: other }: Point,
    [first, .., last]: [u32; 3],
    &n: &u32,
    ref text: String,
    whole @ (left, _): (u32, u32),
) -> Result<u32, Rejected> {
    Pause::default().await;
    Ok(x + other + first + last + n + u32::try_from(text.len()).unwrap_or(0) + whole.1 + left)
}

#[circuit_breaker(plain)]
fn configured(
    #[cfg(any())] gone: NoSuchType,
    #[cfg(not(any()))] kept: u32,
    #[cfg(any())] (a, b): (u8, NoSuchType),
) -> Result<u32, Rejected> {
    #[cfg(any())]
    drop((gone, a, b));
    Ok(kept)
}

/// The accessor is meant, not the argument; and names that an expansion might use are the user's.
#[circuit_breaker(payments)]
fn named_alike(payments: u32, guard: u32, __breaker_site: u32, r#type: u32) -> Result<u32, Rejected> {
    Ok(payments + guard + __breaker_site + r#type)
}

#[circuit_breaker(plain)]
fn reborrowed<'a>(v: &'a mut Vec<u8>, _other: &str) -> Result<&'a mut u8, Rejected> {
    v.push(1);
    Ok(&mut v[0])
}

#[test]
fn arguments_bind_what_they_bound() {
    let sum = patterns(Point { x: 1, y: 2 }, [3, 0, 4], &5, "six".into(), (7, 8));
    assert_eq!(block_on(sum), Ok(1 + 2 + 3 + 4 + 5 + 3 + 8 + 7));
    assert_eq!((configured(2), named_alike(1, 2, 3, 4)), (Ok(2), Ok(10)));
    assert_eq!(reborrowed(&mut vec![9], ""), Ok(&mut 9));
    let higher: for<'a, 'b> fn(&'a mut Vec<u8>, &'b str) -> Result<&'a mut u8, Rejected> = reborrowed;
    assert!(higher(&mut Vec::new(), "").is_ok());
    assert!(self::payments().stats().in_flight == 0);
}

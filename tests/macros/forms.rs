//! Every kind of fn.

use crate::support::{Fail, Pause, block_on, counts};
use breaker::{Outcome, Rejected, breakers, circuit_breaker, collect_stats};
use std::{fmt::Debug, pin::Pin, rc::Rc, sync::Arc};

breakers! {
    plain {}
    lazy { strategy: Count { threshold: 50 } }
    foreign { strategy: Count { threshold: 2 } }
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Till {
    n: u32,
}

impl Till {
    #[circuit_breaker(plain)]
    async fn by_ref(&self) -> Result<&u32, Rejected> {
        Pause::default().await;
        Ok(&self.n)
    }

    #[circuit_breaker(plain)]
    async fn by_mut(&mut self) -> Result<u32, Rejected> {
        self.n += 1;
        Ok(self.n)
    }

    #[circuit_breaker(plain)]
    fn by_value(mut self) -> Result<Self, Rejected> {
        self.n += 1;
        Ok(self)
    }

    #[circuit_breaker(plain)]
    async fn by_arc(self: Arc<Self>) -> Result<u32, Rejected> {
        Ok(self.n)
    }

    #[circuit_breaker(plain)]
    fn by_rc(mut self: Rc<Self>) -> Result<u32, Rejected> {
        Rc::make_mut(&mut self).n = 3;
        Ok(self.n)
    }

    #[circuit_breaker(plain)]
    async fn by_pin(mut self: Pin<&mut Self>) -> Result<u32, Rejected> {
        self.n += 1;
        Ok(self.n)
    }

    #[circuit_breaker(plain)]
    fn associated(n: u32) -> Result<Self, Rejected> {
        Ok(Self { n })
    }

    #[circuit_breaker(plain)]
    fn each(&self) -> Result<impl Iterator<Item = u32> + '_, Rejected> {
        Ok(std::iter::once(self.n))
    }
}

#[test]
fn every_receiver() {
    let mut till = Till { n: 1 };
    assert_eq!(block_on(till.by_ref()), Ok(&1));
    assert_eq!(block_on(till.by_mut()), Ok(2));
    assert_eq!(till.clone().by_value(), Ok(Till { n: 3 }));
    assert_eq!(block_on(Arc::new(till.clone()).by_arc()), Ok(2));
    assert_eq!(Rc::new(till.clone()).by_rc(), Ok(3));
    assert_eq!(block_on(Pin::new(&mut till).by_pin()), Ok(3));
    assert_eq!(Till::associated(4), Ok(Till { n: 4 }));
    assert_eq!(till.each().map(Iterator::sum::<u32>), Ok(3));
}

#[circuit_breaker(plain)]
async fn generic<T, const N: usize>(all: [T; N], _f: impl Fn(&T) -> u8) -> Result<String, Rejected>
where
    T: Debug + Clone,
{
    Ok(format!("{all:?} {N}"))
}

#[circuit_breaker(plain)]
fn longest<'a, 'b: 'a>(a: &'a str, b: &'b str) -> Result<&'a str, Rejected> {
    Ok(if a.len() > b.len() { a } else { b })
}

#[circuit_breaker(plain)]
fn ranked(f: impl for<'x> Fn(&'x str) -> &'x str) -> Result<usize, Rejected> {
    Ok(f("abc").len())
}

#[circuit_breaker(plain)]
async fn recursive(n: u32) -> Result<u32, Rejected> {
    if n == 0 {
        return Ok(0);
    }
    Ok(n + Box::pin(recursive(n - 1)).await?)
}

#[circuit_breaker(foreign, on_open = -1, classify = |n| if *n == 0 { Outcome::failure() } else { Outcome::Success })]
extern "C" fn cents(n: i32) -> i32 {
    n
}

#[test]
fn generics_lifetimes_recursion_and_foreign_callers() {
    assert_eq!(block_on(generic([1, 2], |_| 0)), Ok("[1, 2] 2".into()));
    assert_eq!((longest("ab", "c"), ranked(|text| &text[1..])), (Ok("ab"), Ok(2)));
    assert_eq!(block_on(recursive(4)), Ok(10));
    let called: extern "C" fn(i32) -> i32 = cents;
    assert_eq!([called(0), called(3), called(0), called(0), called(3)], [0, 3, 0, 0, -1]);
}

#[circuit_breaker(lazy)]
fn boxed<'a>(text: &'a str) -> Pin<Box<dyn Future<Output = Result<usize, Fail>> + Send + 'a>> {
    if text.is_empty() {
        return Box::pin(async { Err(Fail::Other) });
    }
    Box::pin(async move { Ok(text.len()) })
}

#[circuit_breaker(lazy, on_open = Ok(n * 2))]
fn unnamed(n: usize) -> impl Future<Output = Result<usize, Fail>> + Send {
    async move {
        Pause::default().await;
        Ok(n)
    }
}

#[circuit_breaker(lazy, fallback = |error| if error == Fail::Other { Ok(n) } else { Err(error) })]
fn falls_back(n: usize) -> impl Future<Output = Result<usize, Fail>> {
    std::future::ready(Err(Fail::Other))
}

#[test]
fn a_returned_future_is_guarded_from_its_first_poll() {
    collect_stats();
    drop((boxed("ab"), unnamed(1)));
    assert_eq!(counts(&lazy().stats()), (0, 0, 0));
    assert_eq!((block_on(boxed("ab")), block_on(boxed(""))), (Ok(2), Err(Fail::Other)));
    assert_eq!((block_on(unnamed(3)), block_on(falls_back(4))), (Ok(3), Ok(4)));
    assert_eq!(counts(&lazy().stats()), (2, 2, 0));
    let (a, b) = (boxed("ab"), unnamed(3));
    lazy().force_open();
    assert_eq!((block_on(a), block_on(b)), (Err(Fail::Open), Ok(6)));
}

macro_rules! service {
    ($name:ident, $path:path, $arg:ident: $ty:ty, $ret:ty, $open:expr, $after:literal, $body:block) => {
        #[circuit_breaker($path, on_open = $open, timeout = $after)]
        async fn $name($arg: $ty) -> $ret $body
    };
}

service!(made, plain, n: u32, Result<u32, Fail>, Ok(n + u32::from(rejected.to_string().is_empty())), 2s, { Ok(1) });

#[test]
fn a_fn_made_by_a_macro_is_a_fn() {
    assert_eq!(crate::support::on_paused_clock(made(3)), Ok(1));
}

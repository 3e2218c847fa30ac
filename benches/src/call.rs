//! The call that everything here is measured on, and how its result is looked at.

use std::{
    fmt,
    future::Future,
    hint::black_box,
    pin::pin,
    task::{Context, Poll, Waker},
};

/// The error of every call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed")
    }
}

impl std::error::Error for Failed {}

/// What a guarded body returns.
pub type Outcome = Result<u64, Failed>;

/// Which of the two it is hangs on one opaque number: neither is folded away, and no result of sixteen bytes goes
/// through memory, which alone would cost more than what is measured.
#[inline]
fn given(number: u64) -> Outcome {
    match black_box(number) {
        0 => Err(Failed),
        number => Ok(number),
    }
}

/// A call that succeeds.
#[inline]
pub fn ok() -> Outcome {
    given(1)
}

/// A call that fails.
#[inline]
pub fn err() -> Outcome {
    given(0)
}

/// One of a hundred calls fails, the last.
#[derive(Debug, Default)]
pub struct Mixed(u8);

impl Mixed {
    /// The next call.
    #[inline]
    pub fn call(&mut self) -> Outcome {
        self.0 = if self.0 == 99 { 0 } else { self.0 + 1 };
        given(u64::from(self.0 != 0))
    }
}

/// Looks at what came back where it lies: to move a result of 60 bytes would cost more than what is measured.
pub trait Digest {
    /// A number that depends on it.
    fn digest(&self) -> u64;
}

impl Digest for u64 {
    #[inline]
    fn digest(&self) -> u64 {
        *self
    }
}

impl<T: Digest, E> Digest for Result<T, E> {
    #[inline]
    fn digest(&self) -> u64 {
        match self {
            Ok(value) => value.digest(),
            Err(_) => 7,
        }
    }
}

/// Runs a future that is ready at its first poll or soon after.
#[inline]
pub fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

//! Methods of traits, native and rewritten by another macro.

use crate::support::{Fail, block_on, counts};
use breaker::{Error, breakers, circuit_breaker, collect_stats};

breakers! {
    native { strategy: Count { threshold: 50 } }
    rewritten { strategy: Count { threshold: 50 } }
    attributes {}
}

trait Native {
    async fn pay(&self, n: u8) -> Result<u8, Error<u8>>;

    #[circuit_breaker(native)]
    async fn twice(&self, n: u8) -> Result<u8, Error<u8>> {
        Ok(self.pay(n).await? + self.pay(n).await?)
    }

    #[circuit_breaker(native)]
    fn unnamed(&self, n: u8) -> impl Future<Output = Result<u8, Error<u8>>> {
        async move { if n == 0 { Err(Error::Inner(n)) } else { Ok(n) } }
    }

    #[circuit_breaker(native)]
    fn own(self) -> Result<Self, Error<u8>>
    where
        Self: Sized,
    {
        Ok(self)
    }
}

struct Till(u8);

impl Native for Till {
    #[circuit_breaker(native)]
    async fn pay(&self, n: u8) -> Result<u8, Error<u8>> {
        Ok(self.0 + n)
    }
}

#[test]
fn native_methods() {
    collect_stats();
    assert_eq!(block_on(Till(1).twice(2)), Ok(6));
    assert_eq!((block_on(Till(1).unnamed(3)), block_on(Till(1).unnamed(0))), (Ok(3), Err(Error::Inner(0))));
    assert!(Till(1).own().is_ok());
    assert_eq!(counts(&native().stats()), (5, 1, 0));
}

#[async_trait::async_trait]
trait Rewritten {
    #[circuit_breaker(rewritten)]
    async fn pay(&mut self, n: u64, _: String) -> Result<u64, Fail> {
        if n == 0 {
            return Err(Fail::Other);
        }
        Ok(n + rewritten().stats().in_flight)
    }

    async fn other(&self, n: u64) -> Result<u64, Fail>;
}

struct Desk(u8);

#[async_trait::async_trait]
impl Rewritten for Desk {
    #[circuit_breaker(rewritten, on_open = Ok(u64::from(self.0) + n), fallback = |error| {
        std::future::ready(()).await;
        if error == Fail::Other { Ok(7) } else { Err(error) }
    })]
    async fn other(&self, n: u64) -> Result<u64, Fail> {
        if n == 0 { Err(Fail::Other) } else { Ok(n) }
    }
}

#[test]
fn methods_under_async_trait_are_guarded_when_polled() {
    collect_stats();
    let mut till = Desk(1);
    drop(till.pay(1, String::new()));
    assert_eq!(counts(&rewritten().stats()), (0, 0, 0));
    assert_eq!(block_on(till.pay(1, String::new())), Ok(2));
    assert_eq!(block_on(till.pay(0, String::new())), Err(Fail::Other));
    assert_eq!((block_on(till.other(3)), block_on(till.other(0))), (Ok(3), Ok(7)));
    assert_eq!(counts(&rewritten().stats()), (2, 2, 0));
    rewritten().force_open();
    assert_eq!(block_on(till.other(3)), Ok(4));
}

#[circuit_breaker(attributes)]
#[tokio::test]
async fn above_another_attribute() -> Result<(), Error<u8>> {
    tokio::task::yield_now().await;
    Ok(())
}

#[tokio::test]
#[circuit_breaker(attributes)]
async fn below_another_attribute() -> Result<(), Error<u8>> {
    tokio::task::yield_now().await;
    Ok(())
}

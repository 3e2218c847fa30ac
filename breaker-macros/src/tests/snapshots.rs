//! What the macros write, as formatted Rust, in `snapshots/`. `UPDATE_EXPECT=1 cargo test -p breaker-macros` rewrites them.

use super::tokens;
use crate::{breakers::declare, classify::derive, guard::attribute};
use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;

#[expect(clippy::needless_pass_by_value, reason = "an expectation is made on the spot")]
fn shows(expansion: TokenStream, expected: ExpectFile) {
    let file = syn::parse2(expansion).expect("an expansion is Rust");
    expected.assert_eq(&prettyplease::unparse(&file));
}

fn guarded(args: &str, item: &str, expected: ExpectFile) {
    shows(attribute(tokens(args), tokens(item)), expected);
}

#[test]
fn an_entry() {
    let text = "/// The card processor.
        pub payments {
            strategy: Count { threshold: 5 },
            recover: BasicTimeout { reset_timeout: 30s },
            classify: PayError,
            abandoned_after: 0.5s,
            on_event: told,
        }";
    shows(declare(tokens(text)), expect_file!["../../snapshots/entry.rs"]);
}

#[test]
fn an_entry_with_own_types() {
    let text = "crate = ::fuse;
        search {
            strategy: AnyOf(FailureRate { window: Calls(100), rate: RATE }, self::Mine { every: 1_500ms }),
            recover: own::Pace { wait: 3s, ..own::Pace::DEFAULT },
        }";
    shows(declare(tokens(text)), expect_file!["../../snapshots/entry_own.rs"]);
}

#[test]
fn an_async_fn() {
    let item =
        "async fn charge(order: Order, _: Token) -> Result<Receipt, PayError> { client(_token).charge(order).await }";
    guarded("payments", item, expect_file!["../../snapshots/async_fn.rs"]);
}

#[test]
fn a_plain_fn() {
    let item = "pub fn rows(&mut self, #[cfg(unix)] (a, mut b): (u8, u8)) -> Result<impl Iterator<Item = u8> + '_, E> {
        #![allow(unused)]
        Ok(self.all(a, b))
    }";
    guarded("crate::payments, probe = never, classify = judge", item, expect_file!["../../snapshots/plain_fn.rs"]);
}

#[test]
fn an_async_fn_with_every_option() {
    let item = "async fn charge(order: Order) -> Result<Receipt, PayError> { client().charge(order).await }";
    let args = "payments, on_open = cached(rejected), fallback = |e| later(e).await, timeout = 2s, crate = fuse";
    guarded(args, item, expect_file!["../../snapshots/every_option.rs"]);
}

#[test]
fn a_plain_fn_with_options() {
    let item = "fn charge(payments: u8) -> u8 { payments }";
    guarded("payments, on_open = 0, classify = |n| judge(*n)", item, expect_file!["../../snapshots/on_open.rs"]);
    let item = "fn charge(n: u8) -> Result<u8, E> { Ok(n) }";
    guarded("payments, fallback = spare", item, expect_file!["../../snapshots/fallback.rs"]);
}

#[test]
fn a_fn_that_returns_a_future() {
    let item = "fn later(n: u32) -> impl Future<Output = Result<u32, E>> + Send { async move { Ok(n) } }";
    guarded("payments", item, expect_file!["../../snapshots/future.rs"]);
    let item = "fn boxed<'a>(s: &'a str) -> Pin<Box<dyn Future<Output = Result<usize, E>> + Send + 'a>> {
        Box::pin(async move { Ok(s.len()) })
    }";
    guarded("payments, on_open = Ok(s.len())", item, expect_file!["../../snapshots/boxed_future.rs"]);
}

#[test]
fn an_error() {
    let text = "enum PayError<T: Debug> {
        #[breaker(ignored)] NotFound,
        #[breaker(success)] Declined { code: u8 },
        #[breaker(failure, retry_after = after)] Throttled { after: Duration },
        #[breaker(classify = by_status)] Http(HttpError, T),
        #[breaker(rejected)] Rejected(Rejected),
        Down(String),
    }";
    shows(derive(tokens(text)), expect_file!["../../snapshots/classify.rs"]);
}

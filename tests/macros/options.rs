//! What the options do, each and together.

use crate::support::{Fail, block_on, counts, on_paused_clock};
use breaker::{Error, Outcome, Rejected, breakers, circuit_breaker, collect_stats};
use std::{
    sync::atomic::{AtomicU32, Ordering::SeqCst},
    time::Duration,
};

breakers! {
    opened { strategy: Count { threshold: 1 }, recover: BasicTimeout { reset_timeout: 1h } }
    fallen { strategy: Count { threshold: 50 } }
    timed { strategy: Count { threshold: 50 } }
    typed {}
    judged { strategy: Count { threshold: 50 } }
    probed { strategy: Count { threshold: 1 }, recover: BasicTimeout { reset_timeout: 30s } }
    ready {}
}

static ASKED: AtomicU32 = AtomicU32::new(0);

fn stand_in(name: &str) -> Result<String, Fail> {
    ASKED.fetch_add(1, SeqCst);
    Ok(format!("instead of {name}"))
}

#[circuit_breaker(opened, on_open = { assert_eq!(&*rejected.breaker, "opened"); stand_in(&name) })]
async fn open(name: String, ok: bool) -> Result<String, Fail> {
    if ok { Ok(name) } else { Err(Fail::Other) }
}

#[circuit_breaker(opened, on_open = stand_in(&name), fallback = |_| Ok("fallback".into()))]
fn open_now(name: String, ok: bool) -> Result<String, Fail> {
    if ok { Ok(name) } else { Err(Fail::Other) }
}

#[test]
fn on_open_is_for_rejected_calls_only_and_is_final() {
    assert_eq!(block_on(open("a".into(), true)), Ok("a".into()));
    assert_eq!(open_now("a".into(), true), Ok("a".into()));
    assert_eq!(block_on(open("a".into(), false)), Err(Fail::Other));
    assert_eq!(ASKED.load(SeqCst), 0);
    assert_eq!(block_on(open("a".into(), true)), Ok("instead of a".into()));
    assert_eq!(open_now("b".into(), true), Ok("instead of b".into()));
    assert_eq!(ASKED.load(SeqCst), 2);
}

async fn spare(error: Fail) -> Result<u64, Fail> {
    std::future::ready(()).await;
    if error == Fail::Open { Ok(7) } else { Err(error) }
}

#[circuit_breaker(fallen, fallback = spare)]
async fn by_path(ok: bool) -> Result<u64, Fail> {
    if ok { Ok(1) } else { Err(Fail::Other) }
}

#[circuit_breaker(fallen, fallback = |error: Fail| {
    if error == Fail::Other {
        return Ok(fallen().stats().failures + extra);
    }
    Err(error)
})]
fn by_closure(ok: bool, extra: u64) -> Result<u64, Fail> {
    if ok { Ok(1) } else { Err(Fail::Other) }
}

#[test]
fn a_fallback_runs_after_the_failure_is_recorded() {
    collect_stats();
    assert_eq!((block_on(by_path(true)), block_on(by_path(false))), (Ok(1), Err(Fail::Other)));
    assert_eq!((by_closure(true, 0), by_closure(false, 40)), (Ok(1), Ok(42)));
    fallen().force_open();
    assert_eq!((block_on(by_path(true)), by_closure(true, 0)), (Ok(7), Err(Fail::Open)));
}

/// The fns below sleep on tokio's paused clock (`on_paused_clock`): what takes them long is what is tested.
const SHORT: Duration = Duration::from_secs(2);

struct Client;

impl Client {
    const LIMIT: Duration = SHORT;

    #[circuit_breaker(timed, timeout = Self::LIMIT, fallback = |error| if error == Fail::Late { Ok(99) } else { Err(error) })]
    async fn call(&self, takes: u64) -> Result<u64, Fail> {
        tokio::time::sleep(Duration::from_secs(takes)).await;
        Ok(takes)
    }
}

#[circuit_breaker(timed, timeout = 0.5s, on_open = Ok(0))]
async fn call(takes: u64) -> Result<u64, Error<()>> {
    tokio::time::sleep(Duration::from_secs(takes)).await;
    Ok(takes)
}

/// Units inside of an expression.
#[circuit_breaker(timed, timeout = if cfg!(any()) { 1s } else { SHORT })]
async fn chosen(takes: u64) -> Result<u64, Error<()>> {
    tokio::time::sleep(Duration::from_secs(takes)).await;
    Ok(takes)
}

/// Blocks the thread for longer than twice its time: our own fault.
#[circuit_breaker(timed, timeout = 10ms)]
async fn stalls() -> Result<(), Error<()>> {
    tokio::task::yield_now().await;
    tokio::time::advance(Duration::from_millis(25)).await;
    std::future::pending().await
}

#[test]
fn r16_a_timeout_is_a_failure_unless_we_stalled_ourselves() {
    collect_stats();
    on_paused_clock(async {
        assert_eq!((Client.call(1).await, Client.call(3).await), (Ok(1), Ok(99)));
        assert!(
            matches!(call(1).await, Err(Error::TimedOut(late)) if late.timeout == Duration::from_millis(500) && !late.stalled)
        );
        assert_eq!(counts(&timed().stats()), (1, 2, 0));
        assert!(matches!(chosen(3).await, Err(Error::TimedOut(late)) if late.timeout == SHORT));
        assert_eq!(counts(&timed().stats()), (1, 3, 0));
        let Err(Error::TimedOut(late)) = stalls().await else { panic!("it took too long") };
        assert!(late.stalled && late.to_string().contains("stalled"), "{late}");
        assert_eq!(counts(&timed().stats()), (1, 3, 1));
    });
    timed().force_open();
    assert_eq!(on_paused_clock(call(1)), Ok(0));
}

#[circuit_breaker(judged, on_open = 503, classify = |code| match code {
    404 => Outcome::Ignored,
    ..=399 => Outcome::Success,
    _ => Outcome::failure(),
})]
async fn get(code: u16) -> u16 {
    code
}

struct Status(u16);

impl Status {
    fn judge<T>(result: &Result<T, Self>) -> Outcome {
        match result {
            Err(Self(500..)) => Outcome::failure(),
            Err(_) => Outcome::Ignored,
            Ok(_) => Outcome::Success,
        }
    }

    #[circuit_breaker(typed, classify = Self::judge)]
    fn get(self) -> Result<impl Iterator<Item = u16>, Self> {
        if self.0 < 400 { Ok(std::iter::once(self.0)) } else { Err(self) }
    }
}

impl From<Rejected> for Status {
    fn from(_: Rejected) -> Self {
        Self(503)
    }
}

#[circuit_breaker(typed, classify = move |&(ref text, most): &(String, usize)| -> Outcome {
    if text.len() > most {
        return Outcome::failure();
    }
    Outcome::Success
}, on_open = (String::new(), 0))]
async fn text(length: usize) -> (String, usize) {
    ("x".repeat(length), 3)
}

#[test]
fn a_classify_is_a_path_or_says_what_it_takes() {
    collect_stats();
    for code in [200, 404, 500] {
        assert_eq!(Status(code).get().is_ok(), code == 200);
    }
    for length in [3, 4] {
        assert_eq!(block_on(text(length)).0.len(), length);
    }
    assert_eq!(counts(&typed().stats()), (2, 2, 1));
}

#[test]
fn the_fns_own_classify_wins() {
    collect_stats();
    for code in [200, 302, 404, 500] {
        assert_eq!(block_on(get(code)), code);
    }
    assert_eq!(counts(&judged().stats()), (2, 1, 1));
}

#[circuit_breaker(probed, probe = never)]
async fn charge() -> Result<u8, Error<u8>> {
    Ok(1)
}

#[circuit_breaker(probed)]
fn balance(ok: bool) -> Result<u8, Error<u8>> {
    if ok { Ok(2) } else { Err(Error::Inner(3)) }
}

#[test]
fn r40_a_fn_that_never_probes_leaves_it_to_another() {
    on_paused_clock(async {
        assert_eq!((charge().await, balance(false)), (Ok(1), Err(Error::Inner(3))));
        tokio::time::advance(Duration::from_secs(31)).await;
        assert!(matches!(charge().await, Err(Error::Rejected(_))));
        assert_eq!(probed().status().to_string(), "half_open");
        assert_eq!((balance(true), charge().await), (Ok(2), Ok(1)));
    });
}

#[circuit_breaker(ready)]
fn boxed() -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
    Ok("1".parse()?)
}

#[circuit_breaker(ready, timeout = 1s)]
async fn io() -> std::io::Result<u8> {
    Ok(1)
}

#[circuit_breaker(ready)]
fn bare() -> Result<u8, Rejected> {
    Ok(1)
}

#[test]
fn the_usual_errors_carry_a_rejection_as_they_are() {
    assert!(boxed().is_ok() && bare().is_ok() && on_paused_clock(io()).is_ok());
    ready().force_open();
    let texts = [
        boxed().map_err(|error| error.to_string()),
        bare().map_err(|error| error.to_string()),
        on_paused_clock(io()).map_err(|error| error.to_string()),
    ];
    assert!(texts.iter().all(|text| text.as_ref().is_err_and(|text| text.contains("ready"))), "{texts:?}");
}

//! What a declaration makes.

use breaker::{Event, Recover, Status, Strategy, Trip, breakers, circuit_breaker};
use std::{
    sync::atomic::{AtomicU32, Ordering::SeqCst},
    time::Duration,
};

const LIMIT: u32 = 3;
const PROBE: Duration = Duration::from_millis(1_500);

breakers! {
    literal { strategy: Count { threshold: 2, }, recover: BasicTimeout { reset_timeout: 0.5h, probing_timeout: 250ms, }, },
    constant { recover: BasicTimeout { probing_timeout: PROBE reset_timeout: Duration::from_secs(60) } strategy: Count { threshold: LIMIT + 1 } }
    nothing {}
    half { strategy: Count {} }
    r#gen { strategy: Count { threshold: { LIMIT } } }
    #[cfg(any())]
    picked { strategy: Count { threshold: 1 } }
    #[cfg(all())]
    picked { strategy: Count { threshold: 2 } }
    own { strategy: self::Never { every: 3s }, recover: self::Pace { wait: 1min, ..Pace::DEFAULT }, on_event: told }
    nested { strategy: AnyOf(Count { threshold: 2 }, AnyOf(Burst { failures: 3, within: 1s }, FailureRate { window: Calls(10), min_calls: 5 })) }
}

#[derive(Clone, Copy, Debug)]
struct Never {
    every: Duration,
}

impl Strategy for Never {
    type State = AtomicU32;
    const NEW: AtomicU32 = AtomicU32::new(0);

    fn record(&self, state: &AtomicU32, _: breaker::Era, _: &breaker::Call) -> breaker::Verdict {
        assert_eq!(self.every, Duration::from_secs(3));
        state.fetch_add(1, SeqCst);
        breaker::Verdict::Stay
    }

    fn begin(&self, _: &AtomicU32, _: breaker::Era) {}
}

#[derive(Clone, Copy, Debug)]
struct Pace {
    wait: Duration,
    more: u8,
}

impl Pace {
    const DEFAULT: Self = Self { wait: Duration::ZERO, more: 2 };
}

impl Recover for Pace {
    fn plan(&self, _: &Trip) -> breaker::Plan {
        assert_eq!(self.more, 2);
        breaker::Plan::after(self.wait)
    }
}

static TOLD: AtomicU32 = AtomicU32::new(0);

fn told(event: &Event) {
    assert!(format!("{event:?}").contains("own"));
    TOLD.fetch_add(1, SeqCst);
}

fn opens_after(name: &str) -> Option<usize> {
    (1..=10).find(|_| {
        let breaker = breaker::get(name).expect("it is declared");
        breaker.acquire().expect("it is closed").failure();
        breaker.status() == Status::Open
    })
}

#[test]
fn settings_mean_what_they_say() {
    let found = ["literal", "constant", "gen", "picked", "half", "own", "nested"].map(opens_after);
    assert_eq!(found, [Some(2), Some(4), Some(3), Some(2), Some(5), None, Some(2)]);
    assert!(TOLD.load(SeqCst) > 0);
    let _ = (literal(), constant(), nothing(), half(), r#gen(), picked(), own(), nested());
}

#[test]
fn breakers_may_be_declared_and_used_inside_a_fn() {
    breakers! { local { strategy: Count { threshold: 1 } } }
    #[circuit_breaker(local)]
    fn inner(n: u8) -> Result<u8, breaker::Rejected> {
        Ok(n)
    }
    assert_eq!(inner(3), Ok(3));
    assert!(std::ptr::addr_eq(local(), local()));
    let site = breaker::registry().call_sites("local")[0];
    assert_eq!((site.function, site.file.ends_with("declarations.rs")), ("inner", true));
}

macro_rules! declared {
    ($vis:vis $name:ident, $threshold:literal, $after:tt, $probe:expr) => {
        breakers! {
            $vis $name {
                strategy: Count { threshold: $threshold },
                recover: BasicTimeout { reset_timeout: $after, probing_timeout: $probe },
                abandoned_after: $after,
            }
        }
    };
}

declared!(pub(crate) by_macro, 1, 30s, Duration::from_secs(3));

#[test]
fn a_declaration_made_by_a_macro_is_a_declaration() {
    assert_eq!(&*by_macro().name(), "by_macro");
    assert_eq!(opens_after("by_macro"), Some(1));
}

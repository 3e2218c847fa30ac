//! What breakers of other makes, and once this one, did not stand: permits of long ago, users' code that panics where it
//! may not be left undone, sizes that nobody has checked.

use breaker::{
    AnyOf, BasicTimeout, Breaker, Burst, Call, Count, Era, Event, FailureRate, Outcome, Plan, Recover, SlowCallRate,
    Status, Strategy, Tally, Time, Trip, Verdict, Window, circuit_breaker, test_util,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind, panic_any},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc,
    },
    time::Duration,
};

const ONE: Count = Count { threshold: 1, ..Count::DEFAULT };

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn reset_after(reset_timeout: Duration) -> BasicTimeout {
    BasicTimeout { reset_timeout, ..BasicTimeout::DEFAULT }
}

fn fail<S: Strategy, R: Recover>(breaker: &Breaker<S, R>, times: usize) {
    for _ in 0..times {
        let _ = breaker.run(|| Err::<(), ()>(()));
    }
}

#[test]
fn r08_a_permit_of_long_ago_does_not_stop_the_counting() {
    let _alone = test_util::isolate();
    let rate = FailureRate { streak: 0, min_calls: 2, ..FailureRate::DEFAULT };
    let breaker = Breaker::new("old permit", rate, BasicTimeout::DEFAULT).unwrap();
    let old = breaker.acquire().unwrap();
    // Past half of what 16 bits of an era can tell.
    for _ in 0..40_000 {
        breaker.force_close();
    }
    old.success();
    fail(&breaker, 2);
    assert_eq!(breaker.status(), Status::Open);
}

#[test]
fn r22_a_burst_is_heard_after_any_number_of_quiet_eras() {
    let _alone = test_util::isolate();
    let burst = Burst { failures: 3, within: seconds(60), ..Burst::DEFAULT };
    let breaker = Breaker::new("quiet eras", burst, BasicTimeout::DEFAULT).unwrap();
    for _ in 0..40_000 {
        breaker.force_close();
    }
    fail(&breaker, 3);
    assert_eq!(breaker.status(), Status::Open);
}

/// Panics in one of its methods.
#[derive(Clone, Copy)]
struct Faulty(Fault);

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Tally,
    Settings,
    Begin,
    Record,
}

impl Faulty {
    fn at(self, fault: Fault) {
        if self.0 == fault {
            panic_any(());
        }
    }
}

impl Strategy for Faulty {
    type State = AtomicBool;

    const NEW: AtomicBool = AtomicBool::new(false);

    fn record(&self, _: &AtomicBool, _: Era, call: &Call) -> Verdict {
        self.at(Fault::Record);
        if call.outcome.is_failure() { Verdict::Open { rule: "faulty" } } else { Verdict::Stay }
    }

    fn begin(&self, _: &AtomicBool, _: Era) {
        self.at(Fault::Begin);
    }

    fn tally(&self, _: &AtomicBool) -> Tally {
        self.at(Fault::Tally);
        Tally::default()
    }

    fn settings(&self) -> Vec<breaker::Setting> {
        self.at(Fault::Settings);
        Vec::new()
    }
}

#[test]
fn r12_a_strategy_that_panics_at_an_opening_leaves_a_breaker_that_comes_back() {
    for fault in [Fault::Tally, Fault::Settings] {
        let _alone = test_util::isolate();
        let told = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&told);
        let observation = breaker::observe(move |event| match event {
            Event::Transition { breaker, to, .. } if *breaker == "faulty" => into.lock().unwrap().push(*to),
            _ => {}
        });
        let breaker = Breaker::new("faulty", Faulty(fault), reset_after(seconds(1))).unwrap();
        let _ = catch_unwind(AssertUnwindSafe(|| fail(&breaker, 1)));
        assert_eq!(breaker.status(), Status::Open);
        test_util::advance(seconds(30));
        assert_eq!(breaker.status(), Status::HalfOpen, "by its own plan, or the fallback's 30 s");
        drop(observation);
        assert_eq!(*told.lock().unwrap(), [Status::Open, Status::HalfOpen], "each is told");
    }
}

#[test]
fn r12_a_strategy_that_panics_at_a_close_leaves_a_breaker_that_works() {
    let _alone = test_util::isolate();
    let ramp = BasicTimeout { ramp: seconds(1), ..reset_after(seconds(1)) };
    let breaker = Breaker::new("begin", Faulty(Fault::Begin), ramp).unwrap();
    fail(&breaker, 1);
    test_util::advance(seconds(1));
    let closing = catch_unwind(AssertUnwindSafe(|| breaker.acquire().unwrap().success()));
    assert!(closing.is_err(), "the panic is not hidden");
    test_util::advance(seconds(1));
    assert!(breaker.acquire().is_ok());
    assert!((breaker.snapshot().admitting - 1.0).abs() < f64::EPSILON, "the ramp has its end");
}

#[test]
fn r12_a_drop_that_unwinds_already_does_not_end_the_process() {
    let _alone = test_util::isolate();
    let breaker = Breaker::new("abort", Faulty(Fault::Record), BasicTimeout::DEFAULT).unwrap();
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        let _permit = breaker.acquire().unwrap();
        test_util::advance(seconds(5));
        panic_any("the first");
    }));
    assert_eq!(unwound.unwrap_err().downcast_ref::<&str>(), Some(&"the first"));
}

/// A payload whose drop panics as well.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic_any(());
    }
}

#[test]
fn r34_a_payload_whose_drop_panics_harms_nobody() {
    let _alone = test_util::isolate();
    let heard = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&heard);
    let observation = breaker::observe(move |event| {
        if *event.breaker() == "bomb" && count.fetch_add(1, Ordering::SeqCst) == 0 {
            panic_any(Bomb);
        }
    });
    let breaker = Breaker::new("bomb", ONE, BasicTimeout::DEFAULT).unwrap();
    for _ in 0..3 {
        assert_eq!(breaker.run(|| Ok::<_, ()>(1)), Ok(1));
    }
    drop(observation);
    assert_eq!(heard.load(Ordering::SeqCst), 6, "permitted and finished, three times");
}

/// Waits in `plan` until the test lets it go on.
#[derive(Clone, Copy)]
struct Stalling;

static GO_ON: Mutex<Option<mpsc::Receiver<()>>> = Mutex::new(None);

impl Recover for Stalling {
    fn plan(&self, _: &Trip) -> Plan {
        let go_on = GO_ON.lock().unwrap().take().expect("one opening");
        go_on.recv().expect("the test goes on");
        Plan::after(Duration::from_millis(1))
    }
}

#[test]
fn r37_ready_ends_though_the_plan_came_after_it_looked() {
    let _alone = test_util::isolate();
    let (go_on, stalled) = mpsc::channel();
    *GO_ON.lock().unwrap() = Some(stalled);
    let breaker = Breaker::new("stalling", ONE, Stalling).unwrap();
    std::thread::scope(|scope| {
        let failing = scope.spawn(|| fail(&breaker, 1));
        while breaker.status() == Status::Closed {
            std::thread::yield_now();
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let mut waiting = std::pin::pin!(breaker.ready());
            let looked = tokio::time::timeout(seconds(5), &mut waiting).await;
            assert!(looked.is_err(), "there is no plan yet");
            go_on.send(()).unwrap();
            // The opening thread is real: it is given what time it needs.
            while !failing.is_finished() {
                std::thread::yield_now();
            }
            tokio::time::timeout(seconds(3_600), waiting).await.expect("it ends");
        });
    });
}

#[test]
fn r23_either_of_two_reports_the_counts_of_the_rule_that_opened() {
    let _alone = test_util::isolate();
    let rate = FailureRate { window: Window::Calls(100), min_calls: 100, rate: 1.0, streak: 0, ..FailureRate::DEFAULT };
    let both = AnyOf(rate, Count { threshold: 3, ..Count::DEFAULT });
    let breaker = Breaker::new("either", both, BasicTimeout::DEFAULT).unwrap();
    for call in 0..20 {
        let _ = breaker.run(|| if call % 2 == 0 { Err(()) } else { Ok(()) });
    }
    fail(&breaker, 3);
    assert_eq!(breaker.snapshot().last_trip.unwrap().to_string(), "consecutive failures: 3");
}

#[test]
fn r38_a_ramp_of_a_month_takes_a_month() {
    let _alone = test_util::isolate();
    let month = seconds(30 * 86_400);
    let breaker = Breaker::new("month", ONE, BasicTimeout { ramp: month, ..reset_after(seconds(1)) }).unwrap();
    fail(&breaker, 1);
    test_util::advance(seconds(1));
    breaker.acquire().unwrap().success();
    test_util::advance(month / 2);
    assert!((breaker.snapshot().admitting - 0.5).abs() < 0.001);
    let rejected = std::iter::repeat_with(|| breaker.acquire()).find_map(Result::err).unwrap();
    assert!(rejected.to_string().contains("letting calls back in by degrees"), "{rejected}");
}

#[test]
fn r36_a_size_that_nobody_has_checked_does_not_panic() {
    let _alone = test_util::isolate();
    let failed = Call::new(Outcome::failure());
    for failures in [0, 1, 65_536, u32::MAX] {
        let burst = Burst { failures, within: seconds(1), ..Burst::DEFAULT };
        let state = Burst::NEW;
        for era in [0, 0, 2, 2] {
            let _ = burst.record(&state, Era::new(era), &failed);
            burst.begin(&state, Era::new(era));
            let _ = burst.tally(&state);
        }
    }
    for window in [Window::Calls(0), Window::Calls(u32::MAX), Window::Time(Duration::ZERO), Window::Time(Duration::MAX)]
    {
        let rate = FailureRate { window, rate: f64::NAN, ..FailureRate::DEFAULT };
        let slow = SlowCallRate { window, ..SlowCallRate::DEFAULT };
        let (rated, counted) = (FailureRate::NEW, SlowCallRate::NEW);
        for era in [0, 0, 2, 2] {
            let _ = (rate.record(&rated, Era::new(era), &failed), slow.record(&counted, Era::new(era), &failed));
            rate.begin(&rated, Era::new(era));
            slow.begin(&counted, Era::new(era));
            let _ = (rate.tally(&rated), slow.tally(&counted));
        }
    }
    let short = FailureRate { window: Window::Time(Duration::from_micros(999)), ..FailureRate::DEFAULT };
    assert_eq!(short.check().unwrap_err().field, "window");
    let state = FailureRate::NEW;
    let _ = FailureRate::DEFAULT.record(&state, Era::new(0), &failed.at(Time::at(Duration::MAX)));
}

breaker::breakers! {
    pub windowed { strategy: FailureRate { window: Time(10s), min_calls: 2, rate: 1.0, streak: 0 } }
    pub named { strategy: Count { threshold: 3 }, recover: BasicTimeout { reset_timeout: 1s } }
}

#[test]
fn r31_a_test_that_ran_ahead_leaves_no_clock_behind() {
    {
        let _alone = test_util::isolate();
        test_util::advance(seconds(3_600));
        windowed().acquire().unwrap().failure();
    }
    let _alone = test_util::isolate();
    for _ in 0..5 {
        windowed().acquire().unwrap().failure();
        test_util::advance(seconds(60));
        assert_eq!(windowed().status(), Status::Closed, "a minute apart, in a window of ten seconds");
    }
}

#[circuit_breaker(named)]
async fn hangs() -> Result<(), breaker::Error<()>> {
    std::future::pending().await
}

#[circuit_breaker(named)]
fn slow(fly: impl FnOnce()) -> Result<(), breaker::Error<()>> {
    fly();
    Err(breaker::Error::Inner(()))
}

#[test]
fn a_late_failure_takes_no_fn_from_the_report_and_one_that_hangs_is_in_it() {
    let _alone = test_util::isolate();
    let _ = slow(|| {
        named().force_close();
        let _ = slow(|| {});
        let _ = slow(|| {});
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        assert!(tokio::time::timeout(seconds(2), hangs()).await.is_err());
    });
    let sources = named().snapshot().last_trip.expect("three failures").sources;
    let sources: Vec<_> = sources.iter().map(|source| (source.function, source.failures)).collect();
    assert_eq!(sources, [("slow", 2), ("hangs", 1)]);
}

#[test]
fn a_failed_probe_does_not_make_the_report_forget_why() {
    let _alone = test_util::isolate();
    let breaker = Breaker::new("why", Count { threshold: 3, ..Count::DEFAULT }, reset_after(seconds(1))).unwrap();
    fail(&breaker, 3);
    for _ in 0..3 {
        assert!(breaker.acquire().is_err());
        test_util::advance(seconds(1));
        fail(&breaker, 1);
    }
    let text = breaker.explain();
    for part in
        ["a failed probe; at first on consecutive failures: 3", "(opening 4 in a row)", "rejected since then: 3"]
    {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

#[test]
fn a_held_breaker_says_for_how_long_and_its_event_by_whom() {
    let _alone = test_util::isolate();
    let heard = Arc::new(Mutex::new(None));
    let into = Arc::clone(&heard);
    let observation = breaker::observe(move |event| match event {
        Event::Transition { breaker, hold, .. } if *breaker == "held" => into.lock().unwrap().clone_from(hold),
        _ => {}
    });
    let breaker = Breaker::new("held", ONE, BasicTimeout::DEFAULT).unwrap();
    let hold = breaker::Override::lasting(seconds(60)).reason("migration").actor("ops");
    breaker.override_closed(hold.clone());
    drop(observation);
    assert_eq!(*heard.lock().unwrap(), Some(hold));
    assert_eq!(breaker.snapshot().to_string(), "held: closed (forced) for 0ns, for another 60s");
}

#[test]
fn one_breaker_in_two_tables_is_refused() {
    let _alone = test_util::isolate();
    let text = "[named]\nthreshold = 4\n[\"engine::hostile::named\"]\nthreshold = 5";
    let error = breaker::apply_settings(text).unwrap_err().to_string();
    assert!(error.contains("named by two tables"), "{error}");
}

#[test]
fn r20_a_window_of_time_counts_after_the_longest_outage() {
    let _alone = test_util::isolate();
    let rate = FailureRate { streak: 0, min_calls: 5, ..FailureRate::DEFAULT };
    for window in [Window::Time(seconds(10)), Window::Calls(10)] {
        let breaker = Breaker::new("outage", FailureRate { window, ..rate }, reset_after(seconds(1))).unwrap();
        fail(&breaker, 5);
        // Three eras each: past half of what 16 bits of an era can tell.
        for _ in 0..11_000 {
            test_util::advance(seconds(1));
            fail(&breaker, 1);
        }
        test_util::advance(seconds(1));
        assert_eq!(breaker.run(|| Ok::<_, ()>(())), Ok(()));
        fail(&breaker, 4);
        assert_eq!(breaker.status(), Status::Closed);
        fail(&breaker, 1);
        assert_eq!(breaker.status(), Status::Open, "{window:?}");
    }
}

#[test]
fn r10_an_opening_is_known_however_often_it_would_have_opened_before() {
    let _alone = test_util::isolate();
    let breaker = Breaker::new("held", ONE, BasicTimeout::DEFAULT).unwrap();
    breaker.override_closed(breaker::Override::lasting(seconds(3_600)));
    fail(&breaker, 33_000);
    breaker.force_close();
    fail(&breaker, 1);
    assert!(breaker.acquire().unwrap_err().cause().is_some());
}

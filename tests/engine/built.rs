//! Breakers built at run time.

use breaker::{Backoff, Breaker, Count, Outcome, Status, test_util};
use std::{sync::Arc, time::Duration};

breaker::breakers! {
    pub declared {}
}

const ONE: Count = Count { threshold: 1, ..Count::DEFAULT };

#[test]
fn r36_settings_that_cannot_work_are_a_typed_error() {
    let error = Breaker::new("bad", Count { threshold: 0, ..Count::DEFAULT }, Backoff::DEFAULT).unwrap_err();
    assert_eq!(error.field, "threshold");
}

#[test]
fn names_come_from_every_kind_of_text() {
    let shared: Arc<str> = "c".into();
    let names = [
        Breaker::new("a", ONE, Backoff::DEFAULT).unwrap().name(),
        Breaker::new(String::from("b"), ONE, Backoff::DEFAULT).unwrap().name(),
        Breaker::new(shared, ONE, Backoff::DEFAULT).unwrap().name(),
    ];
    assert_eq!(names, ["a", "b", "c"]);
}

#[test]
fn one_that_enters_is_found_and_commanded_by_name_until_it_leaves() {
    let _alone = test_util::isolate();
    let registry = breaker::registry();
    let before = registry.len();
    let tenant = Arc::new(Breaker::new("tenant-7", ONE, Backoff::DEFAULT).unwrap());
    assert!(breaker::get("tenant-7").is_err());
    registry.enter(tenant.clone()).unwrap();
    assert_eq!(registry.len(), before + 1);
    tenant.acquire().unwrap().failure();
    assert_eq!(breaker::status("tenant-7"), Ok(Status::Open));
    breaker::force_close("tenant-7").unwrap();
    assert_eq!(tenant.status(), Status::Closed);

    let twin = Arc::new(Breaker::new("tenant-7", ONE, Backoff::DEFAULT).unwrap());
    assert!(registry.enter(twin).unwrap_err().to_string().contains("tenant-7"));
    let usurper = Arc::new(Breaker::new("declared", ONE, Backoff::DEFAULT).unwrap());
    assert!(registry.enter(usurper).unwrap_err().to_string().contains("built.rs"));

    assert_eq!(breaker::get("declared").unwrap().module(), "engine::built");
    assert_eq!(breaker::get("tenant-7").unwrap().module(), "");
    let left = registry.leave("tenant-7").unwrap();
    assert_eq!(left.name(), "tenant-7");
    assert!(breaker::get("tenant-7").is_err());
    assert!(registry.leave("declared").is_none(), "a declared one stays");
    assert_eq!(registry.len(), before);
}

#[test]
fn a_permit_of_a_shared_one_keeps_it_alive_and_moves_to_another_thread() {
    let _alone = test_util::isolate();
    let shared = Arc::new(Breaker::new("shared", ONE, Backoff::DEFAULT).unwrap());
    let permit = shared.acquire_owned().unwrap();
    let weak = Arc::downgrade(&shared);
    drop(shared);
    let alive = weak.upgrade().expect("the permit keeps it");
    std::thread::spawn(move || permit.settle(Outcome::failure())).join().unwrap();
    assert_eq!(alive.status(), Status::Open);
    drop(alive);
    assert!(weak.upgrade().is_none());

    let entered = Arc::new(Breaker::new("entered", ONE, Backoff::DEFAULT).unwrap());
    breaker::registry().enter(entered).unwrap();
    let permit = breaker::get("entered").unwrap().acquire_owned().unwrap();
    breaker::registry().leave("entered").unwrap();
    permit.success();
}

#[test]
fn one_may_be_owned_and_judge_and_age_as_it_is_told() {
    let _alone = test_util::isolate();
    let own = Breaker::new("own", ONE, Backoff::DEFAULT)
        .unwrap()
        .classified_by::<breaker::ByError>()
        .abandoned_after(Duration::from_secs(9));
    let rejection = || {
        let other = Breaker::new("other", ONE, Backoff::DEFAULT).unwrap();
        other.force_open();
        other.acquire().unwrap_err()
    };
    let _ = own.run(|| Err::<(), _>(rejection()));
    assert_eq!(own.status(), Status::Closed, "a rejection is ignored by `ByError`");
    for (age, status) in [(8, Status::Closed), (9, Status::Open)] {
        let permit = own.acquire().unwrap();
        test_util::advance(Duration::from_secs(age));
        drop(permit);
        assert_eq!(own.status(), status);
    }
}

#[test]
fn one_that_enters_is_held_closed_by_name_and_needs_no_guarded_fn() {
    let _alone = test_util::isolate();
    let by_hand = Arc::new(Breaker::new("by-hand", ONE, Backoff::DEFAULT).unwrap());
    breaker::registry().enter(by_hand.clone()).unwrap();
    let hold = breaker::Override::lasting(Duration::from_secs(9));
    breaker::override_closed("by-hand", hold.clone()).unwrap();
    assert_eq!(by_hand.snapshot().forced, Some(hold));
    let about = breaker::audit().into_iter().filter(|finding| finding.breaker.as_deref() == Some("by-hand"));
    assert_eq!(about.collect::<Vec<_>>(), []);
    assert!(breaker::registry().leave("by-hand").is_some());
}

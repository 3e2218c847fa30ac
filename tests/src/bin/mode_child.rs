//! A program for the tests of `BREAKER_MODE`, which is read once in a process: it fails one breaker three times and
//! prints what came of it.

use breaker::{Event, Status};
use std::{
    pin::pin,
    sync::atomic::{AtomicUsize, Ordering},
    task::{Context, Waker},
};

breaker::breakers! {
    payments { strategy: Count { threshold: 2 } }
    search { strategy: Count { threshold: 2 } }
}

static WOULD_OPEN: AtomicUsize = AtomicUsize::new(0);
static BEGUN: AtomicUsize = AtomicUsize::new(0);
static ENDED: AtomicUsize = AtomicUsize::new(0);

fn main() {
    breaker::collect_stats();
    breaker::observe(|event| {
        let count = match event {
            Event::WouldOpen { .. } => &WOULD_OPEN,
            Event::Permitted { .. } => &BEGUN,
            Event::Finished { .. } => &ENDED,
            _ => return,
        };
        count.fetch_add(1, Ordering::SeqCst);
    })
    .detach();
    let mut rejected = 0;
    for _ in 0..5 {
        if let Err(breaker::Error::Rejected(_)) = payments().run(|| Err::<(), ()>(())) {
            rejected += 1;
        }
    }
    let status = payments().status();
    search().force_open();
    let forced = search().run(|| Ok::<_, ()>(())).is_ok();
    assert_eq!(search().status(), Status::Open, "commands are shown in every mode");
    let ready = pin!(search().ready()).poll(&mut Context::from_waker(Waker::noop())).is_ready();
    assert_eq!(ready, forced, "who waits for a call to be let through waits as long as none would be");
    let would_open = WOULD_OPEN.load(Ordering::SeqCst);
    let failures = payments().stats().failures;
    println!("{status} rejected={rejected} would_open={would_open} failures={failures} forced_passes={forced}");
    println!("told: {} begun, {} ended", BEGUN.load(Ordering::SeqCst), ENDED.load(Ordering::SeqCst));
    for line in payments().explain().lines().filter(|line| line.contains("the environment says")) {
        println!("{}", line.trim());
    }
    for finding in breaker::audit().iter().filter(|finding| finding.text.contains("BREAKER_MODE")) {
        println!("{finding}");
    }
}

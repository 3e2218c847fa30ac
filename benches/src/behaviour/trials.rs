//! The trials. Each finds one thing out about one breaker, and says it in a few words; what loses calls, or lets too
//! many through, in capitals.

use super::{
    Got, Make, build,
    scene::{NAP, OPEN, Scene, words},
};
use crate::call::{Failed, Outcome};
use std::time::Duration;
use tokio::time::sleep;

/// What is tried.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trial {
    Rush,
    DroppedProbe,
    PanickingProbe,
    HangingProbe,
    Panics,
    LateSuccessInOpen,
    LateFailureInOpen,
    LateInHalfOpen(Outcome),
    LateAfterClose,
    Forever,
    Zero,
}

pub(super) const ALL: [(&str, Trial); 12] = [
    ("64 callers at half-open", Trial::Rush),
    ("the probe is dropped", Trial::DroppedProbe),
    ("the probe panics", Trial::PanickingProbe),
    ("the probe hangs", Trial::HangingProbe),
    ("three panics while closed", Trial::Panics),
    ("late success in open", Trial::LateSuccessInOpen),
    ("late failure in open", Trial::LateFailureInOpen),
    ("late failure after it closed again", Trial::LateAfterClose),
    ("late success while a probe is out", Trial::LateInHalfOpen(Ok(1))),
    ("late failure while a probe is out", Trial::LateInHalfOpen(Err(Failed))),
    ("open for `Duration::MAX`", Trial::Forever),
    ("threshold 0", Trial::Zero),
];

impl Trial {
    pub(super) async fn run(self, make: Make) -> String {
        let (failures, open) = match self {
            Self::Zero => (0, OPEN),
            Self::Forever => (1, Duration::MAX),
            _ => (1, OPEN),
        };
        let scene = match build(make, failures, open) {
            Ok(peer) => Scene(peer),
            Err(said) => return said,
        };
        match self {
            Self::Rush => rush(&scene).await,
            Self::DroppedProbe => dropped(&scene).await,
            Self::PanickingProbe => panicking(&scene).await,
            Self::HangingProbe => hanging(&scene).await,
            Self::Panics => panics(&scene).await,
            Self::LateSuccessInOpen => late_success(&scene).await,
            Self::LateFailureInOpen => late_failure(&scene).await,
            Self::LateInHalfOpen(outcome) => late_in_half_open(&scene, outcome).await,
            Self::LateAfterClose => late_after_close(&scene).await,
            Self::Forever => forever(&scene).await,
            Self::Zero => zero(&scene).await,
        }
    }
}

const NEVER_OPENS: &str = "did not open";

/// Opens it and waits until it is half-open; whether that worked.
async fn half_open(scene: &Scene) -> bool {
    let open = scene.trips().await;
    sleep(NAP).await;
    open
}

fn recovery(calls: &[Got]) -> String {
    let stuck = calls.iter().all(|got| *got == Got::Rejected);
    let word = if stuck { "STUCK" } else { "recovers" };
    format!("{word}: {}", words(calls))
}

async fn rush(scene: &Scene) -> String {
    if !half_open(scene).await {
        return NEVER_OPENS.into();
    }
    match scene.rush(64).await {
        1 => "1 let through".into(),
        more => format!("{more} LET THROUGH"),
    }
}

async fn dropped(scene: &Scene) -> String {
    if !scene.0.is_async() {
        return "sync only: cannot be dropped".into();
    }
    if !half_open(scene).await {
        return NEVER_OPENS.into();
    }
    let probe = scene.hold().await;
    if !probe.began() {
        return "no probe was let through".into();
    }
    probe.drop_it().await;
    recovery(&scene.naps(5).await)
}

async fn panicking(scene: &Scene) -> String {
    if !half_open(scene).await {
        return NEVER_OPENS.into();
    }
    scene.panic().await;
    recovery(&scene.naps(5).await)
}

async fn hanging(scene: &Scene) -> String {
    if !half_open(scene).await {
        return NEVER_OPENS.into();
    }
    let probe = scene.hold().await;
    let calls = scene.naps(5).await;
    probe.end(Err(Failed)).await;
    recovery(&calls)
}

async fn panics(scene: &Scene) -> String {
    for _ in 0..3 {
        scene.panic().await;
    }
    match scene.ok().await {
        Got::Rejected => "counted".into(),
        Got::Panic => "PANICS ITSELF afterwards".into(),
        _ => "NOT COUNTED".into(),
    }
}

async fn late_success(scene: &Scene) -> String {
    let old = scene.hold().await;
    if !scene.trips().await {
        return NEVER_OPENS.into();
    }
    old.end(Ok(1)).await;
    if scene.ok().await == Got::Rejected { "stays open".into() } else { "CLOSES".into() }
}

async fn late_failure(scene: &Scene) -> String {
    let old = scene.hold().await;
    if !scene.trips().await {
        return NEVER_OPENS.into();
    }
    sleep(OPEN * 3 / 4).await;
    old.end(Err(Failed)).await;
    // More than the open time since it opened, less since the late failure.
    sleep(OPEN / 2).await;
    if scene.ok().await == Got::Rejected { "EXTENDS the open time".into() } else { "changes nothing".into() }
}

async fn late_in_half_open(scene: &Scene, outcome: Outcome) -> String {
    let old = scene.hold().await;
    if !half_open(scene).await {
        return NEVER_OPENS.into();
    }
    let probe = scene.hold().await;
    if !probe.began() {
        return "no probe was let through".into();
    }
    old.end(outcome).await;
    let others = [scene.hold().await, scene.hold().await];
    let through = others.iter().filter(|call| call.began()).count();
    for other in others {
        other.end(Ok(1)).await;
    }
    probe.end(Ok(1)).await;
    let then =
        if scene.ok().await == Got::Ok { "the probe's success closes it" } else { "THE PROBE'S SUCCESS IS LOST" };
    match through {
        0 => format!("no other call let through; {then}"),
        more => format!("{more} OTHER CALLS of 2 let through; {then}"),
    }
}

async fn late_after_close(scene: &Scene) -> String {
    let old = scene.hold().await;
    if !half_open(scene).await {
        return NEVER_OPENS.into();
    }
    for _ in 0..4 {
        scene.ok().await;
    }
    let before = scene.ok().await;
    old.end(Err(Failed)).await;
    match (before, scene.ok().await) {
        (Got::Ok, Got::Rejected) => "OPENS it again".into(),
        (Got::Ok, _) => "changes nothing".into(),
        _ => "did not close again".into(),
    }
}

async fn forever(scene: &Scene) -> String {
    let mut calls = Vec::new();
    for _ in 0..4 {
        calls.push(scene.err().await);
    }
    let word = match calls.last() {
        Some(Got::Rejected) => "open",
        Some(Got::Panic) => "PANICS",
        _ => "NOT OPEN",
    };
    format!("{word}: {}", words(&calls))
}

async fn zero(scene: &Scene) -> String {
    let mut calls = Vec::new();
    for _ in 0..3 {
        calls.push(scene.ok().await);
    }
    for _ in 0..3 {
        calls.push(scene.err().await);
    }
    format!("accepted: {}", words(&calls))
}

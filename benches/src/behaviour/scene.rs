//! One breaker on trial, and the calls that are held open by a gate.

use super::{Body, Got, Peer};
use crate::call::{Failed, Outcome};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};
use tokio::{
    sync::{Barrier, Semaphore, oneshot},
    task::JoinHandle,
    time::sleep,
};

/// How long each stays open.
pub(super) const OPEN: Duration = Duration::from_millis(60);
/// Longer than that.
pub(super) const NAP: Duration = Duration::from_millis(90);
/// Long enough for a call that was spawned to begin.
const BEGIN: Duration = Duration::from_millis(8);

pub(super) struct Scene(pub(super) Arc<dyn Peer>);

/// A call that waits for its gate.
pub(super) struct Held {
    began: Arc<AtomicBool>,
    gate: oneshot::Sender<Outcome>,
    call: JoinHandle<Got>,
}

impl Held {
    /// Whether its body was let through.
    pub(super) fn began(&self) -> bool {
        self.began.load(SeqCst)
    }

    /// Ends it.
    pub(super) async fn end(self, outcome: Outcome) -> Got {
        let _ = self.gate.send(outcome);
        self.call.await.unwrap_or(Got::Panic)
    }

    /// Drops it.
    pub(super) async fn drop_it(self) {
        self.call.abort();
        let _ = self.call.await;
        drop(self.gate);
    }
}

impl Scene {
    async fn make(&self, body: Body) -> Got {
        // A task of its own: its panic ends there.
        tokio::spawn(self.0.call(body)).await.unwrap_or(Got::Panic)
    }

    pub(super) async fn ok(&self) -> Got {
        self.make(Box::pin(async { Ok(1) })).await
    }

    pub(super) async fn err(&self) -> Got {
        self.make(Box::pin(async { Err(Failed) })).await
    }

    pub(super) async fn panic(&self) -> Got {
        self.make(Box::pin(async { panic!("of the body") })).await
    }

    /// A call that is held; given time to begin.
    pub(super) async fn hold(&self) -> Held {
        let began = Arc::new(AtomicBool::new(false));
        let (gate, opens) = oneshot::channel::<Outcome>();
        let inside = Arc::clone(&began);
        let call = tokio::spawn(self.0.call(Box::pin(async move {
            inside.store(true, SeqCst);
            opens.await.unwrap_or(Err(Failed))
        })));
        sleep(BEGIN).await;
        Held { began, gate, call }
    }

    /// Fails until it is open; whether that came.
    pub(super) async fn trips(&self) -> bool {
        for _ in 0..5 {
            if self.err().await == Got::Rejected {
                return true;
            }
        }
        false
    }

    /// What so many calls get, with a nap after each.
    pub(super) async fn naps(&self, calls: usize) -> Vec<Got> {
        let mut all = Vec::new();
        for _ in 0..calls {
            all.push(self.ok().await);
            sleep(NAP).await;
        }
        all
    }

    /// How many of so many simultaneous callers are let through.
    pub(super) async fn rush(&self, callers: usize) -> usize {
        let (began, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
        let line = Arc::new(Barrier::new(callers));
        let calls: Vec<_> = (0..callers)
            .map(|_| {
                let (began, gate, line) = (Arc::clone(&began), Arc::clone(&gate), Arc::clone(&line));
                let peer = Arc::clone(&self.0);
                tokio::spawn(async move {
                    line.wait().await;
                    peer.call(Box::pin(async move {
                        began.fetch_add(1, SeqCst);
                        let _passed = gate.acquire().await;
                        Ok(1)
                    }))
                    .await
                })
            })
            .collect();
        sleep(Duration::from_millis(60)).await;
        let through = began.load(SeqCst);
        gate.add_permits(callers);
        for call in calls {
            let _ = call.await;
        }
        through
    }
}

/// `rejected, ok, ok`
pub(super) fn words(all: &[Got]) -> String {
    all.iter().map(|got| got.word()).collect::<Vec<_>>().join(", ")
}

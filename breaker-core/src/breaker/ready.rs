//! Waiting until a call would be let through.

use super::{Breaker, admit::RAMP_RETRY};
use crate::{clock, mode::Mode, recover::Recover, status::Status, strategy::Strategy};
use std::{pin::pin, time::Duration};

/// The step of a timer.
const STEP: Duration = Duration::from_millis(1);

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// Waits until a call would be let through, by whatever cause: time, the end of a probe, an operator (R37).
    ///
    /// Many that wait may go on at once; of them one becomes the probe, and the others are rejected and may wait
    /// again. Runs in a tokio runtime with time enabled.
    ///
    /// # Panics
    ///
    /// Outside of such a runtime, where it has to wait for a time.
    pub async fn ready(&self) {
        loop {
            let mut changed = pin!(self.outbox().changed());
            // From here on no change is missed.
            changed.as_mut().enable();
            let word = self.refresh(clock::now);
            match word.status() {
                Status::Closed if fastrand::f64() >= self.share(word, clock::now()) => {}
                Status::Closed | Status::HalfOpen => return,
                _ if self.mode() != Mode::Enforce => return,
                _ => {}
            }
            let now = clock::now();
            let left = match self.times.until(word.era()) {
                // A ramp lets calls through by chance: this one's is looked at again soon.
                Some(until) if word.ramping() => until.left(now).map(|left| left.min(RAMP_RETRY)),
                Some(until) => until.left(now),
                // Whoever made this change is about to say when it ends, and then wakes us.
                None => Some(STEP),
            };
            match left {
                // A deadline that a timer may meet early is looked at again.
                Some(left) => {
                    let _ = tokio::time::timeout(left.max(STEP), changed).await;
                }
                None => changed.await,
            }
        }
    }
}

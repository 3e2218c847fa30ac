//! Waiting until a call would be let through.

use super::Breaker;
use crate::{clock, mode::Mode, recover::Recover, status::Status, strategy::Strategy};
use std::{pin::pin, time::Duration};

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
                Status::Closed | Status::HalfOpen => return,
                _ if self.mode() != Mode::Enforce => return,
                _ => {}
            }
            let now = clock::now();
            match self.times.until(word.era()).and_then(|until| until.left(now)) {
                // A deadline that a timer may meet early is looked at again.
                Some(left) => {
                    let _ = tokio::time::timeout(left.max(Duration::from_millis(1)), changed).await;
                }
                None => changed.await,
            }
        }
    }
}

//! What an operator, or a test, may order.

use super::Breaker;
use crate::{
    Era, Override, clock,
    machine::{
        Until,
        transition::{Edge, next},
    },
    recover::Recover,
    strategy::Strategy,
    trip::Cause,
};

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// Opens, from any state, until [`Breaker::force_close`]: no timer, no probe. Calls in flight finish and their
    /// results are ignored; repeating it is quiet (R10).
    pub fn force_open(&self) {
        self.refresh(clock::now);
        self.change(|word| next(word, Edge::ForceOpen), clock::now(), Cause::Forced);
    }

    /// Closes, from any state, forced ones too, with a fresh strategy; earlier timers and permits are void, and so
    /// is the growth of a backoff (R11).
    pub fn force_close(&self) {
        self.refresh(clock::now);
        self.change(|word| next(word, Edge::ForceClose), clock::now(), Cause::Forced);
    }

    /// Opens, from any state, until `hold` ends by itself, or [`Breaker::force_close`] does; its end is a fresh closed.
    pub fn override_open(&self, hold: Override) {
        self.hold(Edge::OverrideOpen, hold);
    }

    /// Closes, from any state, until `hold` ends by itself, or [`Breaker::force_close`] does: everything passes and
    /// is counted, nothing opens, and what would have is told as [`Event::WouldOpen`](crate::Event::WouldOpen).
    pub fn override_closed(&self, hold: Override) {
        self.hold(Edge::OverrideClosed, hold);
    }

    fn hold(&self, edge: Edge, hold: Override) {
        self.refresh(clock::now);
        let Ok(shift) = self.cell.shift(|word| next(word, edge)) else { return };
        let now = clock::now();
        let until = hold.lasting.map_or(Until::Never, |lasting| Until::after(now, lasting));
        // Before its end: who finds that finds the note with it.
        self.note_hold(shift.to.era(), hold);
        self.entered(shift, now, Cause::Overridden, Some(until));
        self.tell();
    }

    /// Notes who holds it, unless a later one, of another thread, is noted already.
    fn note_hold(&self, era: Era, hold: Override) {
        let mut notes = self.note();
        let later = notes.hold.as_ref().is_some_and(|(noted, _)| noted.is_after(era));
        let before = if later { None } else { notes.hold.replace((era, hold)) };
        drop(notes);
        drop(before);
    }
}

#[cfg(any(feature = "test-util", breaker_loom))]
impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// As at program start, but for the era: permits of the test before are void. Nobody is told.
    pub(crate) fn reset(&self) {
        let fresh = |word| Some(next(word, Edge::ForceClose)?.with_tuned(false));
        let Ok(shift) = self.cell.shift(fresh) else { return };
        let era = shift.to.era();
        self.outbox().reset(era);
        self.times.begin(era, clock::now());
        self.times.end(era, Until::Never);
        self.strategy().begin(&self.state, era);
        self.trip.publish(era, 0);
        let gone = std::mem::take(&mut *self.note());
        drop(gone);
        self.untune();
        self.counters().reset();
    }
}

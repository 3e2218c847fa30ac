//! Openings by number, so that a rejection carries eight bytes and no text.
//!
//! Each breaker keeps its last opening alive; this index only finds it.

use crate::{
    sync::{Arc, Ordering, Weak, lock_process, process},
    trip::Trip,
};
use std::collections::BTreeMap;

static TAKEN: process::AtomicU64 = process::AtomicU64::new(0);
static INDEX: process::Mutex<BTreeMap<u64, Weak<Trip>>> = process::Mutex::new(BTreeMap::new());

/// Enters an opening; its number is never 0.
pub(crate) fn enter(trip: &Arc<Trip>) -> u64 {
    let id = TAKEN.fetch_add(1, Ordering::Relaxed) + 1;
    let mut index = lock_process(&INDEX);
    // What no breaker keeps any more: as many entries stay as there are breakers that have tripped.
    index.retain(|_, trip| trip.strong_count() > 0);
    index.insert(id, Arc::downgrade(trip));
    id
}

/// The opening with this number, while somebody keeps it.
pub(crate) fn find(id: u64) -> Option<Arc<Trip>> {
    if id == 0 {
        return None;
    }
    lock_process(&INDEX).get(&id)?.upgrade()
}

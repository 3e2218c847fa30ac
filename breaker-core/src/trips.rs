//! Openings by number, so that a rejection carries eight bytes and no text.
//!
//! Each breaker keeps its last opening alive; this index only finds it.

use crate::{
    sync::{Arc, Ordering, Weak, lock_process, process},
    trip::Trip,
};
use std::collections::BTreeMap;

/// From 1 on: 0 is no opening's.
static NEXT: process::AtomicU64 = process::AtomicU64::new(1);
static INDEX: process::Mutex<BTreeMap<u64, Weak<Trip>>> = process::Mutex::new(BTreeMap::new());

/// Enters an opening; gives back its number.
pub(crate) fn enter(trip: &Arc<Trip>) -> u64 {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    #[test]
    fn r30_an_opening_is_found_for_as_long_as_somebody_keeps_it() {
        let [kept, gone, last] = [(); 3].map(|()| Arc::new(Trip::new(1, Outcome::failure())));
        let [kept_id, gone_id] = [&kept, &gone].map(enter);
        drop(gone);
        let last_id = enter(&last);
        for (id, trip) in [(kept_id, &kept), (last_id, &last)] {
            assert!(find(id).is_some_and(|found| Arc::ptr_eq(&found, trip)));
        }
        assert!(find(gone_id).is_none() && find(0).is_none());
        assert!(!lock_process(&INDEX).contains_key(&gone_id), "the index does not grow with openings");
    }
}

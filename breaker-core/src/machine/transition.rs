//! The diagram: every edge once, as a pure function of the word.

use super::word::{Hold, Word};
use crate::status::Status;

/// From the third lapse since the last close on, a lapse opens again (R6).
const LAPSES_TO_OPEN: u32 = 3;

/// What may happen to a breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The strategy concludes that the dependency is down; `forgotten` earlier openings no longer count (R27).
    Trip { forgotten: u32 },
    /// The same, for a breaker that is held closed by an operator or by `BREAKER_MODE`: told, and counted afresh (R10).
    WouldOpen,
    /// The time, or the rejections, that recover gave are over.
    Elapse,
    /// A caller becomes the probe.
    Probe,
    /// The probe succeeded; `needed` in a row close, onto a ramp or not.
    Succeed { needed: u32, ramp: bool },
    /// The probe failed.
    Fail,
    /// The probe ended without a verdict; its slot is free.
    Release,
    /// The probe's lease is over.
    Lapse,
    /// The ramp is over.
    Ramped,
    /// `force_open`.
    ForceOpen,
    /// `force_close`.
    ForceClose,
    /// `override_open`.
    OverrideOpen,
    /// `override_closed`.
    OverrideClosed,
    /// The end of an override.
    OverrideEnds,
    /// The settings have changed.
    Tune,
}

/// The word after `edge`, or `None` where the diagram has no such edge.
///
/// Every word that comes back begins a new era, but for `Ramped` and `Tune`, which are no entry into a state.
pub(crate) const fn next(word: Word, edge: Edge) -> Option<Word> {
    use Status::{Closed, HalfOpen, Open, Probing};
    let to = match (edge, word.status(), word.hold()) {
        (Edge::Trip { forgotten }, Closed, Hold::None) => {
            let before = word.openings().saturating_sub(forgotten);
            word.next(Open).with_openings(before + 1)
        }
        (Edge::WouldOpen, Closed, hold) => word.next(Closed).held(hold).with_ramp(word.ramping()),
        (Edge::Tune, ..) => word.with_tuned(true),
        (Edge::Elapse, Open, Hold::None) | (Edge::Release, Probing, _) => word.next(HalfOpen),
        (Edge::Probe, HalfOpen, _) => word.next(Probing),
        (Edge::Succeed { needed, ramp }, Probing, _) => {
            let row = word.row() + 1;
            if row >= needed {
                word.next(Closed).with_row(0).with_lapses(0).with_ramp(ramp)
            } else {
                word.next(HalfOpen).with_row(row)
            }
        }
        (Edge::Fail, Probing, _) => word.next(Open).with_openings(word.openings() + 1).with_row(0),
        (Edge::Lapse, Probing, _) => {
            let lapses = word.lapses() + 1;
            if lapses >= LAPSES_TO_OPEN {
                word.next(Open).with_openings(word.openings() + 1).with_lapses(lapses)
            } else {
                word.next(HalfOpen).with_lapses(lapses)
            }
        }
        (Edge::Ramped, Closed, Hold::None) if word.ramping() => word.with_ramp(false),
        (Edge::ForceOpen, _, Hold::ForcedOpen) => return None,
        (Edge::ForceOpen, ..) => fresh(word, Open).held(Hold::ForcedOpen),
        (Edge::OverrideOpen, ..) => fresh(word, Open).held(Hold::OverriddenOpen),
        (Edge::OverrideClosed, ..) => fresh(word, Closed).held(Hold::OverriddenClosed),
        (Edge::ForceClose, ..) | (Edge::OverrideEnds, _, Hold::OverriddenOpen | Hold::OverriddenClosed) => {
            fresh(word, Closed)
        }
        _ => return None,
    };
    Some(to)
}

/// A stay that remembers nothing of those before (R11).
const fn fresh(word: Word, status: Status) -> Word {
    word.next(status).with_openings(0).with_row(0).with_lapses(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Edge; 14] = [
        Edge::Trip { forgotten: 0 },
        Edge::WouldOpen,
        Edge::Elapse,
        Edge::Probe,
        Edge::Succeed { needed: 1, ramp: false },
        Edge::Fail,
        Edge::Release,
        Edge::Lapse,
        Edge::Ramped,
        Edge::ForceOpen,
        Edge::ForceClose,
        Edge::OverrideOpen,
        Edge::OverrideClosed,
        Edge::OverrideEnds,
    ];

    fn walk(edges: &[Edge]) -> Word {
        edges.iter().fold(Word::new(false), |word, edge| {
            next(word, *edge).unwrap_or_else(|| panic!("no {edge:?} from {word:?}"))
        })
    }

    fn legal(word: Word) -> Vec<Edge> {
        ALL.into_iter().filter(|edge| next(word, *edge).is_some()).collect()
    }

    const COMMANDS: [Edge; 4] = [Edge::ForceOpen, Edge::ForceClose, Edge::OverrideOpen, Edge::OverrideClosed];

    #[test]
    fn r01_each_state_has_its_edges_and_no_others() {
        let of =
            |edges: &[Edge]| legal(walk(edges)).into_iter().filter(|edge| !COMMANDS.contains(edge)).collect::<Vec<_>>();
        let trip = Edge::Trip { forgotten: 0 };
        assert_eq!(of(&[]), [trip, Edge::WouldOpen]);
        assert_eq!(of(&[trip]), [Edge::Elapse]);
        assert_eq!(of(&[trip, Edge::Elapse]), [Edge::Probe]);
        assert_eq!(
            of(&[trip, Edge::Elapse, Edge::Probe]),
            [Edge::Succeed { needed: 1, ramp: false }, Edge::Fail, Edge::Release, Edge::Lapse]
        );
        assert_eq!(of(&[Edge::ForceOpen]), []);
        assert_eq!(of(&[Edge::OverrideOpen]), [Edge::OverrideEnds]);
        assert_eq!(of(&[Edge::OverrideClosed]), [Edge::WouldOpen, Edge::OverrideEnds]);
    }

    #[test]
    fn r06_the_third_lapse_opens_and_so_does_every_later_one() {
        let mut word = walk(&[Edge::Trip { forgotten: 0 }, Edge::Elapse]);
        for lapse in 1..=5 {
            word = next(next(word, Edge::Probe).unwrap(), Edge::Lapse).unwrap();
            assert_eq!(word.lapses(), lapse);
            if lapse < 3 {
                assert_eq!(word.status(), Status::HalfOpen);
            } else {
                assert_eq!(word.status(), Status::Open);
                word = next(word, Edge::Elapse).unwrap();
            }
        }
    }

    #[test]
    fn r07_a_failure_ends_the_row_and_a_lost_probe_does_not() {
        let half = walk(&[Edge::Trip { forgotten: 0 }, Edge::Elapse]);
        let succeed = Edge::Succeed { needed: 3, ramp: false };
        let probe = |word: Word, edge| next(next(word, Edge::Probe).unwrap(), edge).unwrap();
        let one = probe(half, succeed);
        assert_eq!((one.status(), one.row()), (Status::HalfOpen, 1));
        assert_eq!(probe(one, Edge::Release).row(), 1);
        assert_eq!(probe(one, Edge::Lapse).row(), 1);
        assert_eq!(probe(one, Edge::Fail).row(), 0);
        let closed = probe(probe(one, succeed), succeed);
        assert_eq!((closed.status(), closed.row()), (Status::Closed, 0));
    }

    #[test]
    fn r10_forcing_open_again_is_no_edge() {
        let word = walk(&[Edge::ForceOpen]);
        assert_eq!(next(word, Edge::ForceOpen), None);
        assert!(next(word, Edge::OverrideOpen).is_some());
    }

    #[test]
    fn r11_force_close_leaves_from_anywhere_and_remembers_nothing() {
        let trip = Edge::Trip { forgotten: 0 };
        for path in [
            &[][..],
            &[trip],
            &[trip, Edge::Elapse],
            &[trip, Edge::Elapse, Edge::Probe],
            &[trip, Edge::Elapse, Edge::Probe, Edge::Lapse],
            &[Edge::ForceOpen],
            &[Edge::OverrideOpen],
            &[Edge::OverrideClosed],
        ] {
            let before = walk(path);
            let word = next(before, Edge::ForceClose).unwrap();
            assert_eq!(word.era(), before.era().next(), "R9: also from closed");
            assert_eq!((word.status(), word.hold()), (Status::Closed, Hold::None));
            assert_eq!((word.openings(), word.row(), word.lapses()), (0, 0, 0));
        }
    }

    #[test]
    fn r27_openings_grow_over_a_close_less_what_was_forgotten() {
        let trip = |forgotten| Edge::Trip { forgotten };
        let close = [Edge::Elapse, Edge::Probe, Edge::Succeed { needed: 1, ramp: false }];
        let path = [&[trip(0)][..], &close, &[trip(0)], &close].concat();
        assert_eq!(walk(&[&path[..], &[trip(0)]].concat()).openings(), 3);
        assert_eq!(walk(&[&path[..], &[trip(1)]].concat()).openings(), 2);
        assert_eq!(walk(&[&path[..], &[trip(u32::MAX)]].concat()).openings(), 1);
    }

    #[test]
    fn r38_the_end_of_a_ramp_is_no_new_era() {
        let path = [Edge::Trip { forgotten: 0 }, Edge::Elapse, Edge::Probe, Edge::Succeed { needed: 1, ramp: true }];
        let ramping = walk(&path);
        assert!(ramping.ramping() && !ramping.is_plain());
        let word = next(ramping, Edge::Ramped).unwrap();
        assert!(word.is_plain());
        assert_eq!(word.era(), ramping.era());
    }
}

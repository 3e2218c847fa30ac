//! What an operator is told in words.

use super::Breaker;
use crate::{
    Snapshot, Status,
    error::Rounded,
    mode::Mode,
    recover::Recover,
    settings::Setting,
    strategy::Strategy,
    trip::{Source, Trip},
};
use std::fmt::Write as _;

impl<S: Strategy, R: Recover, C> Breaker<S, R, C> {
    /// Text for an operator: the state and since when, why it opened, by which rule, on what counts, from which fns,
    /// until when, and how many calls were rejected since.
    pub fn explain(&self) -> String {
        let snapshot = self.snapshot();
        let mut text = headline(&snapshot);
        text.push_str(match self.mode() {
            Mode::Enforce => "",
            Mode::Observe => {
                "\n  the environment says `observe`: every call passes, and observers hear what would have opened"
            }
            Mode::Off => "\n  the environment says `off`: every call passes, and nobody hears of it",
        });
        if let Some(trip) = &snapshot.last_trip {
            explain_trip(&mut text, trip);
        }
        if snapshot.status == Status::Closed {
            let (failures, calls) = (snapshot.tally.failures, snapshot.tally.calls);
            let _ = write!(text, "\n  failures that count now: {failures} of {calls} calls");
        }
        if !snapshot.settings.is_empty() {
            let _ = write!(text, "\n  settings: {}", listed(&snapshot.settings));
        }
        text
    }
}

/// `payments (app::resilience) is open, for 2s by now, and for another 28s`
fn headline(snapshot: &Snapshot) -> String {
    let mut text = snapshot.name.to_string();
    if !snapshot.module.is_empty() {
        let _ = write!(text, " ({})", snapshot.module);
    }
    let _ = write!(text, " is {}", snapshot.status);
    if let Some(hold) = &snapshot.forced {
        text.push_str(if hold.lasting.is_some() { ", overridden" } else { ", forced" });
        if let Some(actor) = &hold.actor {
            let _ = write!(text, " by {actor}");
        }
        if let Some(reason) = &hold.reason {
            let _ = write!(text, " ({reason})");
        }
        if hold.lasting.is_none() {
            text.push_str(" until further notice");
        }
    }
    let _ = write!(text, ", for {} by now", Rounded(snapshot.since));
    if let Some(left) = snapshot.retry_after {
        let _ = write!(text, ", and for another {}", Rounded(left));
    }
    if snapshot.admitting < 1.0 {
        let _ = write!(text, ", admitting {:.0} % of calls", snapshot.admitting * 100.0);
    }
    text
}

fn explain_trip(text: &mut String, trip: &Trip) {
    let _ = write!(text, "\n  last opened {} ago on {trip}", Rounded(trip.ago));
    if trip.openings > 1 {
        let _ = write!(text, " (opening {} in a row)", trip.openings);
    }
    if !trip.settings.is_empty() {
        let _ = write!(text, "\n  limits then: {}", listed(&trip.settings));
    }
    let all: u32 = trip.sources.iter().map(|source| source.failures).sum();
    for (at, Source { function, module, failures }) in trip.sources.iter().enumerate() {
        text.push_str(if at == 0 { "\n  the failures before that: " } else { ", " });
        let _ = write!(text, "{failures} of {all} from `{function}` ({module})");
    }
    let _ = write!(text, "\n  rejected since then: {}", trip.rejected);
}

fn listed(settings: &[Setting]) -> String {
    settings.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

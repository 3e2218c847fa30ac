//! What a run came to, as a table, as targets met or not, as Markdown and as a picture.

use crate::{
    case::{CASES, Case, Who},
    runner::Measured,
};

pub mod facts;
pub mod markdown;
pub mod readme;
pub mod svg;
pub mod targets;

/// All rows of one run.
#[derive(Debug)]
pub struct Results(Vec<Measured>);

impl Results {
    /// These.
    pub fn new(rows: Vec<Measured>) -> Self {
        Self(rows)
    }

    /// One cell.
    pub fn get(&self, who: Who, case: Case) -> Option<&Measured> {
        self.0.iter().find(|row| row.who == who && row.case == case)
    }

    /// Who is in the table, in the order in which they were measured.
    pub fn everybody(&self) -> Vec<Who> {
        let mut all: Vec<Who> = Vec::new();
        for row in &self.0 {
            if !all.contains(&row.who) {
                all.push(row.who);
            }
        }
        // Floors first, then this library, then the others.
        all.sort_by_key(|who| match who {
            Who::Floor(_) => 0,
            Who::Ours => 1,
            Who::Peer(_) => 2,
        });
        all
    }

    /// The peer that is fastest at this.
    pub fn fastest_peer(&self, case: Case) -> Option<&Measured> {
        let peers = self.0.iter().filter(|row| row.case == case && matches!(row.who, Who::Peer(_)));
        peers.min_by(|a, b| a.median().total_cmp(&b.median()))
    }

    /// The cases that somebody was measured at, by name.
    pub fn cases(&self) -> Vec<(Case, &'static str)> {
        CASES.into_iter().filter(|(case, _)| self.0.iter().any(|row| row.case == *case)).collect()
    }
}

/// Three digits that count.
pub fn number(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

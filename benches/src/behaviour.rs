//! What each library does where breakers go wrong. Every cell comes from running it.

use crate::call::Outcome;
use std::{
    any::Any,
    fmt::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    time::Duration,
};
use tokio::time::timeout;

mod peers;
mod scene;
mod trials;

/// What is guarded.
pub type Body = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// What a caller got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Got {
    /// The body's success.
    Ok,
    /// The body's failure.
    Err,
    /// A rejection.
    Rejected,
    /// A panic.
    Panic,
}

impl Got {
    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Err => "err",
            Self::Rejected => "rejected",
            Self::Panic => "panic",
        }
    }
}

/// A library behind one shape.
pub trait Peer: Send + Sync {
    /// A guarded call, which asks when it is first polled.
    fn call(&self, body: Body) -> Pin<Box<dyn Future<Output = Got> + Send>>;
    /// Whether its calls are futures, which can be dropped.
    fn is_async(&self) -> bool {
        true
    }
}

/// A breaker that opens on so many failures, for so long; what it says where it will not be built.
type Make = fn(u32, Duration) -> Result<Arc<dyn Peer>, String>;

/// How long a trial may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// One table.
#[derive(Debug)]
pub struct Table {
    titles: Vec<&'static str>,
    rows: Vec<(&'static str, Vec<String>)>,
}

impl Table {
    /// Runs all trials on all libraries.
    pub async fn run(mut progress: impl FnMut(&str)) -> Self {
        let mut rows: Vec<(&'static str, Vec<String>)> =
            peers::ALL.iter().map(|(name, _)| (*name, Vec::new())).collect();
        let mut titles = Vec::new();
        for (title, trial) in trials::ALL {
            progress(title);
            titles.push(title);
            for ((_, make), (_, cells)) in peers::ALL.iter().zip(&mut rows) {
                // On a thread of its own: one that spins, or waits for ever, stops there.
                let run = tokio::spawn(trial.run(*make));
                cells.push(match timeout(PATIENCE, run).await {
                    Ok(Ok(cell)) => cell,
                    Ok(Err(panic)) => {
                        format!("PANICS: {}", panic.try_into_panic().map_or_else(|_| String::new(), |p| said(&*p)))
                    }
                    Err(_) => format!("HANGS: not done after {PATIENCE:?}"),
                });
            }
        }
        Self { titles, rows }
    }

    /// For a terminal: a paragraph a trial.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (at, title) in self.titles.iter().enumerate() {
            let _ = writeln!(text, "\n{title}");
            for (name, cells) in &self.rows {
                let _ = writeln!(text, "  {name:32} {}", cells[at]);
            }
        }
        text
    }

    /// For BEHAVIOUR.md.
    pub fn markdown(&self) -> String {
        let mut text = "# Behaviour\n\nWritten by `cargo run -p benches --bin behaviour`: every cell comes from running \
                        the library. Each opens on its first failure (recloser: on the first that completes its ring), \
                        stays open for 60 ms, and lets one call probe where that can be set; this library's probe has a \
                        lease of 100 ms.\n"
            .to_owned();
        // Not more columns than fit beside each other.
        for group in (0..self.titles.len()).collect::<Vec<_>>().chunks(4) {
            let titles: Vec<&str> = group.iter().map(|at| self.titles[*at]).collect();
            let _ = write!(text, "\n| | {} |\n| ---{} |\n", titles.join(" | "), " | ---".repeat(titles.len()));
            for (name, cells) in &self.rows {
                let cells: Vec<&str> = group.iter().map(|at| cells[*at].as_str()).collect();
                let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
            }
        }
        text
    }
}

/// Builds one; what it says where it will not be built, also by a panic.
fn build(make: Make, failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    catch_unwind(AssertUnwindSafe(|| make(failures, open)))
        .unwrap_or_else(|payload| Err(format!("PANICS when built: {}", said(&*payload))))
        .map_err(|refusal| if refusal.starts_with("PANICS") { refusal } else { format!("refused: {refusal}") })
}

/// The text of a panic.
fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    text.unwrap_or("without a text").replace('|', "/")
}

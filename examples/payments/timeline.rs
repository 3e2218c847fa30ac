//! What happened, as rows that a person reads at a glance.

use crate::story::NAME;
use breaker::{Cause, Event, Observation, Status};
use std::{
    io::IsTerminal,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// A change of state, as an observer heard it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    at: Duration,
    pub(crate) to: Status,
    cause: Cause,
    /// How many requests the processor had seen by then.
    pub(crate) reached: u64,
}

impl Change {
    /// Whether it happened as a call came in, so that it stands before what the call came to.
    fn on_admission(&self) -> bool {
        matches!(self.cause, Cause::Elapsed | Cause::Probed)
    }
}

/// What callers got since the last row.
#[derive(Debug, Default)]
struct Stretch {
    from: Option<Duration>,
    replies: Vec<(String, u32)>,
    slowest: Duration,
    /// How many requests the processor had seen at its end.
    reached: u64,
}

#[derive(Debug)]
pub(crate) struct Timeline {
    started: Instant,
    paint: Paint,
    reached: Arc<AtomicU64>,
    /// What `reached` was at the last row.
    shown: u64,
    stretch: Stretch,
    /// Heard and not yet shown.
    heard: Arc<Mutex<Vec<Change>>>,
    pub(crate) changes: Vec<Change>,
    _observation: Observation,
}

impl Timeline {
    /// Listens from now on; `reached` counts the requests that get through.
    pub(crate) fn start(reached: Arc<AtomicU64>) -> Self {
        let started = Instant::now();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (ears, count) = (Arc::clone(&heard), Arc::clone(&reached));
        let observation = breaker::observe(move |event| {
            if let Event::Transition { to, cause, .. } = event {
                let reached = count.load(Ordering::SeqCst);
                let change = Change { at: started.elapsed(), to: *to, cause: *cause, reached };
                ears.lock().unwrap_or_else(PoisonError::into_inner).push(change);
            }
        });
        let paint = Paint(std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none());
        let stretch = Stretch::default();
        let timeline =
            Self { started, paint, reached, shown: 0, stretch, heard, changes: Vec::new(), _observation: observation };
        row("time", "state", "what the callers got", "slowest", "reached the processor");
        timeline
    }

    /// What comes next, in a sentence.
    pub(crate) fn heading(&mut self, text: &str) {
        self.look();
        println!("\n{}", self.paint.bold(text));
    }

    /// The state that everything starts in.
    pub(crate) fn begins(&self, status: Status) {
        self.state_row(Duration::ZERO, status, "from the start");
    }

    /// One caller got `reply` after `took`.
    pub(crate) fn got(&mut self, reply: String, took: Duration) {
        let mut heard = self.heard();
        let after = heard.iter().position(|change| !change.on_admission()).unwrap_or(heard.len());
        let ended = heard.split_off(after);
        self.show(heard, ended.is_empty());
        let began = self.started.elapsed().saturating_sub(took);
        self.stretch.from.get_or_insert(began);
        self.stretch.slowest = self.stretch.slowest.max(took);
        self.stretch.reached = self.reached.load(Ordering::SeqCst);
        match self.stretch.replies.iter_mut().find(|(known, _)| *known == reply) {
            Some((_, count)) => *count += 1,
            None => self.stretch.replies.push((reply, 1)),
        }
        self.show(ended, true);
    }

    /// Shows what there is to show, calls or not.
    pub(crate) fn look(&mut self) {
        let heard = self.heard();
        self.show(heard, true);
        self.flush();
    }

    /// What the breaker would tell the person on call.
    pub(crate) fn explain(&mut self, text: &str) {
        self.look();
        println!("{:>8}  {:9}  what `breaker::explain` says now:", "", "");
        for line in text.lines() {
            println!("{:>8}  {:9}  {}", "", "", self.paint.dim(line));
        }
    }

    fn heard(&self) -> Vec<Change> {
        std::mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Each change in a row of its own; where nothing came after them, what the breaker now says of itself.
    fn show(&mut self, changes: Vec<Change>, latest: bool) {
        let turned = latest && !changes.is_empty();
        for change in changes {
            self.flush();
            self.state_row(change.at, change.to, &change.cause.to_string());
            self.changes.push(change);
        }
        if turned && let Ok(snapshot) = breaker::snapshot(NAME) {
            println!("{:>8}  {:9}  {}", "", "", self.paint.dim(&snapshot.to_string()));
        }
    }

    /// The row of the calls since the last one.
    fn flush(&mut self) {
        let Stretch { from, replies, slowest, reached } = std::mem::take(&mut self.stretch);
        if replies.is_empty() {
            return;
        }
        let got: Vec<_> = replies.iter().map(|(reply, count)| format!("{count} {reply}")).collect();
        let more = reached - self.shown;
        self.shown = reached;
        let slowest = format!("{} ms", slowest.as_millis());
        let began = from.map_or_else(String::new, seconds);
        row(&began, "", &got.join(", "), &slowest, &format!("{reached:>4}  (+{more})"));
    }

    fn state_row(&self, at: Duration, status: Status, why: &str) {
        println!("{:>8}  {}  {why}", seconds(at), self.paint.status(status));
    }
}

fn row(at: &str, state: &str, got: &str, slowest: &str, reached: &str) {
    println!("{at:>8}  {state:9}  {got:36}  {slowest:>8}  {reached}");
}

fn seconds(time: Duration) -> String {
    format!("{:.2}s", time.as_secs_f64())
}

/// Colours, on a terminal only.
#[derive(Clone, Copy, Debug)]
struct Paint(bool);

impl Paint {
    fn status(self, status: Status) -> String {
        let code = match status {
            Status::Closed => "1;32",
            Status::Open => "1;31",
            Status::HalfOpen => "1;33",
            _ => "1;36",
        };
        self.with(code, &format!("{:9}", status.to_string()))
    }

    fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

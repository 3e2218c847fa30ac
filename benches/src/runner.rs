//! Interleaved rounds: each round times every row once, so that what disturbs the machine disturbs all alike.

use crate::{
    call::Digest,
    case::{Case, Who},
};
use std::{
    fmt,
    hint::black_box,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

/// One cell of the table: who, at what, and how so many calls of it are timed.
pub struct Row {
    who: Who,
    case: Case,
    /// Where a cell needs a word of its own.
    note: &'static str,
    /// The most calls of one sample.
    most: u64,
    /// How many times as long as others its samples are.
    stretch: u32,
    run: Box<dyn FnMut(u64) -> Duration>,
}

impl Row {
    /// A row that is timed by `run`.
    pub fn new(who: Who, case: Case, run: impl FnMut(u64) -> Duration + 'static) -> Self {
        Self { who, case, note: "", most: u64::MAX, stretch: 1, run: Box::new(run) }
    }

    /// A row of one thread that makes `call` again and again.
    pub fn calls<D: Digest>(who: Who, case: Case, mut call: impl FnMut() -> D + 'static) -> Self {
        Self::new(who, case, move |calls| time(calls, &mut call))
    }

    /// A row of two threads; each makes its own call by `make`, told whether it is the second.
    pub fn threads<D, C, M>(who: Who, case: Case, make: M) -> Self
    where
        D: Digest,
        C: FnMut() -> D,
        M: Fn(bool) -> C + Sync + 'static,
    {
        // Two threads that begin together must also meet: a start of some microseconds is to be a small part of it.
        Self { stretch: 10, ..Self::new(who, case, move |calls| both(calls, &make)) }
    }

    /// The same row with a word in its cell.
    #[must_use]
    pub fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    /// The same row with at most so many calls a sample.
    #[must_use]
    pub fn most(self, most: u64) -> Self {
        Self { most, ..self }
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row").field("who", &self.who).field("case", &self.case).finish_non_exhaustive()
    }
}

/// Times so many calls. Each row has its own copy, with the call in the loop.
#[inline(never)]
pub fn time<D: Digest>(calls: u64, call: &mut impl FnMut() -> D) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(call().digest());
    }
    start.elapsed()
}

/// Times so many calls on each of two threads at once; the mean of the two.
fn both<D: Digest, C: FnMut() -> D>(calls: u64, make: &(impl Fn(bool) -> C + Sync)) -> Duration {
    let waiting = AtomicU32::new(2);
    let took: Duration = thread::scope(|scope| {
        [false, true]
            .map(|second| {
                let waiting = &waiting;
                scope.spawn(move || {
                    let mut call = make(second);
                    // Awake, so that they begin within nanoseconds of each other.
                    waiting.fetch_sub(1, Ordering::SeqCst);
                    while waiting.load(Ordering::SeqCst) > 0 {
                        std::hint::spin_loop();
                    }
                    time(calls, &mut call)
                })
            })
            .into_iter()
            .map(|thread| thread.join().expect("a row does not panic"))
            .sum()
    });
    took / 2
}

/// How long, how often.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How often every row is timed.
    pub rounds: usize,
    /// How long a sample is to take: shorter than a time slice of the system, so that most are not cut.
    pub sample: Duration,
}

/// What a row came to, in nanoseconds a call, one number a round.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Who.
    pub who: Who,
    /// At what.
    pub case: Case,
    /// A word in the cell.
    pub note: &'static str,
    samples: Vec<f64>,
}

impl Measured {
    /// The median.
    pub fn median(&self) -> f64 {
        middle(self.samples.clone(), 1, 2)
    }

    /// The middle half: its lower and its upper end.
    pub fn spread(&self) -> (f64, f64) {
        (middle(self.samples.clone(), 1, 4), middle(self.samples.clone(), 3, 4))
    }

    /// The median of the ratios of each round, which cancels what a whole round suffered.
    pub fn ratio(&self, to: impl Fn(usize) -> f64) -> f64 {
        middle(self.samples.iter().enumerate().map(|(round, own)| own / to(round)).collect(), 1, 2)
    }

    /// The number of one round.
    pub fn round(&self, round: usize) -> f64 {
        self.samples[round]
    }
}

fn middle(mut samples: Vec<f64>, part: usize, of: usize) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[(samples.len() - 1) * part / of]
}

/// Times all rows, interleaved.
pub fn measure(rows: Vec<Row>, effort: Effort, mut progress: impl FnMut(usize)) -> Vec<Measured> {
    let mut rows: Vec<(Row, u64, Vec<f64>)> = rows
        .into_iter()
        .map(|mut row| {
            let calls = {
                let sample = effort.sample * row.stretch;
                calibrate(&mut row, sample)
            };
            (row, calls, Vec::with_capacity(effort.rounds))
        })
        .collect();
    for round in 0..effort.rounds {
        for (row, calls, samples) in &mut rows {
            samples.push(nanos((row.run)(*calls), *calls));
        }
        progress(round + 1);
    }
    rows.into_iter().map(|(Row { who, case, note, .. }, _, samples)| Measured { who, case, note, samples }).collect()
}

/// How many calls of a row fill a sample.
fn calibrate(row: &mut Row, sample: Duration) -> u64 {
    let mut calls = 64;
    loop {
        calls = row.most.min(calls);
        let took = (row.run)(calls);
        if took * 4 >= sample || calls == row.most {
            let wanted = sample.as_secs_f64() * 1e9 / nanos(took, calls).max(0.1);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
            return (wanted as u64).clamp(1, row.most);
        }
        calls *= 4;
    }
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn nanos(took: Duration, calls: u64) -> f64 {
    took.as_nanos() as f64 / calls as f64
}

//! `cargo bench -p benches`.

use benches::{
    case::{Case, Who},
    floors, ours, runner,
};
use std::time::Duration;

fn main() {
    let effort = runner::Effort { rounds: 101, sample: Duration::from_micros(300) };
    let rows = floors::rows().into_iter().chain(ours::rows()).collect();
    let measured = runner::measure(rows, effort, |_| {});
    for row in &measured {
        println!("{:20} {:30} {:8.2} {:?}", row.who.name(), format!("{:?}", row.case), row.median(), row.spread());
    }
    let of = |who, case| measured.iter().find(|row| row.who == who && row.case == case).expect("it is measured");
    let loads = of(floors::TWO_LOADS, Case::Ok);
    let ratio = of(Who::Ours, Case::Ok).ratio(|round| loads.round(round));
    println!("\na closed, successful `run` costs {ratio:.2} x two acquire loads\n");
    for row in runner::measure(ours::stats_rows(), effort, |_| {}) {
        println!("{:20} {:30} {:8.2} {:?}", row.who.name(), format!("{:?}", row.case), row.median(), row.spread());
    }
}

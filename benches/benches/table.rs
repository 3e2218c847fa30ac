//! `cargo bench -p benches`: times all rows, prints the table and the targets, writes RESULTS.md, results.svg and
//! the figures of the project's README.
//!
//! `-- --quick` takes seconds and writes nothing.

use benches::{
    build,
    case::{Case, Who},
    floors, ours, peers,
    report::{
        Results,
        facts::{Instructions, Memory},
        markdown, number, readme, svg, targets,
    },
    runner::{self, Effort},
};
use std::{fs, io::Write as _, path::Path, time::Duration};

fn main() -> std::io::Result<()> {
    let quick = std::env::args().any(|argument| argument == "--quick") || std::env::var_os("BENCH_QUICK").is_some();
    let rounds = if quick { 15 } else { 151 };
    let effort = Effort { rounds, sample: Duration::from_micros(300) };
    println!("{}", benches::NOTES);

    // Some peers ask the runtime for the time; its worker sleeps, but wakes those that wait.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let _entered = runtime.enter();

    let rows = [floors::rows(), ours::rows(), peers::rows()].into_iter().flatten().collect();
    let mut measured = runner::measure(rows, effort, progress(rounds));
    // Whoever asks for stats cannot be asked to stop: last.
    measured.extend(runner::measure(ours::stats_rows(), effort, |_| ()));
    let results = Results::new(measured);

    let memory = Memory::ask(env!("CARGO_BIN_EXE_memory"));
    let instructions = Instructions::ask(env!("CARGO_BIN_EXE_instructions"));
    let built = if quick { None } else { build::measure() };
    let targets = targets::all(&results, &memory, built);

    for who in results.everybody() {
        println!("\n{}", who.name());
        for (case, name) in results.cases() {
            if let Some(row) = results.get(who, case) {
                let (low, high) = row.spread();
                println!(
                    "  {:>8} ns  {:>8} - {:<8} {name} {}",
                    number(row.median()),
                    number(low),
                    number(high),
                    row.note
                );
            }
        }
    }
    println!("\ninstructions, by callgrind");
    for row in &instructions {
        println!("  {:>8} of {:<8} {}", row.count, row.bound, row.path);
    }
    if instructions.is_empty() {
        println!("  NOT COUNTED: valgrind is missing");
    }
    println!("\ntargets");
    for target in &targets {
        println!("  {}", target.line());
    }
    if let (Some(own), Some(loads)) = (results.get(Who::Ours, Case::Ok), results.get(floors::TWO_LOADS, Case::Ok)) {
        let ratio = own.ratio(|round| loads.round(round));
        println!("\na closed, successful `run` costs {ratio:.2} x two acquire loads");
    }
    if quick {
        return Ok(());
    }
    let run = format!("{rounds} rounds on {} with {}", benches::machine(), benches::compiler());
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::write(here.join("RESULTS.md"), markdown::page(&run, &results, &targets, &memory, &instructions))?;
    fs::write(here.join("results.svg"), svg::picture(&run, &results))?;
    let readme = here.join("../README.md");
    let written = readme::with_costs(&fs::read_to_string(&readme)?, &run, &results).map_err(std::io::Error::other)?;
    fs::write(readme, written)?;
    println!("written: benches/RESULTS.md, benches/results.svg, and the figures of README.md");
    Ok(())
}

fn progress(rounds: usize) -> impl FnMut(usize) {
    move |round| {
        eprint!("\rround {round} of {rounds} ");
        if round == rounds {
            eprintln!();
        }
        let _ = std::io::stderr().flush();
    }
}

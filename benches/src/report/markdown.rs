//! RESULTS.md.

use super::{
    Results,
    facts::{Instructions, Memory},
    number,
    targets::Target,
};
use crate::case::{Case, Who};
use std::fmt::Write as _;

/// The cases of one table: not more than fit beside each other.
const TABLES: [(&str, &[Case]); 4] = [
    ("Calls", &[Case::Ok, Case::OkAsync, Case::OkAttribute, Case::OkAttributeAsync, Case::Err, Case::Rejected]),
    (
        "Two threads, stats, observers",
        &[
            Case::OkThreads,
            Case::OkThreadsApart,
            Case::RejectedThreads,
            Case::Stats,
            Case::StatsThreads,
            Case::Observed,
        ],
    ),
    (
        "Windows of calls",
        &[
            Case::Calls100,
            Case::Calls10k,
            Case::CallsThreads,
            Case::Calls100Mixed,
            Case::Calls10kMixed,
            Case::CallsMixedThreads,
        ],
    ),
    ("Windows of time", &[Case::TimeLow, Case::TimeHigh]),
];

/// The whole page.
pub fn page(
    run: &str,
    results: &Results,
    targets: &[Target],
    memory: &[Memory],
    instructions: &[Instructions],
) -> String {
    let mut page = format!(
        "# Results\n\nWritten by `cargo bench -p benches`; {run}. Nanoseconds a call: the median, and in brackets the \
         middle half of all rounds. Rows were timed in turns; only ratios inside one run mean anything.\n"
    );
    page += "\n## Targets\n\n| | figure | at most | what |\n| --- | ---: | ---: | --- |\n";
    for Target { what, figure, most, met } in targets {
        let word = if *met { "met" } else { "**not met**" };
        let _ = writeln!(page, "| {word} | {figure} | {most} | {what} |");
    }
    for (title, cases) in TABLES {
        page += &table(title, cases, results);
    }
    page += "\n## Memory\n\nBytes and allocations, by a counting allocator. `heap` is allocated by the first call, \
             `opening` by the first opening; the last three are allocations a call.\n\n\
             | | size | heap | opening | ok | err | rejected |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for Memory { who, size, heap, opened, ok, err, rejected } in memory {
        let _ = writeln!(page, "| {who} | {size} | {heap} | {opened} | {ok} | {err} | {rejected} |");
    }
    page += "\n## Instructions\n\nBy callgrind; those of the loop and of the call alone are taken off.\n\n\
             | | instructions | bound of the guard |\n| --- | ---: | ---: |\n";
    for Instructions { path, count, bound } in instructions {
        let _ = writeln!(page, "| {path} | {count} | {bound} |");
    }
    page
}

fn table(title: &str, cases: &[Case], results: &Results) -> String {
    let names: Vec<&str> =
        results.cases().iter().filter(|(case, _)| cases.contains(case)).map(|(_, name)| *name).collect();
    let mut text = format!("\n## {title}\n\n| | {} |\n| --- |{}\n", names.join(" | "), " ---: |".repeat(names.len()));
    for who in results.everybody() {
        let cells: Vec<String> = results
            .cases()
            .iter()
            .filter(|(case, _)| cases.contains(case))
            .map(|(case, _)| cell(results, who, *case))
            .collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            let name = if who == Who::Ours { "**this library**" } else { who.name() };
            let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
        }
    }
    text
}

fn cell(results: &Results, who: Who, case: Case) -> String {
    results.get(who, case).map_or_else(String::new, |row| {
        let (low, high) = row.spread();
        let note = if row.note.is_empty() { String::new() } else { format!(" {}", row.note) };
        format!("{} ({}-{}){note}", number(row.median()), number(low), number(high))
    })
}

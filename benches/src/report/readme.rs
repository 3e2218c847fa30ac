//! The figures that the project's README shows: written between two marks by the run that measured them.

use super::{Results, number};
use crate::case::{Case, Who};
use std::fmt::Write as _;

const BEGIN: &str = "<!-- costs: written by `cargo bench -p benches` -->\n";
const END: &str = "<!-- end of costs -->\n";

const ROWS: [(&str, Case); 8] = [
    ("a success", Case::Ok),
    ("a success, async", Case::OkAsync),
    ("a failure", Case::Err),
    ("a rejection", Case::Rejected),
    ("a success, two threads on one breaker", Case::OkThreads),
    ("a success in a window of 10,000 successes", Case::Calls10k),
    ("a call in a window of 10,000, of which 1 % fail", Case::Calls10kMixed),
    ("a call in a window of time", Case::TimeHigh),
];

/// `readme` with the figures of this run in their place, or what is wrong with the marks.
pub fn with_costs(readme: &str, run: &str, results: &Results) -> Result<String, String> {
    let missing = |mark: &str| format!("README.md has no line `{}`; put it back", mark.trim_end());
    let (before, rest) = readme.split_once(BEGIN).ok_or_else(|| missing(BEGIN))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| missing(END))?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", costs(run, results)))
}

fn costs(run: &str, results: &Results) -> String {
    let mut text = format!(
        "\nNanoseconds a call, the medians of {run}.\n\n| | this library | the fastest of the others |\n| --- | ---: | ---: |\n"
    );
    for (what, case) in ROWS {
        let Some(own) = results.get(Who::Ours, case) else { continue };
        let fastest = results.fastest_peer(case).map_or_else(String::new, |peer| {
            format!(
                "{}, `{}`{}",
                number(peer.median()),
                peer.who.name(),
                if peer.note.is_empty() { "" } else { " (async)" }
            )
        });
        let _ = writeln!(text, "| {what} | {} | {fastest} |", number(own.median()));
    }
    text + "\n![Nanoseconds a call, this library beside others](benches/results.svg)\n\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_the_marks_is_replaced() {
        let readme = format!("above\n{BEGIN}old figures\n{END}below\n");
        let written = with_costs(&readme, "no rounds", &Results::new(Vec::new())).unwrap();
        assert!(written.starts_with(&format!("above\n{BEGIN}")) && written.ends_with(&format!("{END}below\n")));
        assert!(written.contains("no rounds") && !written.contains("old figures"));
        assert_eq!(with_costs(&written, "no rounds", &Results::new(Vec::new())), Ok(written));
    }

    #[test]
    fn marks_that_are_gone_are_named() {
        let problem = with_costs("no marks", "", &Results::new(Vec::new())).unwrap_err();
        assert!(problem.contains("costs: written by"), "{problem}");
        assert!(with_costs(BEGIN, "", &Results::new(Vec::new())).unwrap_err().contains("end of costs"));
    }
}

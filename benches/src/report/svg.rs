//! results.svg: bars on a logarithmic scale, a panel for each kind of call.

use super::{Results, number};
use crate::case::{Case, Who};
use std::fmt::Write as _;

const PANELS: [(&str, Case); 6] = [
    ("a success", Case::Ok),
    ("a success, async", Case::OkAsync),
    ("a failure", Case::Err),
    ("a rejection", Case::Rejected),
    ("a success, two threads on one breaker", Case::OkThreads),
    ("a success in a window of time", Case::TimeHigh),
];

const WIDTH: f64 = 980.0;
const COLUMNS: usize = 2;
const PANEL: f64 = WIDTH / 2.0;
const NAMES: f64 = 198.0;
const BARS: f64 = PANEL - NAMES - 76.0;
const LINE: f64 = 19.0;
const HEAD: f64 = 54.0;
/// The scale: from a tenth of a nanosecond to ten microseconds.
const LOWEST: f64 = -1.0;
const DECADES: f64 = 5.0;

/// The picture.
pub fn picture(run: &str, results: &Results) -> String {
    let panels: Vec<(&str, Vec<(Who, f64)>)> = PANELS
        .into_iter()
        .map(|(title, case)| (title, bars(results, case)))
        .filter(|(_, bars)| !bars.is_empty())
        .collect();
    let mut body = String::new();
    let mut top = HEAD;
    for row in panels.chunks(COLUMNS) {
        let lines = row.iter().map(|(_, bars)| bars.len()).max().unwrap_or(0);
        for (column, (title, bars)) in row.iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "two columns")]
            panel(&mut body, column as f64 * PANEL, top, title, bars);
        }
        #[expect(clippy::cast_precision_loss, reason = "a dozen lines")]
        {
            top += 44.0 + lines as f64 * LINE;
        }
    }
    let height = top + 10.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" role=\"img\" \
         aria-label=\"Nanoseconds a call, this library beside others\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"14\" y=\"24\" font-size=\"16\" font-weight=\"bold\" fill=\"#1c2733\">Nanoseconds a call</text>\n\
         <text x=\"14\" y=\"42\" fill=\"#5a6672\">logarithmic; shorter is better; {run}</text>\n{body}</svg>\n"
    )
}

fn bars(results: &Results, case: Case) -> Vec<(Who, f64)> {
    let mut bars: Vec<(Who, f64)> =
        results.everybody().into_iter().filter_map(|who| Some((who, results.get(who, case)?.median()))).collect();
    bars.sort_by(|a, b| a.1.total_cmp(&b.1));
    bars
}

fn panel(body: &mut String, left: f64, top: f64, title: &str, bars: &[(Who, f64)]) {
    let _ = writeln!(
        body,
        "<text x=\"{}\" y=\"{}\" font-weight=\"bold\" fill=\"#1c2733\">{title}</text>",
        left + 14.0,
        top + 18.0
    );
    let mut y = top + 28.0;
    for (who, nanos) in bars {
        let length = ((nanos.log10() - LOWEST) / DECADES * BARS).clamp(1.0, BARS);
        let (color, weight) = match who {
            Who::Floor(_) => ("#c3ccd5", "normal"),
            Who::Ours => ("#0b6e4f", "bold"),
            Who::Peer(_) => ("#7d9bc1", "normal"),
        };
        let _ = writeln!(
            body,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-weight=\"{weight}\" fill=\"#1c2733\">{}</text>\
             <rect x=\"{}\" y=\"{}\" width=\"{length:.1}\" height=\"13\" rx=\"2\" fill=\"{color}\"/>\
             <text x=\"{:.1}\" y=\"{}\" font-weight=\"{weight}\" fill=\"#1c2733\">{}</text>",
            left + NAMES,
            y + 11.0,
            who.name(),
            left + NAMES + 8.0,
            y,
            left + NAMES + 14.0 + length,
            y + 11.0,
            number(*nanos)
        );
        y += LINE;
    }
}

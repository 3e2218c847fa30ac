//! Instructions of the hot paths, counted by callgrind: a guard that does not depend on the machine's mood.
//!
//! `cargo run --release -p benches --bin instructions` fails where a path takes more than its bound, which is generous:
//! another compiler may take a few more or less, a lost inlining takes many.

use benches::{
    call::{Digest, err, finish, ok},
    ours,
    report::facts::Instructions,
};
use std::{
    env,
    future::ready,
    hint::black_box,
    process::{Command, ExitCode},
};

/// Each path, and how many instructions it may take over the call alone.
const BOUNDS: [(&str, f64); 6] = [
    ("closed, ok", 60.0),
    ("closed, ok, async", 80.0),
    ("closed, ok, attribute", 90.0),
    ("closed, ok, attribute, async", 90.0),
    ("closed, err", 150.0),
    ("open, rejected", 450.0),
];
const CALLS: [u32; 2] = [1_000, 11_000];

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    if let (Some(path), Some(calls)) = (arguments.next(), arguments.next().and_then(|calls| calls.parse().ok())) {
        run(&path, calls);
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("valgrind is missing; install it from the package `valgrind`");
        return ExitCode::FAILURE;
    }
    let mut good = true;
    for (path, bound) in BOUNDS {
        let bare = if path.contains("err") { "bare, err" } else { "bare, ok" };
        let (Some(own), Some(bare)) = (each(path), each(bare)) else {
            eprintln!("callgrind could not count `{path}`");
            return ExitCode::FAILURE;
        };
        let row = Instructions { path: path.into(), count: (own - bare).round(), bound };
        println!("{}", row.line());
        if row.count > bound {
            eprintln!("`{path}` takes {} instructions, at most {bound} are allowed", row.count);
            good = false;
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Instructions a call: of two runs of different length the difference, so that what surrounds the calls is not in it.
fn each(path: &str) -> Option<f64> {
    let [few, many] = CALLS.map(|calls| count(path, calls));
    Some((many? - few?) / f64::from(CALLS[1] - CALLS[0]))
}

fn count(path: &str, calls: u32) -> Option<f64> {
    let program = env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([path, &calls.to_string()])
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
}

fn run(path: &str, calls: u32) {
    match path {
        "bare, ok" => repeat(calls, ok),
        "bare, err" => repeat(calls, err),
        "closed, ok" => repeat(calls, || ours::steady().run(|| ok())),
        "closed, ok, async" => repeat(calls, || finish(ours::steady().run_async(ready(ok())))),
        "closed, ok, attribute, async" => repeat(calls, || finish(ours::attributed_async())),
        "closed, ok, attribute" => repeat(calls, ours::attributed),
        "closed, err" => repeat(calls, || ours::failing().run(|| err())),
        "open, rejected" => {
            ours::open();
            repeat(calls, || ours::opened().run(|| ok()));
        }
        other => panic!("no path is named `{other}`"),
    }
}

#[inline(never)]
fn repeat<D: Digest>(calls: u32, mut call: impl FnMut() -> D) {
    for _ in 0..calls {
        black_box(call().digest());
    }
}

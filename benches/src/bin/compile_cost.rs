//! What the macros cost a build: a crate with 200 breakers and 1,000 guarded fns beside the same crate unguarded.
//!
//! `cargo run -p benches --bin compile_cost` writes both below the target folder, builds what they depend on once, and
//! then builds each of them again and again, in turns. Debug, as most builds are; `--release` for the other; `--check`
//! for what an editor waits for. The times are the processor's, so that a busy machine says the same as an idle one.

use nix::sys::resource::{UsageWho, getrusage};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, exit},
    time::Duration,
};

const BREAKERS: usize = 200;
const FNS: usize = 1_000;
const ROUNDS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("benches lies in the workspace");
    let work = root.join("target/compile-cost");
    let crates =
        [("guarded", guarded()), ("unguarded", unguarded())].map(|(name, source)| write(root, &work, name, &source));
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..=ROUNDS {
        for (folder, times) in crates.iter().zip(&mut times) {
            let time = build(folder, &work, has("--check"), has("--release"));
            // The first builds the dependencies as well.
            if round > 0 {
                times.push(time);
            }
        }
        eprintln!("round {round} of {ROUNDS}");
    }
    let [guarded, unguarded] = times.map(median);
    let more = guarded.saturating_sub(unguarded);
    println!(
        "{BREAKERS} breakers, {FNS} guarded fns, half of them async; median of {ROUNDS} builds, user and system time"
    );
    println!(
        "unguarded {unguarded:.2?}, guarded {guarded:.2?}, ratio {:.2}",
        guarded.as_secs_f64() / unguarded.as_secs_f64()
    );
    println!("a guarded fn adds {:.2?}", more / u32::try_from(FNS).expect("a thousand"));
}

fn write(root: &Path, work: &Path, name: &str, source: &str) -> PathBuf {
    let folder = work.join(name);
    fs::create_dir_all(folder.join("src")).expect("the target folder can be written");
    let breaker = root.join("breaker");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nbreaker.path = '{}'\n",
        breaker.display()
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("the target folder can be written");
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the workspace has a lock file");
    fs::write(folder.join("src/lib.rs"), source).expect("the target folder can be written");
    folder
}

/// Touches the crate and builds it alone.
fn build(folder: &Path, work: &Path, check: bool, release: bool) -> Duration {
    let source = folder.join("src/lib.rs");
    let text = fs::read_to_string(&source).expect("it was written");
    fs::write(&source, text).expect("it was written");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.arg(if check { "check" } else { "build" }).arg("--quiet").args(release.then_some("--release"));
    cargo.current_dir(folder).env("CARGO_TARGET_DIR", work.join("target")).env("CARGO_INCREMENTAL", "0");
    let before = spent();
    if !cargo.status().is_ok_and(|status| status.success()) {
        exit(1);
    }
    spent().saturating_sub(before)
}

/// The processor's time in all builds so far, compilers and linkers included.
fn spent() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system counts");
    let micros = [usage.user_time(), usage.system_time()].map(|time| time.tv_sec() * 1_000_000 + time.tv_usec());
    Duration::from_micros(micros.iter().sum::<i64>().unsigned_abs())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn guarded() -> String {
    let mut source = String::from("breaker::breakers! {\n");
    for at in 0..BREAKERS {
        let _ = writeln!(
            source,
            "    pub breaker_{at} {{ strategy: Count {{ threshold: 5 }}, recover: BasicTimeout {{ reset_timeout: 30s }} }}"
        );
    }
    source.push_str("}\n");
    fns(&mut source, |at| format!("#[breaker::circuit_breaker(breaker_{})]\n", at % BREAKERS));
    source
}

fn unguarded() -> String {
    let mut source = String::new();
    for at in 0..BREAKERS {
        let _ = writeln!(source, "pub static BREAKER_{at}: std::sync::Mutex<u32> = std::sync::Mutex::new(5);");
    }
    fns(&mut source, |_| String::new());
    source
}

fn fns(source: &mut String, attribute: impl Fn(usize) -> String) {
    for at in 0..FNS {
        let attribute = attribute(at);
        let asynchronous = if at % 2 == 0 { "async " } else { "" };
        let _ = write!(
            source,
            "{attribute}pub {asynchronous}fn call_{at}(order: &str, cents: u64) -> Result<u64, breaker::Error<std::num::ParseIntError>> {{
    let units: u64 = order.parse().map_err(breaker::Error::Inner)?;
    if units == 0 {{
        return Ok(cents);
    }}
    Ok(units * cents)
}}
"
        );
    }
}

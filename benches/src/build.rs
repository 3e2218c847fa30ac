//! How long a crate takes to build that depends on this library, beside one that depends on what its macros need.

use crate::report::facts::Build;
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// Builds of each, in turns; the quicker one counts.
const ROUNDS: usize = 3;

/// From nothing, debug, without the network; `None` where that does not work.
pub fn measure() -> Option<Build> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let work = std::env::temp_dir().join(format!("breaker-build-{}", std::process::id()));
    let times = both(root, &work);
    let _ = fs::remove_dir_all(&work);
    times.ok().map(|[ours, parts]| Build { ours, parts })
}

fn both(root: &Path, work: &Path) -> io::Result<[f64; 2]> {
    let macros = fs::read_to_string(root.join("Cargo.toml"))?;
    let shared = |name: &str| {
        let line = macros.lines().find(|line| line.starts_with(&format!("{name} = ")));
        line.unwrap_or_default().to_owned()
    };
    let parts = ["darling", "quote", "syn"].map(shared).join("\n");
    let ours = format!("breaker = {{ path = \"{}\" }}", root.join("breaker").display());
    let crates = [("ours", ours), ("parts", parts)];
    let folders: Vec<PathBuf> =
        crates.iter().map(|(name, needs)| write(root, work, name, needs)).collect::<io::Result<_>>()?;
    let mut least = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (folder, least) in folders.iter().zip(&mut least) {
            *least = least.min(build(folder)?);
        }
    }
    Ok(least)
}

fn write(root: &Path, work: &Path, name: &str, needs: &str) -> io::Result<PathBuf> {
    let folder = work.join(name);
    fs::create_dir_all(folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{needs}\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/lib.rs"), "")?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

fn build(folder: &Path) -> io::Result<f64> {
    let target = folder.join("target");
    let _ = fs::remove_dir_all(&target);
    let start = Instant::now();
    let status = Command::new("cargo")
        .args(["build", "--offline", "--quiet"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", &target)
        .stderr(Stdio::null())
        .status()?;
    if status.success() { Ok(start.elapsed().as_secs_f64()) } else { Err(io::Error::other("it does not build")) }
}

//! `cargo run -p benches --bin behaviour`: what each library does where breakers go wrong; written to BEHAVIOUR.md.

use benches::behaviour::Table;
use std::{fs, path::Path};

fn main() -> std::io::Result<()> {
    println!("{}", benches::NOTES);
    // The bodies panic on purpose.
    std::panic::set_hook(Box::new(|_| ()));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(8).enable_all().build()?;
    let table = runtime.block_on(Table::run(|title| eprintln!("trying: {title}")));
    println!("{}", table.text());
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("BEHAVIOUR.md"), table.markdown())?;
    println!("written: benches/BEHAVIOUR.md");
    // A library that is stuck keeps its threads.
    runtime.shutdown_background();
    Ok(())
}

//! What it looks like when a dependency fails and comes back: a shop, a card processor, one breaker between them.
//!
//! ```text
//! cargo run --example payments               a tour of some seven seconds; ends non-zero if it does not hold
//! cargo run --example payments -- --serve    the same, and then the switch is yours
//! ```

mod client;
mod resilience;
mod serve;
mod server;
mod story;
mod timeline;

use server::Processor;
use std::{error::Error, process::ExitCode, time::Duration};
use story::Shop;
use timeline::Timeline;
use tokio::time::timeout;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let serve = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--serve") => true,
        Some(other) => {
            eprintln!("{other} is not known; `--serve` is all there is");
            return ExitCode::from(2);
        }
    };
    match run(serve).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nFAILED: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(serve: bool) -> Result<(), Box<dyn Error>> {
    let processor = Processor::start().await?;
    println!("The card processor listens on {}; `payments` is the breaker before it.\n", processor.url());
    let timeline = Timeline::start(processor.reached());
    let mut shop = Shop::new(processor, timeline);
    timeout(Duration::from_secs(30), story::tell(&mut shop))
        .await
        .map_err(|_| "the tour does not come to its end")??;
    println!("\n{}", story::check(&shop.timeline)?);
    if serve {
        serve::serve(&mut shop).await?;
    }
    Ok(())
}

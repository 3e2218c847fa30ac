//! `--serve`: the shop stays open, and the switch is an endpoint.

use crate::{
    server::{Mode, Processor},
    story::{NAME, Shop},
};
use axum::{
    Router,
    extract::{Path, State},
    http::StatusCode,
    routing::{get, post},
};
use std::{
    convert::Infallible,
    error::Error,
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    net::TcpListener,
    sync::watch,
    time::{Instant, sleep},
};

/// So often a row is shown while nothing changes.
const ROW: Duration = Duration::from_secs(10);

#[derive(Clone)]
struct Panel {
    lever: watch::Sender<Mode>,
    reached: Arc<AtomicU64>,
}

/// Never comes back but with an error: the program is ended from outside.
pub(crate) async fn serve(shop: &mut Shop) -> Result<Infallible, Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let url = format!("http://{}", listener.local_addr()?);
    let server = tokio::spawn(axum::serve(listener, router(&shop.processor)).into_future());
    shop.timeline.heading("The shop stays open, at two orders a second, until you press Ctrl-C.");
    println!("  status   curl {url}/status");
    for mode in Mode::ALL {
        println!("  switch   curl -X POST {url}/processor/{mode}");
    }
    let mut mode = shop.processor.mode();
    let mut row = Instant::now();
    while !server.is_finished() {
        if mode != shop.processor.mode() {
            mode = shop.processor.mode();
            shop.timeline.heading(&format!("The processor is switched to {mode}."));
        } else if row.elapsed() > ROW {
            shop.timeline.look();
            row = Instant::now();
        }
        shop.charge(1_999).await;
        sleep(Duration::from_millis(400)).await;
    }
    server.await??;
    Err("the endpoints are gone".into())
}

fn router(processor: &Processor) -> Router {
    let panel = Panel { lever: processor.lever(), reached: processor.reached() };
    Router::new().route("/status", get(status)).route("/processor/{mode}", post(switch)).with_state(panel)
}

async fn switch(State(panel): State<Panel>, Path(mode): Path<String>) -> (StatusCode, String) {
    match mode.parse::<Mode>() {
        Ok(mode) => {
            panel.lever.send_replace(mode);
            (StatusCode::OK, format!("the processor is {mode}\n"))
        }
        Err(error) => (StatusCode::NOT_FOUND, format!("{error}\n")),
    }
}

async fn status(State(panel): State<Panel>) -> (StatusCode, String) {
    let mode = *panel.lever.borrow();
    let reached = panel.reached.load(Ordering::SeqCst);
    match breaker::snapshot(NAME) {
        Ok(snapshot) => (StatusCode::OK, format!("{snapshot}\nprocessor: {mode}, {reached} requests reached it\n")),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")),
    }
}

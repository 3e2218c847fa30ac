//! The card processor: a real server on a loopback port, with a switch.

use axum::{
    Router,
    extract::{Path, State},
    http::StatusCode,
    routing::post,
};
use std::{
    fmt, io,
    net::{Ipv4Addr, SocketAddr},
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{net::TcpSocket, sync::watch, time::sleep};

/// Cards are good for less than this.
const LIMIT: u32 = 100_000;

/// How the processor behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Healthy,
    /// It answers 503.
    Failing,
    /// It answers after longer than anybody waits.
    Slow,
    /// It accepts no connection, and has closed those that were open.
    Down,
}

impl Mode {
    pub(crate) const ALL: [Self; 4] = [Self::Healthy, Self::Failing, Self::Slow, Self::Down];
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Healthy => "healthy",
            Self::Failing => "failing",
            Self::Slow => "slow",
            Self::Down => "down",
        })
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|mode| mode.to_string() == text);
        named.ok_or_else(|| format!("no such mode: {text}; give one of healthy, failing, slow, down"))
    }
}

/// The processor as the rest of the program sees it; the server runs in a task of its own.
#[derive(Debug)]
pub(crate) struct Processor {
    address: SocketAddr,
    mode: watch::Sender<Mode>,
    accepting: watch::Receiver<bool>,
    reached: Arc<AtomicU64>,
}

#[derive(Clone)]
struct Shared {
    mode: watch::Receiver<Mode>,
    reached: Arc<AtomicU64>,
}

impl Processor {
    pub(crate) async fn start() -> io::Result<Self> {
        let socket = bind((Ipv4Addr::LOCALHOST, 0).into())?;
        let address = socket.local_addr()?;
        let (mode, changes) = watch::channel(Mode::Healthy);
        let (accepts, accepting) = watch::channel(false);
        let reached = Arc::new(AtomicU64::new(0));
        let shared = Shared { mode: changes, reached: Arc::clone(&reached) };
        tokio::spawn(run(socket, shared, accepts));
        let mut processor = Self { address, mode, accepting, reached };
        processor.settled().await?;
        Ok(processor)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn mode(&self) -> Mode {
        *self.mode.borrow()
    }

    /// How many requests have really come in.
    pub(crate) fn reached(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.reached)
    }

    /// Turns the switch, and waits until it has taken effect.
    pub(crate) async fn switch(&mut self, mode: Mode) -> io::Result<()> {
        self.mode.send_replace(mode);
        self.settled().await
    }

    /// A handle on the switch for those that need not wait.
    pub(crate) fn lever(&self) -> watch::Sender<Mode> {
        self.mode.clone()
    }

    async fn settled(&mut self) -> io::Result<()> {
        let up = self.mode() != Mode::Down;
        let settled = self.accepting.wait_for(|accepting| *accepting == up).await;
        settled.map(|_| ()).map_err(|_| io::Error::other("the processor's server has ended"))
    }
}

/// A socket that holds its port; nobody can connect before it listens.
fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    // What the last listener's connections left behind does not keep the port from us.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

async fn run(mut socket: TcpSocket, shared: Shared, accepts: watch::Sender<bool>) -> io::Result<()> {
    let address = socket.local_addr()?;
    let router = Router::new().route("/charges/{order}", post(charge)).with_state(shared.clone());
    let mut mode = shared.mode;
    loop {
        let listener = socket.listen(64)?;
        accepts.send_replace(true);
        let mut down = mode.clone();
        let until_down = async move {
            // Nobody to turn the switch: the program is ending.
            let _ = down.wait_for(|mode| *mode == Mode::Down).await;
        };
        axum::serve(listener, router.clone()).with_graceful_shutdown(until_down).await?;
        socket = bind(address)?;
        accepts.send_replace(false);
        if mode.wait_for(|mode| *mode != Mode::Down).await.is_err() {
            return Ok(());
        }
    }
}

async fn charge(
    State(Shared { mut mode, reached }): State<Shared>,
    Path(order): Path<u32>,
    cents: String,
) -> (StatusCode, String) {
    reached.fetch_add(1, Ordering::SeqCst);
    let asked_in = *mode.borrow_and_update();
    match asked_in {
        Mode::Healthy if cents.parse().is_ok_and(|cents: u32| cents < LIMIT) => (StatusCode::OK, format!("R-{order}")),
        Mode::Healthy => (StatusCode::PAYMENT_REQUIRED, "declined".into()),
        Mode::Slow => {
            // Whoever still waits when the switch is turned is told so at once.
            tokio::select! {
                () = sleep(Duration::from_secs(10)) => (StatusCode::OK, format!("R-{order}")),
                _ = mode.changed() => (StatusCode::SERVICE_UNAVAILABLE, "restarting".into()),
            }
        }
        Mode::Failing | Mode::Down => (StatusCode::SERVICE_UNAVAILABLE, "out of order".into()),
    }
}

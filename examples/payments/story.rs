//! The script: health, a blip, an outage, open, a failing probe, recovery.

use crate::{
    client::{Client, Order, PayError},
    server::{Mode, Processor},
    timeline::Timeline,
};
use breaker::{LookupError, Status};
use std::{error::Error, sync::Arc, time::Duration};
use tokio::{
    task::yield_now,
    time::{Instant, sleep},
};

/// The name that the breaker is asked for by.
pub(crate) const NAME: &str = "payments";

/// Between one call and the next.
const PACE: Duration = Duration::from_millis(100);

type Told = Result<(), Box<dyn Error>>;

/// The shop that charges cards.
#[derive(Debug)]
pub(crate) struct Shop {
    pub(crate) processor: Processor,
    pub(crate) timeline: Timeline,
    client: Arc<Client>,
    orders: u32,
}

impl Shop {
    pub(crate) fn new(processor: Processor, timeline: Timeline) -> Self {
        let client = Arc::new(Client::new(&processor.url()));
        Self { processor, timeline, client, orders: 0 }
    }

    /// One customer pays, and then a little time goes by.
    pub(crate) async fn charge(&mut self, cents: u32) {
        let (reply, took) = charge(Arc::clone(&self.client), self.order(cents)).await;
        self.timeline.got(reply, took);
        sleep(PACE).await;
    }

    async fn charges(&mut self, count: u32) {
        for _ in 0..count {
            self.charge(1_999).await;
        }
    }

    fn order(&mut self, cents: u32) -> Order {
        self.orders += 1;
        Order { number: self.orders, cents }
    }

    /// Customers go on while the breaker is open, but for the last moment, so that time alone ends the stay.
    async fn charge_while_open(&mut self) -> Result<(), LookupError> {
        while breaker::snapshot(NAME)?.retry_after.is_some_and(|left| left > 2 * PACE) {
            self.charge(1_999).await;
        }
        Ok(())
    }

    /// Nobody calls until the breaker is half open.
    async fn wait_until_half_open(&mut self) -> Result<(), LookupError> {
        while let Some(left) = breaker::snapshot(NAME)?.retry_after {
            sleep(left).await;
        }
        self.timeline.look();
        Ok(())
    }
}

/// What a customer got, and how long it took.
async fn charge(client: Arc<Client>, order: Order) -> (String, Duration) {
    let asked = Instant::now();
    let reply = client.charge(order).await;
    let took = asked.elapsed();
    (reply.map_or_else(|error: PayError| error.to_string(), |_| "ok".to_owned()), took)
}

pub(crate) async fn tell(shop: &mut Shop) -> Told {
    health(shop).await?;
    outage(shop).await?;
    failing_probe(shop).await?;
    recovery(shop).await
}

async fn health(shop: &mut Shop) -> Told {
    shop.timeline.heading("The processor is healthy. A declined card is its answer, not its failure.");
    shop.timeline.begins(breaker::status(NAME)?);
    shop.charges(6).await;
    shop.charge(250_000).await;
    shop.charges(1).await;

    shop.timeline.heading("A blip: it accepts no connection. Three failures are not the five in a row that open.");
    shop.processor.switch(Mode::Down).await?;
    shop.charges(3).await;
    shop.processor.switch(Mode::Healthy).await?;
    shop.charges(2).await;
    Ok(())
}

async fn outage(shop: &mut Shop) -> Told {
    shop.timeline.heading("An outage: it answers 503. The fifth failure in a row opens the breaker.");
    shop.processor.switch(Mode::Failing).await?;
    while breaker::status(NAME)? == Status::Closed {
        shop.charge(1_999).await;
    }

    shop.timeline.heading("Open: nobody waits, and the processor is left alone.");
    shop.charge_while_open().await?;
    shop.timeline.explain(&breaker::explain(NAME)?);
    Ok(())
}

async fn failing_probe(shop: &mut Shop) -> Told {
    shop.timeline.heading("It is back, but hangs. One caller probes and times out; the others are still rejected.");
    shop.processor.switch(Mode::Slow).await?;
    shop.wait_until_half_open().await?;
    let order = shop.order(1_999);
    let probe = tokio::spawn(charge(Arc::clone(&shop.client), order));
    while breaker::status(NAME)? == Status::HalfOpen && !probe.is_finished() {
        yield_now().await;
    }
    shop.charges(3).await;
    let (reply, took) = probe.await?;
    shop.timeline.got(reply, took);
    shop.charge_while_open().await?;
    Ok(())
}

async fn recovery(shop: &mut Shop) -> Told {
    shop.timeline.heading("It is healthy again. The next probe succeeds and closes the breaker.");
    shop.processor.switch(Mode::Healthy).await?;
    shop.wait_until_half_open().await?;
    shop.charges(6).await;
    shop.timeline.look();
    Ok(())
}

/// Whether the timeline shows what it is there to show.
pub(crate) fn check(timeline: &Timeline) -> Result<String, String> {
    use Status::{Closed, HalfOpen, Open, Probing};

    let expected = [Closed, Open, HalfOpen, Probing, Open, HalfOpen, Probing, Closed];
    let mut states = vec![Closed];
    states.extend(timeline.changes.iter().map(|change| change.to));
    if states != expected {
        return Err(format!("the states came as {}, not as {}", list(&states), list(&expected)));
    }
    let mut stays = Vec::new();
    for stay in timeline.changes.windows(2) {
        let (opened, over) = (&stay[0], &stay[1]);
        if opened.to != Open {
            continue;
        }
        if opened.reached != over.reached {
            return Err(format!("the processor's count went from {} to {} while open", opened.reached, over.reached));
        }
        stays.push(opened.reached.to_string());
    }
    Ok(format!(
        "states: {}\nwhile open the processor's count stood still: at {}",
        list(&states),
        stays.join(", then at ")
    ))
}

fn list(states: &[Status]) -> String {
    states.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

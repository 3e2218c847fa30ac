//! Each library behind the one shape, set up so that one failure opens it and one success closes it.

#![expect(clippy::unnecessary_wraps, reason = "some refuse to be built, and all have one shape")]

use super::{Body, Got, Make, Peer};
use crate::call::{Failed, Outcome};
use std::{
    future::Future,
    iter::repeat,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};

type Call = Pin<Box<dyn Future<Output = Got> + Send>>;

/// All, this one first.
pub(super) const ALL: [(&str, Make); 12] = [
    ("this library", ours),
    ("failsafe 1.3", failsafe),
    ("recloser 1.4", recloser),
    ("nobreak 0.1", nobreak),
    ("circuit_breaker 0.1", circuit_breaker),
    ("circuitbreaker-rs 0.1", circuitbreaker_rs),
    ("seatbelt 0.11", seatbelt),
    ("breaker-machines 0.17", machines),
    ("execution-policy 0.0.6", execution_policy),
    ("tower-resilience 0.14", tower),
    ("breaker 2.0 (another project's)", other),
    ("arcly-http 0.9", arcly),
];

/// A breaker, and how it is called.
struct With<B, F> {
    breaker: Arc<B>,
    call: F,
    is_async: bool,
}

impl<B: Send + Sync, F: Fn(Arc<B>, Body) -> Call + Send + Sync> Peer for With<B, F> {
    fn call(&self, body: Body) -> Call {
        (self.call)(Arc::clone(&self.breaker), body)
    }

    fn is_async(&self) -> bool {
        self.is_async
    }
}

fn with<B: Send + Sync + 'static>(
    breaker: B,
    call: impl Fn(Arc<B>, Body) -> Call + Send + Sync + 'static,
) -> Arc<dyn Peer> {
    Arc::new(With { breaker: Arc::new(breaker), call, is_async: true })
}

fn got<T, E>(called: Result<T, E>, failed: impl Fn(&E) -> bool) -> Got {
    match called {
        Ok(_) => Got::Ok,
        Err(error) if failed(&error) => Got::Err,
        Err(_) => Got::Rejected,
    }
}

fn ours(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    use breaker::{BasicTimeout, Breaker, Count, Error};
    let strategy = Count { threshold: failures, ..Count::DEFAULT };
    let probing_timeout = Duration::from_millis(100);
    let recover = BasicTimeout { reset_timeout: open, probing_timeout, ..BasicTimeout::DEFAULT };
    let breaker = Breaker::new("tried", strategy, recover).map_err(|error| error.to_string())?;
    Ok(with(breaker, |breaker, body| {
        Box::pin(async move { got(breaker.run_async(body).await, |error| matches!(error, Error::Inner(_))) })
    }))
}

fn failsafe(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    use failsafe::{Config, Error, failure_policy::consecutive_failures, futures::CircuitBreaker};
    let breaker = Config::new().failure_policy(consecutive_failures(failures, repeat(open))).build();
    Ok(with(breaker, |breaker, body| {
        Box::pin(async move { got(breaker.call(body).await, |error| matches!(error, Error::Inner(_))) })
    }))
}

fn recloser(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    use recloser::{AsyncRecloser, Error, Recloser};
    let ring =
        Recloser::custom().closed_len(failures as usize).half_open_len(1).error_rate(0.5).open_wait(open).build();
    Ok(with(AsyncRecloser::from(ring), |breaker, body| {
        Box::pin(async move { got(breaker.call(body).await, |error| matches!(error, Error::Inner(_))) })
    }))
}

fn nobreak(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    let builder = nobreak::builder().with_failure_threshold(failures as usize).with_success_threshold(1);
    Ok(with(builder.with_open_duration(open).build(), |breaker, body| {
        Box::pin(async move {
            got(breaker.call_async(|| body).await, |error| matches!(error, nobreak::CircuitError::Failed { .. }))
        })
    }))
}

/// Sync only: each call has a thread, which cannot be dropped.
fn circuit_breaker(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    let breaker = Arc::new(circuit_breaker::CircuitBreaker::new(failures, open));
    let call = |breaker: Arc<circuit_breaker::CircuitBreaker>, body: Body| -> Call {
        Box::pin(async move {
            let runtime = tokio::runtime::Handle::current();
            let ran = Arc::new(Mutex::new(false));
            let inside = Arc::clone(&ran);
            let called = tokio::task::spawn_blocking(move || {
                let called = breaker.execute(|| {
                    if let Ok(mut ran) = inside.lock() {
                        *ran = true;
                    }
                    runtime.block_on(body)
                });
                called.is_ok()
            });
            match called.await {
                Ok(true) => Got::Ok,
                // Its error is a boxed one for both.
                Ok(false) if ran.lock().is_ok_and(|ran| *ran) => Got::Err,
                Ok(false) => Got::Rejected,
                Err(_) => Got::Panic,
            }
        })
    };
    Ok(Arc::new(With { breaker, call, is_async: false }))
}

fn circuitbreaker_rs(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    use circuitbreaker_rs::{BreakerBuilder, BreakerError, CircuitBreaker, DefaultPolicy};
    let builder = BreakerBuilder::new().failure_threshold(2.0).consecutive_failures(failures.into());
    let breaker: CircuitBreaker<DefaultPolicy, Failed> =
        builder.consecutive_successes(1).probe_interval(1).cooldown(open).build();
    Ok(with(breaker, |breaker, body| {
        Box::pin(
            async move { got(breaker.call_async(|| body).await, |error| matches!(error, BreakerError::Operation(_))) },
        )
    }))
}

#[derive(Clone, Copy, Debug)]
enum Turned {
    Inner,
    Away,
}

fn seatbelt(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    use layered::{Execute, Service as _, Stack as _};
    use seatbelt::{
        RecoveryInfo, ResilienceContext,
        breaker::{Breaker, HalfOpenMode},
    };
    type Out = Result<u64, Turned>;
    let context = ResilienceContext::<Body, Out>::new(tick::Clock::new_tokio()).name("tried");
    let breaker = Breaker::layer("tried", &context)
        .recovery_with(|result: &Out, _| match result {
            Ok(_) => RecoveryInfo::never(),
            Err(_) => RecoveryInfo::retry(),
        })
        .rejected_input_error(|_, _| Turned::Away)
        .failure_threshold(0.01)
        .min_throughput(failures)
        .break_duration(open)
        .half_open_mode(HalfOpenMode::quick());
    let service =
        (breaker, Execute::new(|body: Body| async move { body.await.map_err(|_| Turned::Inner) })).into_service();
    Ok(with(service, |service, body| {
        Box::pin(async move { got(service.execute(body).await, |error| matches!(error, Turned::Inner)) })
    }))
}

fn machines(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    use breaker_machines::{CircuitBreaker, CircuitError};
    let builder = CircuitBreaker::builder("tried").failure_threshold(failures as usize).success_threshold(1);
    let breaker = builder.failure_window_secs(60.0).half_open_timeout_secs(open.as_secs_f64()).build_async();
    Ok(with(breaker, |breaker, body| {
        Box::pin(async move { got(breaker.call(|| body).await, |error| matches!(error, CircuitError::Execution(_))) })
    }))
}

fn execution_policy(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    use execution_policy::{CircuitBreaker, ExecutionPolicyBuilder};
    let breaker = CircuitBreaker::consecutive_failures(failures).open_for(open);
    let policy = ExecutionPolicyBuilder::<u64, Failed>::new().circuit_breaker(breaker).build();
    Ok(with(policy, |policy, body| {
        Box::pin(async move {
            let body = Mutex::new(Some(body));
            let once = || body.lock().expect("nobody panics").take().expect("it is not tried again");
            got(policy.run_boxed(once).await, |error| !error.is_circuit_open())
        })
    }))
}

#[derive(Clone)]
struct Inner;

impl tower::Service<Body> for Inner {
    type Response = u64;
    type Error = Failed;
    type Future = Pin<Box<dyn Future<Output = Outcome> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failed>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, body: Body) -> Self::Future {
        body
    }
}

fn tower(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    use tower::{Layer as _, Service as _, ServiceExt as _};
    use tower_resilience_circuitbreaker::{CircuitBreakerError, CircuitBreakerLayer};
    let builder = CircuitBreakerLayer::builder().consecutive_failures(failures as usize);
    let layer = builder.permitted_calls_in_half_open(1).wait_duration_in_open(open).build();
    let service = layer.map_err(|error| error.to_string())?.layer(Inner);
    Ok(with(service, |service, body| {
        Box::pin(async move {
            let mut service = (*service).clone();
            match service.ready().await {
                Ok(ready) => got(ready.call(body).await, |error| matches!(error, CircuitBreakerError::Inner(_))),
                Err(_) => Got::Rejected,
            }
        })
    }))
}

fn other(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    use other_breaker::{BackoffStrategy, CircuitBreaker, CircuitBreakerConfig, CircuitBreakerError};
    let config = CircuitBreakerConfig::builder().failure_rate_threshold(0.0).consecutive_failures(failures);
    let config = config.backoff(BackoffStrategy::Fixed(open)).half_open_max_calls(1).success_threshold(1);
    Ok(with(CircuitBreaker::new(config.build()), |breaker, body| {
        Box::pin(
            async move { got(breaker.call(|| body).await, |error| matches!(error, CircuitBreakerError::Failure(_))) },
        )
    }))
}

fn arcly(failures: u32, open: Duration) -> Result<Arc<dyn Peer>, String> {
    let breaker = arcly_http_core::resilience::CircuitBreaker::new(failures, open);
    Ok(with(breaker, |breaker, body| {
        Box::pin(async move {
            let mut body = Some(body);
            match breaker.execute(|| body.take().expect("it is not tried again")).await {
                Ok(called) => got(called, |_| true),
                Err(_) => Got::Rejected,
            }
        })
    }))
}

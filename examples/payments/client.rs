//! The client of the card processor: the guarded fn, and the errors that say whose fault a failure is.

use crate::resilience::payments;
use breaker::{Outcome, circuit_breaker};
use reqwest::StatusCode;

/// What is to be paid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) number: u32,
    pub(crate) cents: u32,
}

/// Why it was not paid.
#[derive(Debug, thiserror::Error, breaker::Classify)]
pub(crate) enum PayError {
    /// The processor works; the card does not.
    #[error("declined")]
    #[breaker(success)]
    Declined,
    #[error("answered {}", .0.as_u16())]
    #[breaker(classify = by_status)]
    Status(StatusCode),
    #[error("{}", if .0.is_connect() { "refused" } else { "cut off" })]
    Unreachable(#[from] reqwest::Error),
    #[error("timed out")]
    TimedOut(#[from] breaker::TimedOut),
    #[error("rejected")]
    #[breaker(rejected)]
    Rejected(#[from] breaker::Rejected),
}

/// A request that the processor calls wrong says nothing about the processor.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the derive gives fields by reference")]
fn by_status(status: &StatusCode) -> Outcome {
    if status.is_server_error() { Outcome::failure().cause("the processor answered 5xx") } else { Outcome::Ignored }
}

#[derive(Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    url: String,
}

impl Client {
    pub(crate) fn new(url: &str) -> Self {
        Self { http: reqwest::Client::new(), url: url.to_owned() }
    }

    /// Charges a card; gives the number of the receipt.
    #[circuit_breaker(payments, timeout = 1s)]
    pub(crate) async fn charge(&self, order: Order) -> Result<String, PayError> {
        let url = format!("{}/charges/{}", self.url, order.number);
        let answer = self.http.post(url).body(order.cents.to_string()).send().await?;
        match answer.status() {
            StatusCode::PAYMENT_REQUIRED => Err(PayError::Declined),
            status if status.is_success() => Ok(answer.text().await?),
            status => Err(PayError::Status(status)),
        }
    }
}

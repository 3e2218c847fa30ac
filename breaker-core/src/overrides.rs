//! An operator's word over the strategy's.

use std::{borrow::Cow, time::Duration};

/// A breaker held open or closed by somebody, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Override {
    /// How long it lasts; `None`: until further notice.
    pub lasting: Option<Duration>,
    /// Why.
    pub reason: Option<Cow<'static, str>>,
    /// Who.
    pub actor: Option<Cow<'static, str>>,
}

impl Override {
    /// One that ends by itself after `duration`.
    pub const fn lasting(duration: Duration) -> Self {
        Self { lasting: Some(duration), reason: None, actor: None }
    }

    /// One that lasts until further notice: `force_open`.
    pub(crate) const fn forced() -> Self {
        Self { lasting: None, reason: None, actor: None }
    }

    /// The same, with a reason.
    #[must_use]
    pub fn reason(self, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { reason: Some(reason.into()), ..self }
    }

    /// The same, with who ordered it.
    #[must_use]
    pub fn actor(self, actor: impl Into<Cow<'static, str>>) -> Self {
        Self { actor: Some(actor.into()), ..self }
    }
}

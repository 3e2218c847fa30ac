//! Who a breaker is: what its declaration, or its builder, says besides strategy and recover.

use crate::{error::Place, event::Event, name::Name};
use std::time::Duration;

/// What an entry of `breakers!` says besides strategy and recover.
#[doc(hidden)]
#[derive(Debug)]
pub struct Declaration {
    /// The name, without `r#`.
    pub name: &'static str,
    /// The module that it was declared in.
    pub module: &'static str,
    /// The file.
    pub file: &'static str,
    /// The line.
    pub line: u32,
    /// From which age on a call that is dropped counts as a failure (R14).
    pub abandoned_after: Duration,
    /// Told of every event of this breaker.
    pub on_event: Option<fn(&Event)>,
}

impl Declaration {
    /// One second (R14).
    pub const ABANDONED_AFTER: Duration = Duration::from_secs(1);
}

/// A declared breaker's, or one built at run time.
#[derive(Debug)]
pub(crate) enum Identity {
    Declared(&'static Declaration),
    Built(Box<Built>),
}

#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) name: Name,
    pub(crate) abandoned_after: Duration,
}

impl Identity {
    pub(crate) fn name(&self) -> Name {
        match self {
            Self::Declared(declaration) => Name::from_static(declaration.name),
            Self::Built(built) => built.name.clone(),
        }
    }

    pub(crate) fn module(&self) -> &'static str {
        match self {
            Self::Declared(declaration) => declaration.module,
            Self::Built(_) => "",
        }
    }

    pub(crate) fn abandoned_after(&self) -> Duration {
        match self {
            Self::Declared(declaration) => declaration.abandoned_after,
            Self::Built(built) => built.abandoned_after,
        }
    }

    pub(crate) fn on_event(&self) -> Option<fn(&Event)> {
        match self {
            Self::Declared(declaration) => declaration.on_event,
            Self::Built(_) => None,
        }
    }

    pub(crate) fn place(&self) -> Place {
        let (file, line) = match self {
            Self::Declared(declaration) => (declaration.file, declaration.line),
            Self::Built(_) => ("", 0),
        };
        let name = self.name();
        let module = self.module();
        let path = if module.is_empty() { name.to_string() } else { format!("{module}::{name}") };
        Place { path, file, line }
    }
}

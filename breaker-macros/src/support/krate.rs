//! The path that expansions use to reach the library.

use proc_macro2::{Ident, Span};
use syn::{Path, PathSegment, token::PathSep};

/// `::breaker`, unless `crate = path` says otherwise.
pub(crate) fn default() -> Path {
    let span = Span::mixed_site();
    Path {
        leading_colon: Some(PathSep(span)),
        segments: [PathSegment::from(Ident::new("breaker", span))].into_iter().collect(),
    }
}

//! The path that expansions use to reach the library.

use crate::support::tokens::placed;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Path, PathSegment, token::PathSep};

/// `::breaker`, unless `crate = path` says otherwise.
pub(crate) fn default() -> Path {
    let span = Span::mixed_site();
    Path {
        leading_colon: Some(PathSep(span)),
        segments: [PathSegment::from(Ident::new("breaker", span))].into_iter().collect(),
    }
}

/// The path for a place, where it is not the user's: theirs is wrong at one place only.
pub(crate) fn at_place(krate: &Path, span: Span) -> TokenStream {
    let ours = krate.leading_colon.is_some() && krate.segments.len() == 1 && krate.segments[0].ident == "breaker";
    if ours { placed(krate, span) } else { krate.to_token_stream() }
}

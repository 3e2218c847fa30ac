//! `#[circuit_breaker]`: a fn becomes the same fn around a call into the library.

mod check;
mod expand;
mod options;
mod returns;
mod syntax;

use crate::support::Errors;
use proc_macro2::TokenStream;

/// Tokens to syntax to checked model to tokens; on any mistake the fn as it came, then the mistakes.
pub(crate) fn attribute(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let args = syntax::args(args, &mut errors);
    let as_it_came = item.clone();
    let checked = syntax::item(item, &mut errors).and_then(|item| check::check(args, item, &mut errors));
    match checked {
        Some(guarded) if errors.is_empty() => expand::expand(&guarded),
        _ => [as_it_came, errors.into_tokens()].into_iter().collect(),
    }
}

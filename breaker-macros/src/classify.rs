//! `#[derive(Classify)]`: marks on an error become the outcomes it stands for.

mod check;
mod expand;
mod syntax;

use crate::support::Errors;
use proc_macro2::TokenStream;

/// Tokens to syntax to checked model to tokens; a wrong mark is told and counts as none.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let checked = syntax::read(input, &mut errors).and_then(|input| check::check(input, &mut errors));
    let mut out = checked.map_or_else(TokenStream::new, |error| expand::expand(&error));
    out.extend(errors.into_tokens());
    out
}

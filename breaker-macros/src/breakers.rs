//! `breakers!`: a declaration becomes an accessor fn, a static and a registry entry for each name.

mod check;
mod expand;
mod settings;
mod shipped;
mod syntax;
mod values;

use crate::support::Errors;
use proc_macro2::TokenStream;

/// Tokens to syntax to checked model to tokens; the good entries are there whatever the bad ones say.
pub(crate) fn declare(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let declaration = syntax::read(input, &mut errors);
    let module = check::check(declaration, &mut errors);
    let mut out = expand::expand(&module);
    out.extend(errors.into_tokens());
    out
}

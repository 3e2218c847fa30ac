//! All mistakes of one macro call, told at once.

use proc_macro2::{Span, TokenStream};
use std::fmt::Display;

/// The mistakes found so far, in the order of the source.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds a mistake at one token.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.0.push(syn::Error::new(span, message));
    }

    /// Adds what a parser found.
    pub(crate) fn add(&mut self, error: syn::Error) {
        self.0.extend(error);
    }

    /// Adds what darling found; its errors come in one bundle.
    pub(crate) fn add_all(&mut self, errors: darling::Error) {
        self.0.extend(errors.flatten().into_iter().map(syn::Error::from));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A `compile_error!` each. The user's item goes in front of it.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }

    #[cfg(test)]
    pub(crate) fn messages(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
}

//! The macros of the `breaker` crate; use them from there.
//!
//! All three take the same way: tokens, `syntax` (their shape, no rules), `check` (every rule, all mistakes at once),
//! `expand` (quoting, no decisions).

#![expect(
    missing_docs,
    reason = "the macros' pages stand where they are exported, where an example can name the library"
)]

mod breakers;
mod classify;
mod guard;
mod support;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

#[proc_macro]
pub fn breakers(input: TokenStream) -> TokenStream {
    breakers::declare(input.into()).into()
}

#[proc_macro_attribute]
pub fn circuit_breaker(args: TokenStream, item: TokenStream) -> TokenStream {
    guard::attribute(args.into(), item.into()).into()
}

#[proc_macro_derive(Classify, attributes(breaker))]
pub fn classify(input: TokenStream) -> TokenStream {
    classify::derive(input.into()).into()
}

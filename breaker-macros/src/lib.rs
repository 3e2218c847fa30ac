//! The macros of the `breaker` crate; use them from there.
//!
//! All three take the same way: tokens, `syntax` (their shape, no rules), `check` (every rule, all mistakes at once),
//! `expand` (quoting, no decisions).

mod breakers;
mod classify;
mod guard;
mod support;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Declares circuit breakers: one accessor fn and one registry entry for each.
#[proc_macro]
pub fn breakers(input: TokenStream) -> TokenStream {
    breakers::declare(input.into()).into()
}

/// Guards a fn with a declared circuit breaker.
#[proc_macro_attribute]
pub fn circuit_breaker(args: TokenStream, item: TokenStream) -> TokenStream {
    guard::attribute(args.into(), item.into()).into()
}

/// Says for each error of a type what it means for the breaker.
#[proc_macro_derive(Classify, attributes(breaker))]
pub fn classify(input: TokenStream) -> TokenStream {
    classify::derive(input.into()).into()
}

//! The macros over tokens, without a compiler.

mod fuzz;
mod half_written;
mod snapshots;

use proc_macro2::TokenStream;

/// Tokens of a text; the text of a test is always made of whole tokens.
fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// The messages in an expansion, in order.
fn errors(expansion: &TokenStream) -> Vec<String> {
    let text = expansion.to_string();
    let parts = text.split("compile_error ! {").skip(1);
    parts.filter_map(|part| Some(part.split_once('}')?.0.trim().to_string())).collect()
}

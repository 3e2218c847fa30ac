//! The macros over random text: none may panic, what one writes is Rust, and the user's item comes back.
//!
//! A crate of macros cannot be linked, so that their sources are read here as modules.

#[path = "../../../breaker-macros/src"]
mod macros {
    pub(crate) mod breakers;
    pub(crate) mod classify;
    pub(crate) mod guard;
    pub(crate) mod support;
}

// The sources name these from their own root.
use macros::{breakers, classify, guard, support};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::iter::once;
use syn::{File, Item, ItemFn};

/// `breakers!` with this text inside.
pub fn breakers(text: &str) {
    if let Some(input) = tokens(text) {
        written(&breakers::declare(input));
    }
}

/// `#[circuit_breaker]`: the first line is in its parentheses, the others are the item.
pub fn guard(text: &str) {
    let (args, item) = text.split_once('\n').unwrap_or(("payments", text));
    let (Some(args), Some(item)) = (tokens(args), tokens(item)) else { return };
    let expansion = guard::attribute(args, item.clone());
    if has_errors(&expansion) {
        // As it came, whatever it is.
        assert!(starts_with(&expansion, &item), "the item is lost: {expansion}");
    } else if let Ok(before) = syn::parse2::<ItemFn>(item) {
        let Item::Fn(after) = only(written(&expansion)) else { panic!("it was a fn: {expansion}") };
        assert_eq!((&before.attrs, &before.vis), (&after.attrs, &after.vis), "{expansion}");
        let (before, after) = (before.sig, after.sig);
        // As printed: an empty bound, `T:`, is none.
        let generics = [&before.generics, &after.generics].map(|generics| quote::quote!(#generics).to_string());
        assert_eq!(before.ident, after.ident, "{expansion}");
        assert_eq!(generics[0], generics[1], "{expansion}");
        assert_eq!((before.inputs.len(), before.output), (after.inputs.len(), after.output), "{expansion}");
    }
}

/// `#[derive(Classify)]` on this text.
pub fn classify(text: &str) {
    if let Some(input) = tokens(text) {
        written(&classify::derive(input));
    }
}

/// The text as tokens. What stands in `@( )` is put in an invisible group, as `macro_rules` leaves it.
fn tokens(text: &str) -> Option<TokenStream> {
    Some(with_invisible(text.parse().ok()?))
}

fn with_invisible(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let next = trees.peek();
        out.extend(once(match (tree, next) {
            (TokenTree::Punct(at), Some(TokenTree::Group(group))) if at.as_char() == '@' => {
                let inside = with_invisible(group.stream());
                trees.next();
                Group::new(Delimiter::None, inside).into()
            }
            (TokenTree::Group(group), _) => Group::new(group.delimiter(), with_invisible(group.stream())).into(),
            (other, _) => other,
        }));
    }
    out
}

/// What was written, which is Rust, errors included: from anything else the compiler would keep nothing.
fn written(expansion: &TokenStream) -> File {
    syn::parse2(expansion.clone()).unwrap_or_else(|error| panic!("{error}: {expansion}"))
}

fn only(file: File) -> Item {
    let [item] = <[Item; 1]>::try_from(file.items).unwrap_or_else(|items| panic!("{} items", items.len()));
    item
}

fn has_errors(expansion: &TokenStream) -> bool {
    expansion.clone().into_iter().any(|tree| matches!(tree, TokenTree::Ident(word) if word == "compile_error"))
}

fn starts_with(whole: &TokenStream, start: &TokenStream) -> bool {
    let mut trees = whole.clone().into_iter();
    start.clone().into_iter().all(|tree| trees.next().is_some_and(|other| other.to_string() == tree.to_string()))
}

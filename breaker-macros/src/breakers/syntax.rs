//! The shape of a declaration. Entries are read one by one, so that a half-written one leaves the others whole.

use crate::support::{
    Errors,
    fields::{self, Fields, Values},
    tokens::{self, seen_through},
};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::{
    Attribute, Path, Token, TypePath, Visibility,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    token::Brace,
};

/// What one `breakers!` holds, in order.
#[derive(Debug)]
pub(crate) enum Item {
    Head(Head),
    Entry(Entry),
}

/// `crate = path;` or `classify: Path;`.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) key: Ident,
    pub(crate) path: Option<TypePath>,
}

/// `attributes visibility name { fields }`.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) name: Ident,
    /// The place of its braces, or of its name where they are missing.
    pub(crate) braces: Span,
    pub(crate) fields: Fields,
}

/// A strategy or a recover as written.
#[derive(Clone, Debug)]
pub(crate) enum Settings {
    /// `Path { fields }`; `broken`: something in it could not be read, which has been told.
    Literal { path: Path, fields: Fields, broken: bool },
    /// `Path(item, ..)`.
    Tuple { path: Path, items: Vec<Settings> },
    /// A path alone.
    Path(Path),
    /// Anything else, with its first token.
    Other(Span),
}

/// Reads all that can be read.
pub(crate) fn read(input: TokenStream, errors: &mut Errors) -> Vec<Item> {
    let parser = |input: ParseStream<'_>| {
        let mut found = Vec::new();
        while !input.is_empty() {
            item(input, &mut found, errors);
        }
        Ok(found)
    };
    parser.parse2(seen_through(input)).unwrap_or_default()
}

fn item(input: ParseStream<'_>, found: &mut Vec<Item>, errors: &mut Errors) {
    if input.peek(Token![,]) || input.peek(Token![;]) {
        skip_one(input);
    } else if is_head(input) {
        match head(input) {
            Ok(head) => {
                found.push(Item::Head(head));
                if !input.is_empty() && !input.peek(Token![;]) {
                    errors.at(input.span(), "expected `;`; a setting of the whole declaration ends with one");
                }
            }
            Err(error) => {
                errors.add(error);
                skip_entry(input);
            }
        }
    } else {
        match entry(input, errors) {
            Ok(entry) => found.push(Item::Entry(entry)),
            Err(error) => {
                errors.add(error);
                skip_entry(input);
            }
        }
    }
}

fn is_head(input: ParseStream<'_>) -> bool {
    input.peek(Ident::peek_any)
        && ((input.peek2(Token![:]) && !input.peek2(Token![::]))
            || (input.peek2(Token![=]) && !input.peek2(Token![==])))
}

fn head(input: ParseStream<'_>) -> syn::Result<Head> {
    let key = input.call(Ident::parse_any)?;
    skip_one(input);
    if input.peek(Token![;]) || input.is_empty() {
        return Ok(Head { key, path: None });
    }
    Ok(Head { key, path: Some(input.call(tokens::named)?) })
}

fn entry(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Entry> {
    let attrs = attributes(input, errors);
    let vis = input.parse()?;
    if !input.peek(Ident::peek_any) {
        return Err(input.error("expected the name of a breaker; write `pub name { … }`"));
    }
    let name = input.call(Ident::parse_any)?;
    if let Some(group) = brace_group(input) {
        let fields = fields::fields(group.stream(), Values::Types, errors);
        return Ok(Entry { attrs, vis, name, braces: group.span(), fields });
    }
    errors.at(name.span(), format!("expected `{{` after `{name}`; write `{name} {{ … }}`"));
    if !starts_entry(input) {
        skip_entry(input);
    }
    Ok(Entry { attrs, vis, braces: name.span(), name, fields: Fields::default() })
}

/// Reads attributes one by one; a wrong one is told and left out.
fn attributes(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Attribute> {
    let mut found = Vec::new();
    while input.peek(Token![#]) {
        let hash = input.span();
        let one = input.step(|cursor| {
            let Some((hash, rest)) = cursor.token_tree() else { return Err(cursor.error("")) };
            match rest.token_tree() {
                Some((TokenTree::Group(group), rest)) if group.delimiter() == Delimiter::Bracket => {
                    Ok((Some(TokenStream::from_iter([hash, group.into()])), rest))
                }
                _ => Ok((None, rest)),
            }
        });
        match one.ok().flatten().map(|one| Attribute::parse_outer.parse2(one)) {
            Some(Ok(attrs)) => found.extend(attrs),
            Some(Err(error)) => errors.add(error),
            None => errors.at(hash, "expected `[` after `#`; write `#[…]`"),
        }
    }
    found
}

fn brace_group(input: ParseStream<'_>) -> Option<Group> {
    let group = input.step(|cursor| match cursor.token_tree() {
        Some((TokenTree::Group(group), rest)) if group.delimiter() == Delimiter::Brace => Ok((group, rest)),
        _ => Err(cursor.error("")),
    });
    group.ok()
}

fn starts_entry(input: ParseStream<'_>) -> bool {
    input.is_empty()
        || input.peek(Token![#])
        || input.peek(Token![pub])
        || (input.peek(Ident::peek_any) && (input.peek2(Brace) || is_head(input)))
}

/// Goes on to where the next entry seems to begin.
fn skip_entry(input: ParseStream<'_>) {
    loop {
        let last = input.peek(Brace) || input.peek(Token![,]) || input.peek(Token![;]);
        skip_one(input);
        if last || starts_entry(input) {
            return;
        }
    }
}

fn skip_one(input: ParseStream<'_>) {
    // At the end there is nothing to skip.
    let _ = input.step(|cursor| match cursor.token_tree() {
        Some((_, rest)) => Ok(((), rest)),
        None => Err(cursor.error("")),
    });
}

/// Reads the value of `strategy` or `recover`.
pub(crate) fn settings(tokens: TokenStream, errors: &mut Errors) -> Settings {
    let tokens = seen_through(tokens);
    let start = crate::support::tokens::first_span(&tokens, Span::call_site());
    let parser = |input: ParseStream<'_>| {
        let path = tokens::path(input)?;
        let group: Option<Group> = if input.is_empty() { None } else { Some(input.parse()?) };
        if input.is_empty() { Ok((path, group)) } else { Err(input.error("")) }
    };
    match parser.parse2(tokens) {
        Ok((path, None)) => Settings::Path(path),
        Ok((path, Some(group))) if group.delimiter() == Delimiter::Brace => {
            let before = errors.len();
            let fields = fields::fields(group.stream(), Values::Expressions, errors);
            Settings::Literal { path, fields, broken: errors.len() > before }
        }
        Ok((path, Some(group))) if group.delimiter() == Delimiter::Parenthesis => {
            let items = fields::items(group.stream(), Values::Types);
            let items = items.into_iter().map(|item| settings(item, errors)).collect();
            Settings::Tuple { path, items }
        }
        _ => Settings::Other(start),
    }
}

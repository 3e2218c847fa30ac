//! The shape of a declaration. Entries are read one by one, so that a half-written one leaves the others whole.

use crate::{
    breakers::shipped,
    support::{
        Errors,
        fields::{self, Fields, Values},
        tokens::{self, seen_through},
    },
};
use proc_macro2::{Delimiter, Group, Ident, Punct, Span, TokenStream, TokenTree};
use syn::{
    Attribute, Path, Token, TypePath, Visibility,
    ext::IdentExt,
    parse::{ParseStream, Parser, discouraged::Speculative},
    token::{Brace, Paren},
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
    pub(crate) separator: Punct,
    /// None where nothing stands there; the first token of what is no path.
    pub(crate) value: Result<Option<TypePath>, Span>,
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
    } else if is_head(input) && !is_assigned_entry(input) {
        if let Some(head) = head(input) {
            let whole = head.value.is_err() || input.is_empty() || input.peek(Token![;]);
            found.push(Item::Head(head));
            if !whole {
                errors.at(input.span(), "expected `;`; a setting of the whole declaration ends with one");
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
            || (input.peek2(Token![=]) && !input.peek2(Token![==]) && !input.peek2(Token![=>])))
}

/// `name: { … }` and `name = Count { … }` are meant as entries.
fn is_assigned_entry(input: ParseStream<'_>) -> bool {
    if input.peek(Token![crate]) {
        return false;
    }
    let ahead = input.fork();
    skip_one(&ahead);
    skip_separator(&ahead);
    ahead.peek(Brace) || (ahead.call(tokens::path).is_ok() && ahead.peek(Brace))
}

fn head(input: ParseStream<'_>) -> Option<Head> {
    let key = input.call(Ident::parse_any).ok()?;
    let separator = input.parse::<Punct>().ok()?;
    if input.peek(Token![;]) || input.is_empty() {
        return Some(Head { key, separator, value: Ok(None) });
    }
    let start = input.span();
    let ahead = input.fork();
    let value = if let Ok(path) = ahead.call(tokens::named) {
        input.advance_to(&ahead);
        Ok(Some(path))
    } else {
        skip_one(input);
        while !input.peek(Token![;]) && !starts_entry(input) {
            skip_one(input);
        }
        Err(start)
    };
    Some(Head { key, separator, value })
}

/// What items of Rust begin with.
const ITEMS: [&str; 13] =
    ["static", "const", "let", "fn", "mod", "struct", "enum", "union", "type", "trait", "impl", "use", "async"];

fn entry(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Entry> {
    let attrs = attributes(input, errors);
    let vis = input.parse()?;
    let keyword = keyword(input);
    if !input.peek(Ident::peek_any) {
        return Err(input.error("expected the name of a breaker; write `pub name { … }`"));
    }
    let name = input.call(Ident::parse_any)?;
    if let Some(keyword) = keyword {
        errors.at(keyword.span(), format!("an entry is `name {{ … }}`; remove `{keyword}`"));
        skip_braces(input);
        return Ok(Entry { attrs, vis, braces: name.span(), name, fields: Fields::default() });
    }
    let separator = is_separator(input).then(|| input.span());
    skip_separator(input);
    if let Some(group) = brace_group(input) {
        if let Some(span) = separator {
            errors.at(span, format!("an entry is `name {{ … }}`; write `{name} {{ … }}`"));
        }
        let fields = fields::fields(group.stream(), Values::Types, nameless, errors);
        return Ok(Entry { attrs, vis, name, braces: group.span(), fields });
    }
    if let Some(span) = separator {
        errors.at(span, format!("an entry is `name {{ … }}`; write `{name} {{ strategy: … }}`"));
        skip_braces(input);
    } else {
        errors.at(name.span(), format!("expected `{{` after `{name}`; write `{name} {{ … }}`"));
        if !starts_entry(input) {
            skip_entry(input);
        }
    }
    Ok(Entry { attrs, vis, braces: name.span(), name, fields: Fields::default() })
}

/// The word that makes an item of Rust, where a name stands behind it.
fn keyword(input: ParseStream<'_>) -> Option<Ident> {
    let ahead = input.fork();
    let word = ahead.call(Ident::parse_any).ok().filter(|word| ITEMS.iter().any(|item| word == item))?;
    ahead.peek(Ident::peek_any).then(|| {
        input.advance_to(&ahead);
        word
    })
}

/// What a field of an entry was meant to be whose name is missing.
fn nameless(word: &Ident) -> Option<String> {
    let field = shipped::role(&word.to_string())?.field();
    Some(format!("`{word}` stands without its field; write `{field}: {word} …`"))
}

fn is_separator(input: ParseStream<'_>) -> bool {
    (input.peek(Token![:]) && !input.peek(Token![::])) || input.peek(Token![=])
}

fn skip_separator(input: ParseStream<'_>) {
    while is_separator(input) || input.peek(Token![>]) {
        skip_one(input);
    }
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

/// Goes on behind what was meant as one entry.
fn skip_braces(input: ParseStream<'_>) {
    skip_separator(input);
    let ahead = input.fork();
    if ahead.call(tokens::path).is_ok() {
        input.advance_to(&ahead);
    }
    if input.peek(Paren) {
        skip_one(input);
    }
    if input.peek(Brace) {
        skip_one(input);
    } else if !starts_entry(input) {
        skip_entry(input);
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
            let fields = fields::fields(group.stream(), Values::Expressions, |_| None, errors);
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

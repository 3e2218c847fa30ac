//! The shape of the attribute and of the fn under it. The body is a group of tokens that nobody reads.

use crate::support::{
    Errors,
    duration::is_unit,
    tokens::{first_span, seen_through},
};
use darling::ast::NestedMeta;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::{
    Attribute, Expr, Meta, Path, Signature, Token, Visibility,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    token::Paren,
};

/// What stands in the attribute's parentheses.
#[derive(Debug)]
pub(crate) struct Args {
    pub(crate) name: Name,
    pub(crate) options: Vec<NestedMeta>,
}

/// What stands where the breaker's name belongs.
#[derive(Debug)]
pub(crate) enum Name {
    Path(Path),
    /// `hosts(key)`, at its name.
    Keyed(Ident),
    /// `name()`.
    Called(Ident),
    /// `self.field`, at `self`.
    Field(Span),
    /// An option, at its name.
    Option(Span),
    /// Something else, at its first token; that has been told.
    Unread,
    /// No token at all.
    Nothing,
}

/// What the attribute stands on.
#[derive(Debug)]
pub(crate) enum Item {
    Fn(Box<Function>),
    /// Not a fn, with the place of the word that says so.
    Other(Span),
}

/// A fn with its body unread.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: Option<Body>,
}

/// The user's braces and what they hold.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) braces: Group,
    /// `#![..]` and `//!` at the start.
    pub(crate) inner: TokenStream,
    pub(crate) rest: TokenStream,
}

/// Reads the attribute. An option that cannot be read is told, and reading goes on after the next comma.
pub(crate) fn args(tokens: TokenStream, errors: &mut Errors) -> Args {
    let parser = |input: ParseStream<'_>| {
        let name = name(input, errors);
        let mut options = Vec::new();
        while !input.is_empty() {
            if input.parse::<Token![,]>().is_err() {
                errors.add(input.error("expected `,`; an option is `name = value`"));
                skip_to_comma(input);
                continue;
            }
            if input.is_empty() {
                break;
            }
            if input.peek(Ident::peek_any) && input.peek2(Token![:]) && !input.peek2(Token![::]) {
                let ahead = input.fork();
                let key = ahead.call(Ident::parse_any)?;
                errors.at(ahead.span(), format!("an option is `name = value`; write `{key} = …`"));
                skip_to_comma(input);
                continue;
            }
            match input.parse() {
                Ok(option) if split_duration(&option, input) => {
                    errors.at(
                        input.span(),
                        format!(
                            "a duration is one word; write its unit at the number, such as `2{}`",
                            input.fork().call(Ident::parse_any)?
                        ),
                    );
                    skip_to_comma(input);
                }
                Ok(option) => options.push(option),
                Err(error) => {
                    errors.add(error);
                    skip_to_comma(input);
                }
            }
        }
        Ok(Args { name, options })
    };
    let read = parser.parse2(seen_through(tokens));
    read.unwrap_or(Args { name: Name::Unread, options: Vec::new() })
}

/// `timeout = 2 s`: a number, and behind it a word.
fn split_duration(option: &NestedMeta, input: ParseStream<'_>) -> bool {
    let number = match option {
        NestedMeta::Meta(Meta::NameValue(pair)) => matches!(&pair.value, Expr::Lit(_)),
        _ => false,
    };
    number
        && input.peek(Ident::peek_any)
        && input.fork().call(Ident::parse_any).is_ok_and(|word| is_unit(&word.to_string()))
}

fn name(input: ParseStream<'_>, errors: &mut Errors) -> Name {
    if input.is_empty() {
        return Name::Nothing;
    }
    let start = input.span();
    if input.peek(Token![self]) && input.peek2(Token![.]) {
        skip_to_comma(input);
        return Name::Field(start);
    }
    if input.peek(Ident::peek_any) && input.peek2(Token![=]) {
        skip_to_comma(input);
        return Name::Option(start);
    }
    match input.call(Path::parse_mod_style) {
        Ok(path) if input.peek(Paren) => {
            let called = input.fork().parse::<Group>().is_ok_and(|group| group.stream().is_empty());
            skip_to_comma(input);
            let name = path.segments.last().map(|segment| segment.ident.clone());
            name.map_or(Name::Unread, if called { Name::Called } else { Name::Keyed })
        }
        Ok(path) => Name::Path(path),
        Err(_) => {
            errors.at(start, "this is not the name of a breaker; write the path of its accessor, such as `payments`");
            skip_to_comma(input);
            Name::Unread
        }
    }
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let skipped = input.step(|cursor| match cursor.token_tree() {
            Some((_, rest)) => Ok(((), rest)),
            None => Err(cursor.error("")),
        });
        if skipped.is_err() {
            return;
        }
    }
}

/// Reads the item; none where it is a fn that cannot be read, which has been told.
pub(crate) fn item(tokens: TokenStream, errors: &mut Errors) -> Option<Item> {
    let tokens = seen_through(tokens);
    let start = first_span(&tokens, Span::call_site());
    let parser = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        if !is_fn(input) {
            let span = if input.is_empty() { start } else { input.span() };
            input.parse::<TokenStream>()?;
            return Ok(Item::Other(span));
        }
        let sig = input.parse()?;
        let body = if input.peek(Token![;]) || input.is_empty() { None } else { Some(input.parse::<TokenTree>()?) };
        input.parse::<TokenStream>()?;
        Ok(Item::Fn(Box::new(Function { attrs, vis, sig, body: body.and_then(braces) })))
    };
    match parser.parse2(tokens) {
        Ok(item) => Some(item),
        Err(error) => {
            errors.add(error);
            None
        }
    }
}

/// Is there `fn` after its qualifiers?
fn is_fn(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    while !ahead.peek(Token![fn]) {
        let qualifier = ahead.peek(Token![const])
            || ahead.peek(Token![async])
            || ahead.peek(Token![unsafe])
            || ahead.peek(Token![extern])
            || ahead.peek(syn::LitStr);
        if !qualifier || ahead.parse::<TokenTree>().is_err() {
            return false;
        }
    }
    true
}

fn braces(tree: TokenTree) -> Option<Body> {
    let TokenTree::Group(group) = tree else { return None };
    match group.delimiter() {
        Delimiter::Brace => {
            let (inner, rest) = split(group.stream());
            Some(Body { braces: group, inner, rest })
        }
        // A `$body:block` of macro_rules.
        Delimiter::None => group.stream().into_iter().next().and_then(braces),
        _ => None,
    }
}

/// Cuts off the inner attributes.
fn split(tokens: TokenStream) -> (TokenStream, TokenStream) {
    let trees: Vec<_> = tokens.into_iter().collect();
    let is = |tree: &TokenTree, wanted: char| matches!(tree, TokenTree::Punct(p) if p.as_char() == wanted);
    let mut end = 0;
    while let [hash, bang, TokenTree::Group(_), ..] = &trees[end..] {
        if !is(hash, '#') || !is(bang, '!') {
            break;
        }
        end += 3;
    }
    let (inner, rest) = trees.split_at(end);
    (inner.iter().cloned().collect(), rest.iter().cloned().collect())
}

//! Named fields, read from tokens one by one: a mistake in one leaves its neighbours whole.

use crate::support::{Errors, tokens};
use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use syn::{
    Expr,
    parse::{Parse, ParseStream, Parser},
};

/// `name: value`.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Ident,
    pub(crate) value: TokenStream,
}

/// What stands between the braces of an entry or of settings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    pub(crate) named: Vec<Field>,
    /// `..value`, with the place of the dots.
    pub(crate) rest: Option<(Span, TokenStream)>,
}

/// What values are: `<` opens arguments after the path of a type, and compares in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// Paths, with settings behind them or without, or expressions.
    Types,
    Expressions,
}

/// Reads fields with optional commas. A value ends at a comma that is none of its own, or where the next field begins.
///
/// `nameless` is asked what a word stands for that should have been a value.
pub(crate) fn fields(
    tokens: TokenStream,
    values: Values,
    nameless: fn(&Ident) -> Option<String>,
    errors: &mut Errors,
) -> Fields {
    let mut trees = Cursor { trees: flat(tokens), next: 0, values, ends: &[',', ';'] };
    let mut found = Fields::default();
    while let Some(tree) = trees.take() {
        match tree {
            TokenTree::Punct(p) if p.as_char() == ',' => {}
            TokenTree::Punct(p) if p.as_char() == ';' => {
                errors.at(p.span(), "fields are separated by commas; write `,`");
            }
            TokenTree::Punct(p) if p.as_char() == '#' => {
                errors.at(p.span(), "a field takes no attributes and no doc comment; put it on the entry, or use `//`");
                if matches!(trees.peek(0), Some(TokenTree::Group(_))) {
                    trees.next += 1;
                }
            }
            TokenTree::Punct(p) if p.as_char() == '.' && trees.is_punct(0, '.') => {
                trees.next += 1;
                found.rest = Some((p.span(), trees.value()));
            }
            TokenTree::Ident(name) if trees.is_colon(0) => {
                trees.next += 1;
                let value = trees.value();
                if value.is_empty() {
                    errors.at(name.span(), format!("`{name}` has no value; write `{name}: …`"));
                } else {
                    found.named.push(Field { name, value });
                }
            }
            TokenTree::Ident(name) => {
                let problem = nameless(&name);
                let problem = problem.unwrap_or_else(|| format!("expected `:` after `{name}`; write `{name}: …`"));
                errors.at(name.span(), problem);
                trees.value();
            }
            other => {
                errors.at(other.span(), "expected the name of a field; write `name: value`");
                trees.value();
            }
        }
    }
    found
}

/// Reads what stands between commas, where there are no names.
pub(crate) fn items(tokens: TokenStream, values: Values) -> Vec<TokenStream> {
    let mut trees = Cursor { trees: tokens.into_iter().collect(), next: 0, values, ends: &[','] };
    let mut found = Vec::new();
    while trees.peek(0).is_some() {
        let start = trees.next;
        trees.next = trees.whole().filter(|end| trees.is_end(*end)).unwrap_or(start);
        while !trees.is_end(trees.next) {
            trees.next += 1;
        }
        found.push(trees.trees[start..trees.next].iter().cloned().collect::<TokenStream>());
        trees.next += 1;
    }
    found.retain(|item| !item.is_empty());
    found
}

/// Opens the invisible groups that may hold whole fields; those around values stay.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let mut in_value = false;
    let mut out = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None && !in_value => {
                out.extend(flat(group.stream()));
            }
            tree => {
                in_value = matches!(&tree, TokenTree::Punct(p) if p.as_char() == ':');
                out.push(tree);
            }
        }
    }
    out
}

struct Cursor {
    trees: Vec<TokenTree>,
    next: usize,
    values: Values,
    /// What no value holds.
    ends: &'static [char],
}

impl Cursor {
    fn take(&mut self) -> Option<TokenTree> {
        let tree = self.trees.get(self.next).cloned();
        self.next += 1;
        tree
    }

    fn peek(&self, ahead: usize) -> Option<&TokenTree> {
        self.trees.get(self.next + ahead)
    }

    fn is_punct(&self, ahead: usize, wanted: char) -> bool {
        matches!(self.peek(ahead), Some(TokenTree::Punct(p)) if p.as_char() == wanted)
    }

    /// One colon, not the first half of `::`.
    fn is_colon(&self, ahead: usize) -> bool {
        match self.peek(ahead) {
            Some(TokenTree::Punct(p)) if p.as_char() == ':' => {
                p.spacing() == Spacing::Alone || !self.is_punct(ahead + 1, ':')
            }
            _ => false,
        }
    }

    /// Does a field begin here?
    fn is_field(&self, ahead: usize) -> bool {
        matches!(self.peek(ahead), Some(TokenTree::Ident(_))) && self.is_colon(ahead + 1)
    }

    fn is_end(&self, place: usize) -> bool {
        self.trees.get(place).is_none_or(|tree| matches!(tree, TokenTree::Punct(p) if self.ends.contains(&p.as_char())))
    }

    /// Where a value ends that begins here and reads as Rust: its commas are its own.
    fn whole(&self) -> Option<usize> {
        let start = self.next;
        let read = |kind: fn(ParseStream<'_>) -> syn::Result<()>| {
            let parser = |input: ParseStream<'_>| {
                kind(input)?;
                input.parse::<TokenStream>()
            };
            let rest = parser.parse2(self.trees[start..].iter().cloned().collect()).ok()?;
            let end = self.trees.len().checked_sub(rest.into_iter().count()).filter(|end| *end > start)?;
            let ends = self.is_end(end) || self.is_field(end - start);
            ends.then_some(end)
        };
        let as_type = (self.values == Values::Types).then(|| read(settings)).flatten();
        as_type.or_else(|| read(|input| input.parse::<Expr>().map(drop)))
    }

    fn value(&mut self) -> TokenStream {
        self.next = self.next.min(self.trees.len());
        let start = self.next;
        // What is not whole ends where it seems to.
        if let Some(end) = self.whole() {
            self.next = end;
        }
        while let Some(tree) = self.peek(0) {
            let ends = match tree {
                TokenTree::Punct(p) => self.ends.contains(&p.as_char()),
                TokenTree::Ident(_) => self.is_field(0) && self.trees[start..self.next].last().is_none_or(may_end),
                _ => false,
            };
            if ends {
                break;
            }
            self.next += 1;
        }
        self.trees[start..self.next].iter().cloned().collect()
    }
}

/// A path of a type, and what stands behind it.
fn settings(input: ParseStream<'_>) -> syn::Result<()> {
    tokens::named(input)?;
    if input.peek(syn::token::Brace) || input.peek(syn::token::Paren) {
        Group::parse(input)?;
    }
    Ok(())
}

/// Can a value end with this token? After an operator or a closure's `|` a name with a colon is no new field.
fn may_end(last: &TokenTree) -> bool {
    match last {
        TokenTree::Punct(p) => matches!(p.as_char(), '>' | '?'),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn read(tokens: TokenStream) -> (Vec<(String, String)>, Vec<String>) {
        let mut errors = Errors::default();
        let found = fields(tokens, Values::Types, |_| None, &mut errors);
        let named = found.named.iter().map(|f| (f.name.to_string(), f.value.to_string())).collect();
        (named, errors.messages())
    }

    #[test]
    fn commas_are_optional() {
        let (named, errors) = read(quote!(a: Count { x: 1 } b: crate::AGE c: own::Strict, d: |x: u8| x));
        assert_eq!(named.len(), 4, "{named:?}");
        assert!(errors.is_empty());
    }

    #[test]
    fn half_written_fields_leave_their_neighbours() {
        let (named, errors) = read(quote!(a: , b: 1, c, d: 2, e: f: 3, = 4, g: 5));
        assert_eq!(named.iter().map(|f| f.0.as_str()).collect::<Vec<_>>(), ["b", "d", "f", "g"]);
        assert_eq!(errors.len(), 4, "{errors:?}");
    }

    #[test]
    fn a_comma_of_a_value_is_its_own() {
        let (named, errors) =
            read(quote!(a: P<1, 2> {} b: f::<u8, u16>() c: <A<1, 2> as B<3, 4>>::C, d: told::<u8, u16>));
        assert_eq!(named.len(), 4, "{named:?}");
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(items(quote!(self::G < u8, u8 > {}, Count {}, AnyOf(A {}, B {}),), Values::Types).len(), 3);
    }

    #[test]
    fn a_comparison_opens_nothing_in_an_expression() {
        let found = fields(quote!(a: A < B, c: C > (D)), Values::Expressions, |_| None, &mut Errors::default());
        assert_eq!(found.named.len(), 2);
    }
}

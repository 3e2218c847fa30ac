//! Named fields, read from tokens one by one: a mistake in one leaves its neighbours whole.

use crate::support::Errors;
use proc_macro2::{Delimiter, Ident, Spacing, Span, TokenStream, TokenTree};

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

/// Reads fields with optional commas. A value ends at a comma, or where the next field begins.
pub(crate) fn fields(tokens: TokenStream, errors: &mut Errors) -> Fields {
    let mut trees = Cursor { trees: flat(tokens), next: 0 };
    let mut found = Fields::default();
    while let Some(tree) = trees.take() {
        match tree {
            TokenTree::Punct(p) if p.as_char() == ',' => {}
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
                errors.at(name.span(), format!("expected `:` after `{name}`; write `{name}: …`"));
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

    fn value(&mut self) -> TokenStream {
        let start = self.next.min(self.trees.len());
        while let Some(tree) = self.peek(0) {
            let ends = match tree {
                TokenTree::Punct(p) => p.as_char() == ',',
                TokenTree::Ident(_) => self.is_colon(1) && self.trees[start..self.next].last().is_none_or(may_end),
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
        let found = fields(tokens, &mut errors);
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
}

//! The shape of an error type and of its marks.

use crate::support::{Errors, tokens::first_span};
use darling::ast::NestedMeta;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Data, DeriveInput, Fields, Generics, Ident, Meta, Token, parse::ParseStream, parse::Parser};

/// An error type.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    /// The marks on the type itself.
    pub(crate) marks: Vec<NestedMeta>,
    /// Whether the type, a variant or a field is `#[deprecated]`.
    pub(crate) deprecated: bool,
    pub(crate) body: Body,
}

/// A struct is its own only variant.
#[derive(Debug)]
pub(crate) enum Body {
    Struct(Fields),
    Enum(Vec<Variant>),
    /// At the word `union`.
    Union(Span),
}

/// A variant with its marks.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: Ident,
    pub(crate) fields: Fields,
    pub(crate) marks: Vec<NestedMeta>,
}

/// Reads the type; a mark that cannot be read is told and left out.
pub(crate) fn read(input: TokenStream, errors: &mut Errors) -> Option<Input> {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => {
            errors.add(error);
            return None;
        }
    };
    let marks = marks(&input.attrs, errors);
    let deprecated = is_deprecated(&input);
    on_fields(&input.data, errors);
    let body = match input.data {
        Data::Struct(data) => Body::Struct(data.fields),
        Data::Union(data) => Body::Union(data.union_token.span),
        Data::Enum(data) => {
            let variants = data.variants.into_iter().map(|variant| Variant {
                marks: self::marks(&variant.attrs, errors),
                name: variant.ident,
                fields: variant.fields,
            });
            Body::Enum(variants.collect())
        }
    };
    Some(Input { name: input.ident, generics: input.generics, marks, deprecated, body })
}

/// A mark on a field says nothing about the error, whoever wrote it there.
fn on_fields(data: &Data, errors: &mut Errors) {
    let (owner, all): (_, Vec<&Fields>) = match data {
        Data::Struct(data) => ("the struct", vec![&data.fields]),
        Data::Enum(data) => ("its variant", data.variants.iter().map(|variant| &variant.fields).collect()),
        Data::Union(_) => return,
    };
    for attr in all.into_iter().flatten().flat_map(|field| &field.attrs).filter(|attr| is_mark(attr)) {
        errors.at(word(attr), format!("a mark does not stand on a field; move it to {owner}"));
    }
}

fn is_mark(attr: &Attribute) -> bool {
    attr.path().is_ident("breaker")
}

/// The word `breaker`.
fn word(attr: &Attribute) -> Span {
    first_span(&attr.path().to_token_stream(), Span::call_site())
}

fn is_deprecated(input: &DeriveInput) -> bool {
    let fields = |fields: &Fields| -> Vec<Attribute> { fields.iter().flat_map(|field| field.attrs.clone()).collect() };
    let inner: Vec<Attribute> = match &input.data {
        Data::Struct(data) => fields(&data.fields),
        Data::Enum(data) => {
            let variants = data.variants.iter();
            variants.flat_map(|variant| variant.attrs.iter().cloned().chain(fields(&variant.fields))).collect()
        }
        Data::Union(_) => Vec::new(),
    };
    input.attrs.iter().chain(&inner).any(|attr| attr.path().is_ident("deprecated"))
}

/// The content of every `#[breaker(..)]`, in order.
fn marks(attrs: &[Attribute], errors: &mut Errors) -> Vec<NestedMeta> {
    let mut found = Vec::new();
    for attr in attrs.iter().filter(|attr| is_mark(attr)) {
        let list = match &attr.meta {
            Meta::List(list) if !list.tokens.is_empty() => list,
            _ => {
                errors.at(word(attr), "`#[breaker]` says nothing; write a mark, such as `#[breaker(ignored)]`");
                continue;
            }
        };
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                match input.parse() {
                    Ok(mark) if input.is_empty() || input.peek(Token![,]) => found.push(mark),
                    Ok(mark) => {
                        found.push(mark);
                        errors.at(input.span(), "expected `,`; marks are separated by commas");
                    }
                    Err(error) => errors.add(error),
                }
                skip_to_comma(input);
            }
            Ok(())
        };
        // The parser itself takes everything.
        let _ = parser.parse2(list.tokens.clone());
    }
    found
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() {
        if input.parse::<Token![,]>().is_ok() {
            return;
        }
        let skipped = input.step(|cursor| match cursor.token_tree() {
            Some((_, rest)) => Ok(((), rest)),
            None => Err(cursor.error("")),
        });
        if skipped.is_err() {
            return;
        }
    }
}

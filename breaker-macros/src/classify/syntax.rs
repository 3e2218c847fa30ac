//! The shape of an error type and of its marks.

use crate::support::Errors;
use darling::ast::NestedMeta;
use proc_macro2::{Span, TokenStream};
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
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("breaker")) {
        let Meta::List(list) = &attr.meta else {
            let word = attr.path().segments.first().map_or_else(Span::call_site, |segment| segment.ident.span());
            errors.at(word, "`#[breaker]` says nothing; write a mark, such as `#[breaker(ignored)]`");
            continue;
        };
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                match input.parse() {
                    Ok(mark) => found.push(mark),
                    Err(error) => errors.add(error),
                }
                skip_to_comma(input, errors);
            }
            Ok(())
        };
        // The parser itself takes everything.
        let _ = parser.parse2(list.tokens.clone());
    }
    found
}

fn skip_to_comma(input: ParseStream<'_>, errors: &mut Errors) {
    if !input.is_empty() && !input.peek(Token![,]) && errors.is_empty() {
        errors.at(input.span(), "expected `,`; marks are separated by commas");
    }
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

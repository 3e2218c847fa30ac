//! Every rule of the marks. A wrong one is told, and its variant stays the failure that an unmarked one is.

use crate::{
    classify::syntax::{Body, Input, Variant},
    support::{
        Errors, krate, nearest,
        tokens::{at, first_span},
    },
};
use darling::ast::NestedMeta;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use syn::{Expr, Fields, Generics, Index, Lit, Member, Meta, Path, spanned::Spanned};

const MARKS: [&str; 6] = ["success", "ignored", "failure", "rejected", "classify", "retry_after"];

/// An error type with what each of its shapes means.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) krate: Path,
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) arms: Vec<Arm>,
    /// Is it an enum?
    pub(crate) variants: bool,
    /// Something in it is deprecated, which its own impls may name.
    pub(crate) deprecated: bool,
}

/// One shape: a variant, or the struct.
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) variant: Option<Ident>,
    pub(crate) meaning: Meaning,
}

/// What one shape means.
#[derive(Debug)]
pub(crate) enum Meaning {
    Success,
    /// A rejection of an inner breaker as well.
    Ignored,
    Failure,
    /// With the field that says when to come back.
    RetryAfter(Member, Span),
    /// A fn that takes these fields by reference.
    Ask(Path, Vec<Member>),
}

/// The only maker of `Error`.
pub(crate) fn check(input: Input, errors: &mut Errors) -> Option<Error> {
    let (mut own, mut krate) = (Vec::new(), None);
    for mark in input.marks {
        match mark {
            NestedMeta::Meta(meta) if meta.path().is_ident("crate") => self::krate(&meta, &mut krate, errors),
            NestedMeta::NameValueInvalidExpr(meta) if meta.path.is_ident("crate") => {
                match syn::parse::Parser::parse2(Path::parse_mod_style, meta.value) {
                    Ok(path) => krate = Some(path),
                    Err(_) => {
                        errors.at(meta.path.span(), "`crate` takes the path of the library; write `crate = ::breaker`");
                    }
                }
            }
            mark => own.push(mark),
        }
    }
    let (arms, variants) = match input.body {
        Body::Struct(fields) => (vec![Arm { variant: None, meaning: meaning(own, &fields, errors) }], false),
        Body::Enum(all) => {
            for mark in own {
                errors.at(start(&mark), "a mark stands on a variant; on an enum itself only `crate = path` does");
            }
            (all.into_iter().map(|variant| arm(variant, errors)).collect(), true)
        }
        Body::Union(span) => {
            errors.at(span, "a union has no variants to mark; use an enum or a struct");
            return None;
        }
    };
    Some(Error {
        krate: krate.unwrap_or_else(krate::default),
        name: input.name,
        generics: input.generics,
        arms,
        variants,
        deprecated: input.deprecated,
    })
}

fn krate(meta: &Meta, found: &mut Option<Path>, errors: &mut Errors) {
    let path = match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Path(path) => Some(path.path.clone()),
            _ => None,
        },
        _ => None,
    };
    match path {
        Some(_) if found.is_some() => errors.at(meta.path().span(), "`crate` is given twice; remove one"),
        Some(path) => *found = Some(path),
        None => errors.at(meta.path().span(), "`crate` takes the path of the library; write `crate = ::breaker`"),
    }
}

fn arm(variant: Variant, errors: &mut Errors) -> Arm {
    Arm { meaning: meaning(variant.marks, &variant.fields, errors), variant: Some(variant.name) }
}

fn start(mark: &NestedMeta) -> Span {
    first_span(&mark.to_token_stream(), Span::call_site())
}

/// The verdict of one shape, and the field of `retry_after`.
#[derive(Default)]
struct Found {
    verdict: Option<(&'static str, Meaning)>,
    retry_after: Option<(Member, Span)>,
}

fn meaning(marks: Vec<NestedMeta>, fields: &Fields, errors: &mut Errors) -> Meaning {
    let mut found = Found::default();
    for mark in marks {
        found.read(&mark, fields, errors);
    }
    match (found.verdict, found.retry_after) {
        (None | Some((_, Meaning::Failure)), Some((member, span))) => Meaning::RetryAfter(member, span),
        (Some((name, meaning)), Some((_, span))) => {
            errors.at(span, format!("`retry_after` goes with a failure, and this is `{name}`; remove one"));
            meaning
        }
        (Some((_, meaning)), None) => meaning,
        (None, None) => Meaning::Failure,
    }
}

impl Found {
    fn read(&mut self, mark: &NestedMeta, fields: &Fields, errors: &mut Errors) {
        let meta = match mark {
            NestedMeta::Meta(meta) => meta,
            NestedMeta::NameValueInvalidExpr(meta) => {
                return errors.at(meta.path.span(), "this value cannot be read; write a path or a field");
            }
            NestedMeta::Lit(_) => {
                return errors.at(start(mark), nearest::unknown("mark", &mark.to_token_stream().to_string(), &MARKS));
            }
        };
        let span = start(mark);
        let name =
            meta.path().get_ident().map_or_else(|| meta.path().to_token_stream().to_string(), ToString::to_string);
        match (name.as_str(), meta) {
            ("success", Meta::Path(_)) => self.verdict("success", Meaning::Success, span, errors),
            ("ignored", Meta::Path(_)) => self.verdict("ignored", Meaning::Ignored, span, errors),
            ("rejected", Meta::Path(_)) => self.verdict("rejected", Meaning::Ignored, span, errors),
            ("failure", Meta::Path(_)) => self.verdict("failure", Meaning::Failure, span, errors),
            ("classify", Meta::NameValue(pair)) => match opened(&pair.value) {
                Expr::Path(path) => {
                    let asked = Meaning::Ask(path.path.clone(), members(fields));
                    self.verdict("classify", asked, span, errors);
                }
                other => errors.at(
                    first_span(&other.to_token_stream(), span),
                    "`classify` takes the path of a fn; it gets the fields by reference",
                ),
            },
            ("retry_after", Meta::NameValue(pair)) => self.retry_after(&pair.value, fields, span, errors),
            ("crate", _) => errors.at(span, "`crate` stands on the type; move it there"),
            ("success" | "ignored" | "rejected" | "failure", _) => {
                errors.at(span, format!("`{name}` takes no value; write it alone"));
            }
            ("classify", _) => errors.at(span, "`classify` names no fn; write `classify = path::to::fn`"),
            ("retry_after", _) => errors.at(span, "`retry_after` names no field; write `retry_after = field`"),
            _ => errors.at(span, nearest::unknown("mark", &name, &MARKS)),
        }
    }

    fn verdict(&mut self, name: &'static str, meaning: Meaning, span: Span, errors: &mut Errors) {
        match &self.verdict {
            Some((other, _)) if *other == name => errors.at(span, format!("`{name}` is given twice; remove one")),
            Some((other, _)) => errors.at(span, format!("`{name}` contradicts `{other}`; remove one")),
            None => self.verdict = Some((name, meaning)),
        }
    }

    fn retry_after(&mut self, value: &Expr, fields: &Fields, span: Span, errors: &mut Errors) {
        let value = opened(value);
        let all = members(fields);
        let typed = value.to_token_stream().to_string();
        let place = first_span(&value.to_token_stream(), span);
        let member = match value {
            Expr::Path(path) => path.path.get_ident().cloned().map(Member::Named),
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(index) => index.base10_parse().ok().map(|index| Member::Unnamed(Index { index, span: place })),
                _ => None,
            },
            _ => None,
        };
        match member.filter(|member| all.contains(member)) {
            Some(_) if self.retry_after.is_some() => errors.at(span, "`retry_after` is given twice; remove one"),
            Some(member) => self.retry_after = Some((member, place)),
            None if all.is_empty() => {
                errors.at(place, "there is no field to read; `retry_after` needs one of type `Duration`");
            }
            None => {
                let names: Vec<_> = all.iter().map(|member| member.to_token_stream().to_string()).collect();
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                errors.at(place, nearest::unknown("field", &typed, &names));
            }
        }
    }
}

fn opened(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => opened(&group.expr),
        other => other,
    }
}

fn members(fields: &Fields) -> Vec<Member> {
    fields.members().collect()
}

/// The name that a field is bound to: none that a user would write.
pub(crate) fn binding(member: &Member, span: Span) -> Ident {
    match member {
        Member::Named(name) => format_ident!("__breaker_{}", name, span = at(span)),
        Member::Unnamed(index) => format_ident!("__breaker_{}", index.index, span = at(span)),
    }
}

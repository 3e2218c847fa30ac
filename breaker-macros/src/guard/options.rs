//! The options: darling reads their values, unknown and repeated ones are told first, in our own words.

use crate::support::{
    Errors, nearest,
    tokens::{first_span, seen_through},
};
use darling::{FromMeta, ast::NestedMeta};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Expr, ExprClosure, Meta, Path, spanned::Spanned};

/// The accepted options.
pub(crate) const NAMES: [&str; 6] = ["on_open", "fallback", "timeout", "classify", "probe", "crate"];

/// What was given, each read but not yet judged against the fn.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct Options {
    pub(crate) on_open: Option<Any>,
    pub(crate) fallback: Option<Callable>,
    pub(crate) timeout: Option<Any>,
    pub(crate) classify: Option<Callable>,
    pub(crate) probe: Option<Never>,
    #[darling(rename = "crate")]
    pub(crate) krate: Option<Krate>,
}

/// Any expression, as it was written.
#[derive(Clone, Debug)]
pub(crate) struct Any(pub(crate) TokenStream);

/// A closure or the path of a fn.
#[derive(Clone, Debug)]
pub(crate) enum Callable {
    Closure(Box<ExprClosure>),
    Path(TokenStream),
}

/// The word `never`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Never;

/// A path.
#[derive(Clone, Debug)]
pub(crate) struct Krate(pub(crate) Path);

/// Reads all options; a wrong one is told and left out.
pub(crate) fn read(metas: Vec<NestedMeta>, name_is_first: bool, errors: &mut Errors) -> (Options, Vec<Ident>) {
    let mut keys: Vec<Ident> = Vec::new();
    let mut good = Vec::new();
    for meta in metas {
        let Some(key) = key(&meta) else {
            // A name after the options has been told already.
            if name_is_first || !matches!(meta, NestedMeta::Meta(Meta::Path(_))) {
                let all = nearest::list(&NAMES, "and");
                errors.at(meta.span(), format!("this is no option; write `name = value`, the options are {all}"));
            }
            continue;
        };
        let typed = key.to_string();
        let with_value = !matches!(meta, NestedMeta::Meta(Meta::Path(_) | Meta::List(_)));
        if !NAMES.contains(&typed.as_str()) {
            if name_is_first || with_value {
                errors.at(key.span(), nearest::unknown("option", &typed, &NAMES));
            }
        } else if keys.contains(&key) {
            errors.at(key.span(), format!("`{typed}` is given twice; remove one"));
        } else {
            let span = key.span();
            keys.push(key);
            if with_value && !without_value(&meta) {
                good.push(meta);
            } else {
                errors.at(span, format!("`{typed}` has no value; write `{typed} = …`"));
            }
        }
    }
    // One by one: a value that cannot be read must not take the others with it.
    let mut options = Options::default();
    for meta in good {
        match Options::from_list(&[meta]) {
            Ok(one) => options.merge(one),
            Err(error) => errors.add_all(error),
        }
    }
    (options, keys)
}

impl Options {
    fn merge(&mut self, other: Options) {
        self.on_open = self.on_open.take().or(other.on_open);
        self.fallback = self.fallback.take().or(other.fallback);
        self.timeout = self.timeout.take().or(other.timeout);
        self.classify = self.classify.take().or(other.classify);
        self.probe = self.probe.or(other.probe);
        self.krate = self.krate.take().or(other.krate);
    }
}

/// `name =` and nothing more.
fn without_value(meta: &NestedMeta) -> bool {
    matches!(meta, NestedMeta::NameValueInvalidExpr(meta) if meta.value.is_empty())
}

fn key(meta: &NestedMeta) -> Option<Ident> {
    let path = match meta {
        NestedMeta::Meta(meta) => meta.path(),
        NestedMeta::NameValueInvalidExpr(meta) => &meta.path,
        NestedMeta::Lit(_) => return None,
    };
    path.get_ident().cloned()
}

fn at(span: Span, message: impl std::fmt::Display) -> darling::Error {
    darling::Error::custom(message).with_span(&span)
}

impl FromMeta for Any {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        Ok(Any(expr.to_token_stream()))
    }
}

impl FromMeta for Callable {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        match expr {
            Expr::Group(group) => Self::from_expr(&group.expr),
            Expr::Paren(paren) => Self::from_expr(&paren.expr),
            Expr::Closure(closure) if closure.inputs.len() == 1 => Ok(Callable::Closure(Box::new(closure.clone()))),
            Expr::Closure(closure) => {
                Err(at(closure.inputs_begin.span(), "this closure must take one argument; write `|value| …`"))
            }
            Expr::Path(path) => Ok(Callable::Path(path.to_token_stream())),
            other => Err(at(
                first_span(&other.to_token_stream(), Span::call_site()),
                "expected a closure or the path of a fn; write `|value| …` or `path::to::fn`",
            )),
        }
    }
}

impl FromMeta for Never {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        let tokens = seen_through(expr.to_token_stream());
        if tokens.to_string() == "never" {
            return Ok(Never);
        }
        Err(at(first_span(&tokens, Span::call_site()), "`probe` takes one word; write `probe = never`"))
    }
}

impl FromMeta for Krate {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        match expr {
            Expr::Group(group) => Self::from_expr(&group.expr),
            Expr::Path(path) if path.qself.is_none() => Ok(Krate(path.path.clone())),
            other => Err(at(
                first_span(&other.to_token_stream(), Span::call_site()),
                "`crate` takes the path of the library; write `crate = ::breaker`",
            )),
        }
    }

    /// `crate = crate` is no expression.
    fn from_invalid_expr(meta: &darling::ast::MetaNameValueInvalidExpr) -> darling::Result<Self> {
        syn::parse::Parser::parse2(Path::parse_mod_style, meta.value.clone())
            .map(Krate)
            .map_err(|_| at(meta.path.span(), "`crate` takes the path of the library; write `crate = ::breaker`"))
    }
}

//! The value of one setting: durations are spelt out, helper names are the library's, and what a literal shows is checked.

use crate::{
    breakers::shipped::{Kind, MAX_CALLS},
    support::{
        Errors,
        duration::{self, Length, Read, UNITS},
        fields::{self, Values},
        nearest,
        tokens::{at, first_span, last_span, refill, seen_through},
    },
};
use proc_macro2::{Delimiter, Ident, Literal, Punct, Span, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::{
    Expr, Path,
    parse::{ParseStream, Parser},
};

const WINDOWS: [&str; 2] = ["Calls", "Time"];

/// A value as expansions print it; none where it is wrong, which has been told.
pub(crate) fn shipped(
    krate: &Path,
    name: &Ident,
    kind: Kind,
    value: TokenStream,
    errors: &mut Errors,
) -> Option<TokenStream> {
    let before = errors.len();
    let value = seen_through(value);
    match kind {
        Kind::Window => window(name, &value, errors),
        kind => literal(name, kind, &value, errors),
    }
    let value = duration::spelt_out(krate, qualified(krate, value), errors);
    read(value, before, errors)
}

/// A value of no known kind: of a user's own settings, or a duration that may be a const.
pub(crate) fn any(krate: &Path, value: TokenStream, errors: &mut Errors) -> Option<TokenStream> {
    let before = errors.len();
    let value = duration::spelt_out(krate, value, errors);
    read(value, before, errors)
}

/// What stands behind the `..` of a shipped literal: its type's own name is the library's there too.
pub(crate) fn rest(krate: &Path, name: &Ident, value: TokenStream, errors: &mut Errors) -> Option<TokenStream> {
    let mut trees = seen_through(value.clone()).into_iter();
    let value = match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(first)), Some(TokenTree::Punct(colon))) if first == *name && colon.as_char() == ':' => {
            let ours = Ident::new(&first.to_string(), at(first.span()));
            quote_spanned!(at(first.span())=> #krate::__private::#ours #colon #(#trees)*)
        }
        _ => value,
    };
    any(krate, value, errors)
}

/// A duration outside of settings: a literal with a unit, or any const expression.
pub(crate) fn duration(krate: &Path, name: &Ident, value: TokenStream, errors: &mut Errors) -> Option<TokenStream> {
    let before = errors.len();
    let value = seen_through(value);
    literal(name, Kind::Span, &value, errors);
    let value = duration::spelt_out(krate, value, errors);
    read(value, before, errors)
}

/// A value without mistakes, if it is one at all: of an expansion that is no Rust the compiler keeps nothing, so that
/// every other entry would be lost with this one.
fn read(value: TokenStream, before: usize, errors: &mut Errors) -> Option<TokenStream> {
    if errors.len() > before {
        return None;
    }
    let end = last_span(&value, Span::call_site());
    let parser = |input: ParseStream<'_>| {
        let wrong = input.parse::<Expr>().err().map(|error| error.span());
        let wrong = wrong.or_else(|| (!input.is_empty()).then(|| input.span()));
        // At the end there is no token left to tell it at.
        let wrong = wrong.map(|span| if input.is_empty() { end } else { span });
        input.parse::<TokenStream>().map(|_| wrong)
    };
    match parser.parse2(value.clone()) {
        Ok(None) => Some(value),
        Ok(Some(span)) => {
            let told = duration::in_two_words(&value)
                .unwrap_or_else(|| "this value is no expression; write one, and a comma after it".into());
            errors.at(span, told);
            None
        }
        Err(error) => {
            errors.add(error);
            None
        }
    }
}

/// A lone literal, with the minus in front of it.
fn alone(value: &TokenStream) -> Option<(Option<Punct>, Literal)> {
    let trees: Vec<_> = value.clone().into_iter().collect();
    match &trees[..] {
        [TokenTree::Literal(literal)] => Some((None, literal.clone())),
        [TokenTree::Punct(minus), TokenTree::Literal(literal)] if minus.as_char() == '-' => {
            Some((Some(minus.clone()), literal.clone()))
        }
        _ => None,
    }
}

/// `50%` as the fraction that it is, at its sign.
fn percentage(value: &TokenStream) -> Option<(f64, Span)> {
    let trees: Vec<_> = value.clone().into_iter().collect();
    match &trees[..] {
        [TokenTree::Literal(number), TokenTree::Punct(sign)] if sign.as_char() == '%' => {
            Some((number.to_string().parse::<f64>().ok()? / 100.0, sign.span()))
        }
        _ => None,
    }
}

/// How long a lone literal is, and where it stands.
pub(crate) fn length(value: &TokenStream) -> Option<(Length, Span)> {
    let (None, literal) = alone(&seen_through(value.clone()))? else { return None };
    match duration::read(&literal) {
        Read::Length(length) => Some((length, literal.span())),
        _ => None,
    }
}

fn literal(name: &Ident, kind: Kind, value: &TokenStream, errors: &mut Errors) {
    if let (Kind::Rate | Kind::Jitter, Some((percent, span))) = (kind, percentage(value)) {
        return errors.at(span, format!("`{name}` is a fraction; write `{percent}`"));
    }
    let Some((minus, literal)) = alone(value) else {
        return;
    };
    let read = duration::read(&literal);
    if let Read::Wrong(_) = read {
        return; // Told where durations are spelt out.
    }
    let span = literal.span();
    let timed = matches!(read, Read::Length(_));
    let problem = match kind {
        Kind::Time | Kind::Span => match read {
            _ if minus.is_some() => Some(format!("`{name}` cannot be negative; write it without the minus")),
            Read::Length(length) if kind == Kind::Time && length.is_zero() => {
                Some(format!("`{name}` cannot be zero; use a longer duration, such as `30s`"))
            }
            Read::Length(_) => None,
            Read::Bare => Some(format!("`{name}` has no unit; write `{literal}s`, the units are {UNITS}")),
            _ => Some(format!("`{name}` is a duration; write a number with a unit, such as `30s`")),
        },
        _ if timed => Some(format!("`{name}` is not a duration; write the number without a unit")),
        Kind::Whole(min, max) => whole(name, min, max, minus.is_some(), &literal),
        Kind::Rate => {
            fraction(name, &literal, minus.is_some(), "above 0 and at most 1", "0.5", |n| n > 0.0 && n <= 1.0)
        }
        Kind::Jitter => fraction(name, &literal, minus.is_some(), "from 0 to 1", "0.2", |n| (0.0..=1.0).contains(&n)),
        Kind::Multiplier => {
            fraction(name, &literal, minus.is_some(), "at least 1", "2.0", |n| n >= 1.0 && n.is_finite())
        }
        Kind::Window => None,
    };
    if let Some(problem) = problem {
        errors.at(span, problem);
    }
}

fn whole(name: &dyn std::fmt::Display, min: u64, max: u64, negative: bool, literal: &Literal) -> Option<String> {
    let up_to = match max {
        255 => format!("from {min} to 255"),
        MAX_CALLS => format!("from {min} to 16_384"),
        _ => format!("from {min} to 4_294_967_295"),
    };
    // The upper bound is told where it is reached, or near.
    let bounds = if max > MAX_CALLS { format!("of at least {min}") } else { up_to.clone() };
    if let Read::Length(_) = duration::read(literal) {
        return Some(format!("`{name}` is not a duration; write the number without a unit"));
    }
    let number = syn::parse_str::<syn::LitInt>(&literal.to_string()).ok();
    let Some(number) = number else {
        return Some(format!("`{name}` is a whole number; use one {bounds}"));
    };
    match number.base10_parse::<u64>() {
        Ok(n) if !negative && (min..=max).contains(&n) => None,
        Ok(0) => Some(format!("`{name}` cannot be 0; use a number {bounds}")),
        _ => Some(format!("`{name}` is out of range; use a number {up_to}")),
    }
}

fn fraction(
    name: &Ident,
    literal: &Literal,
    negative: bool,
    bounds: &str,
    example: &str,
    holds: impl Fn(f64) -> bool,
) -> Option<String> {
    let text = literal.to_string();
    if let Ok(number) = syn::parse_str::<syn::LitInt>(&text) {
        if number.suffix().starts_with('f') {
            return None;
        }
        return Some(format!("`{name}` is a fraction; write it with a point, such as `{example}`"));
    }
    let Ok(number) = syn::parse_str::<syn::LitFloat>(&text) else {
        return Some(format!("`{name}` is a number; use one {bounds}, such as `{example}`"));
    };
    let number: f64 = number.base10_parse().ok()?;
    (negative || !holds(number)).then(|| format!("`{name}` must be {bounds}; use a number such as `{example}`"))
}

fn window(name: &Ident, value: &TokenStream, errors: &mut Errors) {
    let trees: Vec<_> = value.clone().into_iter().collect();
    match &trees[..] {
        [TokenTree::Ident(helper), TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            let typed = helper.to_string();
            let inside = seen_through(group.stream());
            let takes = if typed == "Calls" { "Calls(n)" } else { "Time(d)" };
            if !WINDOWS.contains(&typed.as_str()) {
                if typed.starts_with(char::is_uppercase) || is_window(&typed) {
                    errors.at(helper.span(), nearest::unknown("window", &typed, &WINDOWS));
                }
            } else if fields::items(inside.clone(), Values::Expressions).len() != 1 {
                errors.at(helper.span(), format!("`{typed}` takes one value; write `{takes}`"));
            } else if typed == "Time" {
                self::literal(helper, Kind::Time, &inside, errors);
            } else if let Some((minus, literal)) = alone(&inside)
                && let Some(problem) = whole(helper, 1, MAX_CALLS, minus.is_some(), &literal)
            {
                errors.at(literal.span(), problem);
            }
        }
        [TokenTree::Ident(helper)] if WINDOWS.iter().any(|window| helper == window) => {
            let letter = if helper == "Calls" { "n" } else { "d" };
            errors.at(helper.span(), format!("`{helper}` has no value; write `{helper}({letter})`"));
        }
        [TokenTree::Literal(_)] => {
            errors.at(
                first_span(value, name.span()),
                format!("`{name}` does not say what is counted; write `Calls(n)` or `Time(d)`"),
            );
        }
        _ => {}
    }
}

/// A window but for its capital.
fn is_window(typed: &str) -> bool {
    WINDOWS.iter().any(|window| window.eq_ignore_ascii_case(typed))
}

/// `Calls` and `Time` are the library's, at any depth.
fn qualified(krate: &Path, tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut in_path = false;
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let after_path =
            std::mem::replace(&mut in_path, matches!(&tree, TokenTree::Punct(p) if matches!(p.as_char(), ':' | '.')));
        match tree {
            TokenTree::Group(group) => {
                out.extend([TokenTree::from(refill(&group, qualified(krate, group.stream())))]);
            }
            TokenTree::Ident(helper) if !after_path && is_helper(&helper, trees.peek()) => {
                let span = at(helper.span());
                out.extend(if helper == "Window" {
                    quote_spanned!(span=> #krate::__private::Window)
                } else {
                    quote_spanned!(span=> #krate::__private::Window::#helper)
                });
            }
            other => out.extend([other]),
        }
    }
    out
}

fn is_helper(name: &Ident, next: Option<&TokenTree>) -> bool {
    match next {
        Some(TokenTree::Group(group)) => {
            group.delimiter() == Delimiter::Parenthesis && WINDOWS.iter().any(|helper| name == helper)
        }
        Some(TokenTree::Punct(p)) => p.as_char() == ':' && name == "Window",
        _ => false,
    }
}

//! Duration literals: `30s`, `0.5h`, `1_500ms`.

use crate::support::{
    Errors,
    tokens::{at, placed, refill},
};
use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::Path;

/// The accepted units, for messages.
pub(crate) const UNITS: &str = "`ns`, `us`, `ms`, `s`, `min`, `h` or `d`";

const NANOS: [(&str, u128); 7] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
];

/// What Rust itself lets stand after a number.
const RUST: [&str; 16] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f16", "f32", "f64", "f128",
];

/// A length of time in the parts of `core::time::Duration`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Length {
    pub(crate) secs: u64,
    pub(crate) nanos: u32,
}

impl Length {
    pub(crate) fn is_zero(self) -> bool {
        self.secs == 0 && self.nanos == 0
    }
}

/// What a literal means where a duration may stand.
#[derive(Debug, PartialEq)]
pub(crate) enum Read {
    /// A number with one of our units.
    Length(Length),
    /// A number with nothing, or with a suffix of Rust's own.
    Bare,
    /// A number with a suffix that is nobody's, or out of range: the message.
    Wrong(String),
    /// A text, a byte, a number in another base.
    Other,
}

/// Reads one literal token.
pub(crate) fn read(literal: &Literal) -> Read {
    let text = literal.to_string();
    let bytes = text.as_bytes();
    if !bytes.first().is_some_and(u8::is_ascii_digit) || matches!(bytes.get(1), Some(b'x' | b'b' | b'o')) {
        return Read::Other;
    }
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '_' | '.')).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    if suffix.is_empty() || RUST.contains(&suffix) {
        return Read::Bare;
    }
    if suffix.starts_with(['e', 'E']) {
        let exponent = suffix[1..].trim_start_matches(['+', '-']);
        let rest = exponent.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
        return if rest.is_empty() || RUST.contains(&rest) {
            Read::Bare
        } else {
            Read::Wrong("a duration has no exponent; write the number out".into())
        };
    }
    if let Some((_, nanos)) = NANOS.iter().find(|(unit, _)| *unit == suffix) {
        return length(number, *nanos).map_or_else(Read::Wrong, Read::Length);
    }
    let meant = meant(suffix).map_or_else(String::new, |unit| format!("write `{number}{unit}`, "));
    Read::Wrong(format!("unknown unit `{suffix}`; {meant}the units are {UNITS}"))
}

/// What to write for `2 s`.
pub(crate) fn in_two_words(value: &TokenStream) -> Option<String> {
    let trees: Vec<_> = value.clone().into_iter().collect();
    match &trees[..] {
        [TokenTree::Literal(number), TokenTree::Ident(unit)] if is_unit(&unit.to_string()) => {
            Some(format!("a duration is one word; write `{number}{unit}`"))
        }
        _ => None,
    }
}

/// Is this word a unit?
pub(crate) fn is_unit(word: &str) -> bool {
    NANOS.iter().any(|(unit, _)| *unit == word)
}

/// The unit that other spellings of it stand for.
fn meant(suffix: &str) -> Option<&'static str> {
    Some(match suffix {
        "nsec" | "nsecs" | "nanos" => "ns",
        "µs" | "μs" | "usec" | "usecs" | "micros" => "us",
        "msec" | "msecs" | "millis" => "ms",
        "S" | "sec" | "secs" | "second" | "seconds" => "s",
        "m" | "mins" | "minute" | "minutes" => "min",
        "H" | "hr" | "hrs" | "hour" | "hours" => "h",
        "D" | "day" | "days" => "d",
        _ => return None,
    })
}

fn length(number: &str, unit: u128) -> Result<Length, String> {
    let digits = number.replace('_', "");
    let (whole, part) = digits.split_once('.').unwrap_or((&digits, ""));
    let part = part.trim_end_matches('0');
    let too_long = || "this is longer than a duration can be; use a smaller number".to_string();
    let too_fine = || "this is finer than a nanosecond; use a larger number".to_string();
    let whole: u128 = whole.parse().map_err(|_| too_long())?;
    let mut nanos = whole.checked_mul(unit).ok_or_else(too_long)?;
    if !part.is_empty() {
        let scale = u32::try_from(part.len()).ok().filter(|n| *n <= 18).ok_or_else(too_fine)?;
        let scaled = part.parse::<u128>().map_err(|_| too_fine())? * unit;
        let scale = 10_u128.pow(scale);
        if !scaled.is_multiple_of(scale) {
            return Err(too_fine());
        }
        nanos = nanos.checked_add(scaled / scale).ok_or_else(too_long)?;
    }
    let secs = u64::try_from(nanos / 1_000_000_000).map_err(|_| too_long())?;
    let nanos = u32::try_from(nanos % 1_000_000_000).map_err(|_| too_long())?;
    Ok(Length { secs, nanos })
}

/// The literals become calls of `Duration::new`, at any depth.
pub(crate) fn spelt_out(krate: &Path, tokens: TokenStream, errors: &mut Errors) -> TokenStream {
    let mut out = TokenStream::new();
    let trees: Vec<_> = tokens.into_iter().collect();
    for (place, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Literal(literal) => match read(literal) {
                Read::Length(Length { secs, nanos }) => {
                    if let Some(operator) = operator(&trees, place) {
                        errors.at(operator, "the compiler does not calculate with durations; write the result");
                    }
                    let span = at(literal.span());
                    let krate = placed(krate, span);
                    out.extend(quote_spanned!(span=> #krate::__private::Duration::new(#secs, #nanos)));
                }
                Read::Wrong(problem) => errors.at(literal.span(), problem),
                Read::Bare | Read::Other => out.extend([tree.clone()]),
            },
            TokenTree::Group(group) => {
                out.extend([TokenTree::from(refill(group, spelt_out(krate, group.stream(), errors)))]);
            }
            other => out.extend([other.clone()]),
        }
    }
    out
}

/// The operator in front of a literal that has an operand before it, or behind the first literal.
fn operator(trees: &[TokenTree], place: usize) -> Option<Span> {
    let sign = |place: usize| match trees.get(place) {
        Some(TokenTree::Punct(p)) if matches!(p.as_char(), '+' | '-' | '*' | '/' | '%') => Some(p.span()),
        _ => None,
    };
    let operand = |place: usize| {
        matches!(trees.get(place), Some(TokenTree::Literal(_) | TokenTree::Group(_) | TokenTree::Ident(_)))
    };
    let told = |place: usize| matches!(trees.get(place), Some(TokenTree::Literal(next)) if matches!(read(next), Read::Length(_)));
    let before = place.checked_sub(2).filter(|before| operand(*before)).and_then(|_| sign(place - 1));
    // `1s + 2s` has one operator: the second literal tells of it.
    before.or_else(|| sign(place + 1).filter(|_| !told(place + 2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Read {
        read(&text.parse().expect("a literal"))
    }

    #[test]
    fn units_and_fractions() {
        assert_eq!(of("30s"), Read::Length(Length { secs: 30, nanos: 0 }));
        assert_eq!(of("0.5h"), Read::Length(Length { secs: 1_800, nanos: 0 }));
        assert_eq!(of("1_500ms"), Read::Length(Length { secs: 1, nanos: 500_000_000 }));
        assert_eq!(of("1.000000001s"), Read::Length(Length { secs: 1, nanos: 1 }));
        assert_eq!(of("2min"), Read::Length(Length { secs: 120, nanos: 0 }));
        assert_eq!(of("1d"), Read::Length(Length { secs: 86_400, nanos: 0 }));
        assert_eq!(of("1us"), Read::Length(Length { secs: 0, nanos: 1_000 }));
    }

    #[test]
    fn numbers_that_are_no_durations() {
        assert_eq!(of("30"), Read::Bare);
        assert_eq!(of("0.5"), Read::Bare);
        assert_eq!(of("30u32"), Read::Bare);
        assert_eq!(of("1e3"), Read::Bare);
        assert_eq!(of("0x1d"), Read::Other);
        assert_eq!(of("\"30s\""), Read::Other);
    }

    #[test]
    fn another_spelling_of_a_unit_is_understood() {
        for (typed, unit) in [("30sec", "30s"), ("1.5m", "1.5min"), ("7µs", "7us"), ("2days", "2d")] {
            let Read::Wrong(told) = of(typed) else { panic!("{typed} is read") };
            assert!(told.contains(&format!("; write `{unit}`, the units are")), "{told}");
        }
        assert!(matches!(of("3weeks"), Read::Wrong(told) if told.starts_with("unknown unit `weeks`; the units")));
    }

    #[test]
    fn wrong_ones_say_why() {
        for text in
            ["10sec", "1e3s", "0.1ns", "99999999999999999999999999d", "9999999999999999999999999999999999999999999s"]
        {
            assert!(matches!(of(text), Read::Wrong(_)), "{text}");
        }
    }
}

//! Random tokens: the macros may refuse them, and must not panic on them or lose the user's item.

use super::{errors, tokens};
use crate::{breakers::declare, classify::derive, guard::attribute};
use proptest::prelude::*;

/// Words that lead deep into the parsers, and some that lead nowhere.
const WORDS: &[&str] = &[
    "pub",
    "crate",
    "self",
    "Self",
    "fn",
    "async",
    "const",
    "unsafe",
    "impl",
    "dyn",
    "enum",
    "struct",
    "union",
    "move",
    "where",
    "never",
    "r#type",
    "_",
    "payments",
    "strategy",
    "recover",
    "classify",
    "abandoned_after",
    "on_event",
    "Count",
    "FailureRate",
    "AnyOf",
    "Backoff",
    "BasicTimeout",
    "window",
    "Calls",
    "Time",
    "threshold",
    "rate",
    "min_calls",
    "reset_timeout",
    "on_open",
    "fallback",
    "timeout",
    "probe",
    "breaker",
    "ignored",
    "success",
    "failure",
    "rejected",
    "retry_after",
    "Result",
    "Future",
    "Output",
    "Pin",
    "Box",
    "x",
    "3",
    "0",
    "1.5",
    "30s",
    "10sec",
    "0.5h",
    "1e3s",
    "1e3",
    "0x1d",
    "99999999999999999999d",
    "\"{x}\"",
    "'a'",
    "'a",
    "b\"x\"",
    ",",
    ";",
    ":",
    "::",
    "=",
    "->",
    "=>",
    "#",
    "!",
    "|",
    "&",
    "-",
    ".",
    "..",
    "<",
    ">",
    "*",
    "?",
    "+",
    "$",
    // More than one token, where one alone leads nowhere.
    "static a",
    "P<1, 2>",
    "<u8 as X>::Y",
    "2 s",
    "50 %",
    "30s + 5s",
    "calls(10)",
    "Count::DEFAULT",
    "crate: ::breaker;",
    "timeout: 2s",
];

fn text() -> impl Strategy<Value = String> {
    let word = proptest::sample::select(WORDS).prop_map(str::to_string);
    word.prop_recursive(4, 48, 8, |inner| {
        let many = proptest::collection::vec(inner, 0..8).prop_map(|parts| parts.join(" "));
        (many, 0..4_usize).prop_map(|(inside, kind)| match kind {
            0 => format!("({inside})"),
            1 => format!("[{inside}]"),
            2 => format!("{{{inside}}}"),
            _ => inside,
        })
    })
}

fn texts() -> impl Strategy<Value = String> {
    proptest::collection::vec(text(), 0..10).prop_map(|parts| parts.join(" "))
}

/// A shape that gets past the first look, with random parts.
fn entry() -> impl Strategy<Value = String> {
    (texts(), texts(), text())
        .prop_map(|(head, fields, value)| format!("{head} pub a {{ {fields} strategy: {value} }} b {{}}"))
}

fn fun() -> impl Strategy<Value = String> {
    (text(), texts(), text(), texts())
        .prop_map(|(before, args, ret, body)| format!("{before} fn f({args}) -> {ret} {{ {body} }}"))
}

fn error() -> impl Strategy<Value = String> {
    (texts(), text(), texts()).prop_map(|(mark, field, more)| {
        format!("enum E {{ #[breaker({mark})] A {{ f: {field} }}, #[breaker] B({more}), C }}")
    })
}

/// The text as tokens, unless `'a` and the like do not fit together.
fn lexed(text: &str) -> Option<proc_macro2::TokenStream> {
    text.parse().ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn declarations_do_not_panic(text in prop_oneof![texts(), entry()]) {
        if let Some(input) = lexed(&text) {
            declare(input);
        }
    }

    #[test]
    fn attributes_do_not_panic_and_keep_the_item(args in texts(), item in prop_oneof![texts(), fun()]) {
        if let (Some(args), Some(item)) = (lexed(&args), lexed(&item)) {
            let shown = item.to_string();
            let expansion = attribute(args, item.clone());
            prop_assert!(errors(&expansion).is_empty() || expansion.to_string().starts_with(&shown));
            attribute(tokens("payments, timeout = 2s, fallback = f, on_open = rejected"), item);
        }
    }

    #[test]
    fn derives_do_not_panic(text in prop_oneof![texts(), error()]) {
        if let Some(input) = lexed(&text) {
            derive(input);
        }
    }
}

//! What an IDE sees while somebody types: the rest of the file stays known.

use super::{errors, tokens};
use crate::{breakers::declare, classify::derive, guard::attribute};

/// Each with one mistake in the middle of two good entries.
const ENTRIES: [&str; 22] = [
    "pub",
    "pub payments",
    "pub payments {",
    "pub payments { strategy }",
    "pub payments { strategy: }",
    "pub payments { strategy: Count }",
    "pub payments { strategy: Count { }",
    "pub payments { strategy: Count { threshold: } }",
    "pub payments { recover: BasicTimeout { reset_timeout: 30 } }",
    "pub payments { strategy: Count { threshold: 3 }, rec }",
    "pub payments { strategy: Count { threshold: 3 }, recover: , classify: }",
    "pub payments { classify: E:: }",
    "payments = Count { threshold: 3 }",
    "#[doc] pub(crate) payments : Count",
    "#",
    "pub static payments { strategy: Count {} }",
    "let payments = Count { threshold: 3 };",
    "payments: { strategy: Count {} }",
    "payments => Count",
    "payments { strategy: Count {}; recover: Backoff {} }",
    "payments { strategy: self::Mine<1, }",
    "/// Of what?",
];

#[test]
fn a_half_written_entry_leaves_all_others() {
    for entry in ENTRIES {
        // An open brace closes where the declaration does; what is behind it belongs to it.
        let open = entry.matches('{').count() - entry.matches('}').count();
        let text = format!("first {{}} {entry}\n{} last {{}}", "}".repeat(open));
        let expansion = declare(tokens(&text));
        let shown = expansion.to_string();
        assert!(shown.contains("fn first"), "{text}\n{shown}");
        assert!(shown.contains("fn last"), "{text}\n{shown}");
        assert!(!entry.contains("payments {") || shown.contains("fn payments"), "{text}\n{shown}");
        let complete =
            matches!(entry, "pub" | "pub payments {" | "pub payments { strategy: Count { }" | "/// Of what?");
        assert_eq!(errors(&expansion).is_empty(), complete, "{text}\n{:?}", errors(&expansion));
    }
}

#[test]
fn what_could_be_read_of_a_bad_entry_is_kept() {
    let expansion =
        declare(tokens("pub a { strategy: Count { threshold: 7 }, recover: Backof {}, abandoned_after: 2 }"));
    let shown = expansion.to_string();
    assert_eq!(errors(&expansion).len(), 2, "{shown}");
    assert!(shown.contains("threshold : 7") && shown.contains("Backoff"), "{shown}");
}

#[test]
fn options_that_are_half_written_leave_the_fn() {
    let item = "async fn pay(n: u32) -> Result<u32, E> { n. }";
    for options in [
        "",
        "payments, on_open",
        "payments, on_open =",
        "payments, on_open = match {",
        "payments, = 3",
        "payments timeout",
    ] {
        let open = options.matches('{').count();
        let expansion = attribute(tokens(&format!("{options}{}", "}".repeat(open))), tokens(item));
        let shown = expansion.to_string();
        assert!(shown.starts_with(&tokens(item).to_string()), "{options}\n{shown}");
        assert_eq!(errors(&expansion).len(), 1, "{options}\n{:?}", errors(&expansion));
    }
}

#[test]
fn a_body_that_is_no_rust_comes_back_as_it_went_in() {
    let body = "{ let id = order.; if { } = <- 'x match \"}\" }";
    for fun in ["fn pay()", "async fn pay()", "fn pay(&self, (a, b): (u8, u8))"] {
        let item = format!("{fun} -> Result<u32, E> {body}");
        let expansion = attribute(tokens("payments"), tokens(&item)).to_string();
        assert!(expansion.contains(&tokens(body).to_string()), "{expansion}");
    }
}

#[test]
fn an_item_that_cannot_be_guarded_comes_back_whole() {
    for item in ["struct S { a: u8 }", "const fn f() -> u8 { 1 }", "fn f();", "fn", "fn f(", "impl S { fn f() {} }", ""]
    {
        let open = item.matches('(').count() - item.matches(')').count();
        let item = format!("{item}{}", ")".repeat(open));
        let expansion = attribute(tokens("payments"), tokens(&item));
        assert!(expansion.to_string().starts_with(&tokens(&item).to_string()), "{expansion}");
        assert!(!errors(&expansion).is_empty(), "{item}");
    }
}

#[test]
fn a_wrong_mark_leaves_the_impls() {
    for mark in ["ignord", "ignored =", "retry_after", "retry_after = x", "classify = 3", "= 3", "ignored success"] {
        let expansion = derive(tokens(&format!("enum E {{ #[breaker({mark})] A, #[breaker(success)] B }}")));
        let shown = expansion.to_string();
        assert!(shown.contains("ClassifyError for E"), "{shown}");
        assert!(shown.contains("Self :: B { .. } => :: breaker :: __private :: Outcome :: Success"), "{shown}");
        assert_eq!(errors(&expansion).len(), 1, "{mark}\n{:?}", errors(&expansion));
    }
}

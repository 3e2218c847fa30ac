//! Did you mean.

/// The accepted spelling that is near, if one is.
fn near<'n>(typed: &str, accepted: &[&'n str]) -> Option<&'n str> {
    let scored = accepted.iter().map(|name| (strsim::jaro_winkler(typed, name), *name));
    scored.filter(|(score, _)| *score > 0.8).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// `did you mean …? ` where one of the accepted spellings is near, else nothing.
pub(crate) fn hint(typed: &str, accepted: &[&str]) -> String {
    near(typed, accepted).map_or_else(String::new, |name| format!("did you mean `{name}`? "))
}

/// All of them, each in backticks, the last after `last`.
pub(crate) fn list(accepted: &[&str], last: &str) -> String {
    let quoted: Vec<_> = accepted.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::new(),
    }
}

/// An unknown word: what it is not, what is near, what there is.
pub(crate) fn unknown(what: &str, typed: &str, accepted: &[&str]) -> String {
    let (hint, all) = (hint(typed, accepted), list(accepted, "and"));
    match accepted {
        [_] => format!("unknown {what} `{typed}`; {hint}the only {what} is {all}"),
        _ => format!("unknown {what} `{typed}`; {hint}the {what}s are {all}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_offered_and_what_there_is_is_listed() {
        let told = unknown("option", "on_opne", &["on_open", "fallback", "probe"]);
        assert_eq!(
            told,
            "unknown option `on_opne`; did you mean `on_open`? the options are `on_open`, `fallback` and `probe`"
        );
        assert_eq!(unknown("field", "x", &["after"]), "unknown field `x`; the only field is `after`");
    }
}

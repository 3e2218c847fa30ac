//! Did you mean.

/// `; did you mean …?` where one of the accepted spellings is near, else nothing.
pub(crate) fn hint(typed: &str, accepted: &[&str]) -> String {
    let near = accepted
        .iter()
        .map(|name| (strsim::jaro_winkler(typed, name), name))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    near.map_or_else(String::new, |(_, name)| format!(", did you mean `{name}`?"))
}

/// `a`, `b` and `c`, each in backticks.
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
    let near = hint(typed, accepted);
    let all = list(accepted, "and");
    if near.is_empty() {
        format!("unknown {what} `{typed}`; the {what}s are {all}")
    } else {
        format!("unknown {what} `{typed}`{near}; the {what}s are {all}")
    }
}

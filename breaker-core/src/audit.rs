//! What in the declarations cannot work as meant, in words.

use crate::{
    mode::{idle, misspelt, variable},
    name::Name,
    registry::{AnyBreaker, registry},
    settings::Value,
};
use std::{fmt, time::Duration};

/// One thing that cannot work as meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The breaker; none where it is about all.
    pub breaker: Option<Name>,
    /// What is wrong and what would be right: `problem; remedy`.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.breaker {
            Some(breaker) => write!(f, "`{breaker}`: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// What in the declarations cannot work as meant: a rate that its traffic never reaches, a timeout longer than the
/// probe's lease, a breaker that guards nothing, a name declared twice, settings that refuse themselves, a
/// `BREAKER_MODE` that is none, or is for a breaker that is none.
///
/// Rates are judged by the calls that were seen, so ask a program that has been at work for a while.
///
/// ```
/// # use breaker_core as breaker;
/// for finding in breaker::audit() {
///     eprintln!("{finding}");
/// }
/// ```
pub fn audit() -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(misspelt(None).map(|said| Finding { breaker: None, text: mode_text(said) }));
    if let Err(error) = registry().verify() {
        let ambiguous = error.ambiguous.iter().map(ToString::to_string);
        let unsound = error.unsound.iter().map(|(place, error)| format!("{place}: {error}"));
        findings.extend(ambiguous.chain(unsound).map(|text| Finding { breaker: None, text }));
    }
    let breakers: Vec<_> = registry().iter().collect();
    let names: Vec<_> = breakers.iter().map(|breaker| breaker.name()).collect();
    findings.extend(idle(&names).into_iter().map(|said| Finding { breaker: None, text: idle_text(&said, &names) }));
    for (breaker, name) in breakers.iter().zip(names) {
        let texts = texts(&**breaker, &name);
        findings.extend(texts.into_iter().map(|text| Finding { breaker: Some(name.clone()), text }));
    }
    findings
}

fn texts(breaker: &dyn AnyBreaker, name: &Name) -> Vec<String> {
    let mut texts = Vec::new();
    texts.extend(misspelt(Some(name)).map(mode_text));
    texts.extend(breaker.doubts());
    let sites = registry().call_sites(&breaker.place().path);
    if sites.is_empty() && breaker.place().line > 0 {
        texts.push("no fn is guarded by it; annotate one, or remove it unless it is called by hand".to_owned());
    }
    let lease = breaker.snapshot().settings.into_iter().find(|setting| setting.key == "probing_timeout");
    if let Some(Value::Duration(lease)) = lease.map(|setting| setting.value) {
        for site in sites {
            let longer = site.timeout.filter(|timeout| *timeout > lease);
            texts.extend(longer.map(|timeout| lease_text(site.function, timeout, lease)));
        }
    }
    texts
}

fn mode_text((variable, said): (String, String)) -> String {
    format!("`{variable}` is `{said}`, which is no mode, so it enforces; give enforce, observe or off")
}

fn idle_text(said: &str, names: &[Name]) -> String {
    let near = names.iter().map(|name| variable(name)).min_by_key(|variable| strsim::osa_distance(said, variable));
    let remedy =
        near.map_or_else(|| "remove it".to_owned(), |near| format!("`{near}` is for the one whose name is nearest"));
    format!("`{said}` is for no breaker of the registry, so it does nothing; {remedy}")
}

fn lease_text(function: &str, timeout: Duration, lease: Duration) -> String {
    format!(
        "the timeout of `{function}` is {timeout:?}, longer than a probe's lease of {lease:?}, so that a slow probe \
         lapses before it times out; raise `probing_timeout` above the timeout"
    )
}

//! `BREAKER_MODE`: what the environment says over every declaration (R39).

use crate::name::Name;
use std::env;

/// What a breaker does with what it concludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It rejects.
    Enforce,
    /// Everything passes and is counted; what would have opened is told.
    Observe,
    /// Everything passes; no stats are counted, and nobody is told.
    Off,
}

const ALL: &str = "BREAKER_MODE";

impl Mode {
    /// The mode of the breaker with this name: its own variable wins over that for all. What is no mode enforces, and
    /// [`crate::audit`] says so.
    pub(crate) fn of(name: &str) -> Self {
        let own = read(&variable(name));
        own.or_else(|| read(ALL)).map_or(Self::Enforce, |said| Self::parse(&said).unwrap_or(Self::Enforce))
    }

    fn parse(said: &str) -> Option<Self> {
        match said {
            "enforce" => Some(Self::Enforce),
            "observe" => Some(Self::Observe),
            "off" => Some(Self::Off),
            _ => None,
        }
    }
}

/// A variable that says something that is no mode: its name and what it says.
pub(crate) fn misspelt(name: Option<&str>) -> Option<(String, String)> {
    let variable = name.map_or_else(|| ALL.to_owned(), variable);
    let said = read(&variable)?;
    Mode::parse(&said).is_none().then_some((variable, said))
}

/// The variables for one breaker that are for none of these; what they say does nothing.
pub(crate) fn idle(names: &[Name]) -> Vec<String> {
    let known: Vec<_> = names.iter().map(|name| variable(name)).collect();
    let said = env::vars_os().filter_map(|(variable, _)| variable.into_string().ok());
    let mut idle: Vec<_> = said.filter(|said| is_for_one(said) && !known.contains(said)).collect();
    idle.sort();
    idle
}

fn is_for_one(variable: &str) -> bool {
    variable.strip_prefix(ALL).is_some_and(|rest| rest.starts_with('_'))
}

/// The variable of the breaker with this name.
pub(crate) fn variable(name: &str) -> String {
    let upper = name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
    format!("{ALL}_{}", upper.collect::<String>())
}

/// Empty is as good as absent.
fn read(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|said| !said.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r39_a_name_becomes_a_variable() {
        assert_eq!(variable("payments"), "BREAKER_MODE_PAYMENTS");
        assert_eq!(variable("eu-west.search"), "BREAKER_MODE_EU_WEST_SEARCH");
    }

    #[test]
    fn r39_what_is_no_mode_enforces() {
        assert_eq!(Mode::parse("observe"), Some(Mode::Observe));
        assert_eq!(Mode::parse("Observe"), None);
        assert_eq!(Mode::of("a name that no environment has"), Mode::Enforce);
    }
}

//! Live settings: a TOML text over the declarations, all of it or none.

use breaker_core::{BreakerRef, LookupError, Name, SettingsError, Value, hidden::configure, registry};
use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use toml::Table;

/// Changes the settings of running breakers from a TOML text: all that it says, or nothing.
///
/// Each table is named for a breaker, by name or full path; each key is a setting of its strategy or its recover, or
/// `abandoned_after`, as in the declaration. A key may say whose it is (`strategy.rate`, or a table within the
/// table). A time is a text with a unit.
///
/// State, counts and calls in flight survive, and a call reads each setting once. What is fixed, the kind of strategy
/// or recover and the size of a window, is an error. Values that are not named stay what they are; those of the
/// declaration are the defaults.
///
/// ```
/// breaker::breakers! {
///     pub invoices { strategy: Count { threshold: 5 }, recover: BasicTimeout { reset_timeout: 30s } }
/// }
///
/// breaker::apply_settings(
///     r#"
///     [invoices]
///     threshold = 10
///     reset_timeout = "45s"
///     "#,
/// )?;
///
/// let error = breaker::apply_settings("[invoices]\nthreshold = 0").unwrap_err();
/// assert!(error.to_string().contains("threshold"));
/// # Ok::<_, breaker::ApplyError>(())
/// ```
///
/// # Errors
///
/// Every problem of the text at once, each with its breaker, its key and what would be accepted; then nothing has
/// changed.
pub fn apply_settings(text: &str) -> Result<(), ApplyError> {
    let tables: Table =
        text.parse().map_err(|error: toml::de::Error| ApplyError::one(Problem::Syntax(error.to_string())))?;
    // Of two texts at once, one comes after the other.
    let _one_at_a_time = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut problems = Vec::new();
    let mut targets = Vec::new();
    for (name, value) in &tables {
        match prepare(name, value) {
            Ok(target) if targets.iter().any(|other: &Target| same(&other.0, &target.0)) => {
                let text = format!("`{name}` is named by two tables; put its settings in one");
                problems.push(Problem::Syntax(text));
            }
            Ok(target) => targets.push(target),
            Err(problem) => problems.push(problem),
        }
    }
    let mut changes = Vec::new();
    for (breaker, values) in &targets {
        match configure(breaker, values) {
            Ok(change) => changes.push((breaker.name(), change)),
            Err(error) => problems.push(Problem::Setting(breaker.name(), error)),
        }
    }
    if problems.is_empty() {
        // Only a `configure` that comes between can still stand against one.
        problems.extend(changes.into_iter().filter_map(|(name, change)| Some(Problem::Setting(name, change().err()?))));
    }
    if problems.is_empty() { Ok(()) } else { Err(ApplyError { problems }) }
}

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

type Target = (BreakerRef, Vec<(String, Value)>);

/// Whether two names are one breaker's.
fn same(a: &BreakerRef, b: &BreakerRef) -> bool {
    std::ptr::addr_eq(&raw const **a, &raw const **b)
}

fn prepare(name: &str, value: &toml::Value) -> Result<Target, Problem> {
    let breaker = registry().get(name).map_err(Problem::Lookup)?;
    let toml::Value::Table(table) = value else {
        let text = format!("`{name}` is {}; give a table, as `[{name}]`", value.type_str());
        return Err(Problem::Syntax(text));
    };
    let mut values = Vec::new();
    flatten("", table, &mut values);
    Ok((breaker, values))
}

/// A table within a table says whose its keys are: `strategy.rate`.
fn flatten(prefix: &str, table: &Table, values: &mut Vec<(String, Value)>) {
    for (key, value) in table {
        let key = format!("{prefix}{key}");
        match value {
            toml::Value::Table(table) => flatten(&format!("{key}."), table, values),
            value => values.push((key, plain(value))),
        }
    }
}

fn plain(value: &toml::Value) -> Value {
    match value {
        toml::Value::Integer(number) => {
            u64::try_from(*number).map_or_else(|_| Value::Text(number.to_string().into()), Value::Number)
        }
        toml::Value::Float(number) => Value::Float(*number),
        toml::Value::String(text) => time(text).map_or_else(|| Value::Text(text.clone().into()), Value::Duration),
        other => Value::Text(other.to_string().into()),
    }
}

fn time(text: &str) -> Option<Duration> {
    humantime::parse_duration(text).ok()
}

/// Why a text of settings was not applied; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplyError {
    /// Every problem.
    pub problems: Vec<Problem>,
}

/// One problem of a text of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// It is no TOML, or not of tables.
    Syntax(String),
    /// A table names no breaker, or more than one.
    Lookup(LookupError),
    /// A setting of this breaker cannot be what the text says.
    Setting(Name, SettingsError),
}

impl ApplyError {
    fn one(problem: Problem) -> Self {
        Self { problems: vec![problem] }
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(text) => f.write_str(text.trim_end()),
            Self::Lookup(error) => error.fmt(f),
            Self::Setting(breaker, error) => write!(f, "`{breaker}`: {error}"),
        }
    }
}

impl std::error::Error for ApplyError {}

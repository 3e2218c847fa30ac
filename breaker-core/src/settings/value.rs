//! Settings by key, for those who show them and those who change them while the program runs.

use super::SettingsError;
use std::{borrow::Cow, fmt, time::Duration};

/// The value of one setting.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A whole number.
    Number(u64),
    /// A share or a factor.
    Float(f64),
    /// A time.
    Duration(Duration),
    /// Something that can be shown and not changed.
    Text(Cow<'static, str>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Float(number) => write!(f, "{number:?}"),
            Self::Duration(time) => write!(f, "{time:?}"),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// A setting and its value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Setting {
    /// The key, as in a declaration.
    pub key: Cow<'static, str>,
    /// The value.
    pub value: Value,
}

impl Setting {
    /// `key: value`
    pub fn new(key: impl Into<Cow<'static, str>>, value: Value) -> Self {
        Self { key: key.into(), value }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.value)
    }
}

/// A type of settings that can be shown and changed by key.
pub(crate) trait Field: Sized {
    /// What a value must be, in words.
    const ACCEPTS: &'static str;

    fn show(self) -> Value;

    fn read(value: &Value) -> Option<Self>;
}

impl Field for u32 {
    const ACCEPTS: &'static str = "a whole number";

    fn show(self) -> Value {
        Value::Number(self.into())
    }

    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => Self::try_from(*number).ok(),
            _ => None,
        }
    }
}

impl Field for f64 {
    const ACCEPTS: &'static str = "a number";

    fn show(self) -> Value {
        Value::Float(self)
    }

    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Float(number) => Some(*number),
            Value::Number(number) => u32::try_from(*number).ok().map(Self::from),
            _ => None,
        }
    }
}

impl Field for Duration {
    const ACCEPTS: &'static str = "a time with a unit, as in \"30s\"";

    fn show(self) -> Value {
        Value::Duration(self)
    }

    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Duration(time) => Some(*time),
            _ => None,
        }
    }
}

/// Sets one field from a value, or says what the field accepts.
pub(crate) fn set<F: Field>(field: &mut F, key: &'static str, value: &Value) -> Result<(), SettingsError> {
    *field = F::read(value).ok_or_else(|| SettingsError {
        field: key.into(),
        problem: format!("`{key}` cannot be `{value}`; give {}", F::ACCEPTS).into(),
    })?;
    Ok(())
}

/// No field has this key.
pub(crate) fn unknown(key: &str, fields: &[&str]) -> SettingsError {
    let known = fields.iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(", ");
    let remedy = if known.is_empty() { "it has none".to_owned() } else { format!("there are {known}") };
    SettingsError { field: key.to_owned().into(), problem: format!("no setting is called `{key}`; {remedy}").into() }
}

/// This field is fixed once a breaker has it.
pub(crate) fn fixed(key: &'static str, why: &'static str) -> SettingsError {
    SettingsError {
        field: key.into(),
        problem: format!("`{key}` is fixed while the program runs, {why}; change it in the declaration").into(),
    }
}

/// Shows and changes the fields of a shipped type: the two methods of its trait that speak of keys.
macro_rules! by_key {
    ($($field:ident),+ $(; $fixed:ident: $why:literal)?) => {
        fn settings(&self) -> Vec<$crate::Setting> {
            use $crate::settings::value::Field as _;
            vec![
                $($crate::Setting::new(stringify!($fixed), self.$fixed.show()),)?
                $($crate::Setting::new(stringify!($field), self.$field.show())),+
            ]
        }

        fn set(&mut self, key: &str, value: &$crate::Value) -> Result<(), $crate::SettingsError> {
            use $crate::settings::value::{set, unknown};
            match key {
                $(stringify!($field) => set(&mut self.$field, stringify!($field), value),)+
                $(stringify!($fixed) => Err($crate::settings::value::fixed(stringify!($fixed), $why)),)?
                _ => Err(unknown(key, &[$(stringify!($field)),+])),
            }
        }
    };
}
pub(crate) use by_key;

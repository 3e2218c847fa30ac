//! What the library ships: names, settings, and what each setting may be.

/// Where settings stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Strategy,
    Recover,
}

/// What a setting may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A whole number in these bounds.
    Whole(u64, u64),
    /// A fraction above 0, at most 1.
    Rate,
    /// A fraction from 0 to 1.
    Jitter,
    /// A number of at least 1.
    Multiplier,
    /// A duration above 0.
    Time,
    /// Any duration.
    Span,
    /// `Calls(n)` or `Time(d)`.
    Window,
}

/// A shipped strategy or recover.
#[derive(Debug)]
pub(crate) struct Shipped {
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) settings: &'static [(&'static str, Kind)],
    /// Settings without a default.
    pub(crate) required: &'static [&'static str],
    /// A time that may not be shorter than another.
    pub(crate) longer: Option<(&'static str, &'static str)>,
}

/// The largest `Calls(n)`.
pub(crate) const MAX_CALLS: u64 = 16_384;

/// What an entry without a strategy takes.
pub(crate) const DEFAULT_STRATEGY: &str = "FailureRate";
/// What an entry without a recover takes.
pub(crate) const DEFAULT_RECOVER: &str = "Backoff";

/// The name of two strategies in one.
pub(crate) const ANY_OF: &str = "AnyOf";

const U32: u64 = u32::MAX as u64;
const PROBING: (&str, Kind) = ("probing_timeout", Kind::Time);
const SUCCESSES: (&str, Kind) = ("successes", Kind::Whole(1, 255));
const RAMP: (&str, Kind) = ("ramp", Kind::Span);

/// Every shipped type with braces.
pub(crate) const ALL: [Shipped; 8] = [
    Shipped {
        name: "Count",
        role: Role::Strategy,
        settings: &[("threshold", Kind::Whole(1, U32))],
        required: &[],
        longer: None,
    },
    Shipped {
        name: "FailureRate",
        role: Role::Strategy,
        settings: &[
            ("window", Kind::Window),
            ("min_calls", Kind::Whole(1, U32)),
            ("rate", Kind::Rate),
            ("streak", Kind::Whole(0, U32)),
        ],
        required: &[],
        longer: None,
    },
    Shipped {
        name: "SlowCallRate",
        role: Role::Strategy,
        settings: &[
            ("slower_than", Kind::Time),
            ("window", Kind::Window),
            ("min_calls", Kind::Whole(1, U32)),
            ("rate", Kind::Rate),
        ],
        required: &["slower_than"],
        longer: None,
    },
    Shipped {
        name: "Burst",
        role: Role::Strategy,
        settings: &[("failures", Kind::Whole(1, U32)), ("within", Kind::Time)],
        required: &["failures", "within"],
        longer: None,
    },
    Shipped {
        name: "BasicTimeout",
        role: Role::Recover,
        settings: &[("reset_timeout", Kind::Time), PROBING, SUCCESSES, RAMP],
        required: &[],
        longer: None,
    },
    Shipped {
        name: "Backoff",
        role: Role::Recover,
        settings: &[
            ("initial", Kind::Time),
            ("multiplier", Kind::Multiplier),
            ("max", Kind::Time),
            ("jitter", Kind::Jitter),
            SUCCESSES,
            PROBING,
            RAMP,
        ],
        required: &[],
        longer: Some(("max", "initial")),
    },
    Shipped {
        name: "RetryAfter",
        role: Role::Recover,
        settings: &[("default", Kind::Time), ("min", Kind::Span), ("max", Kind::Span), SUCCESSES, PROBING, RAMP],
        required: &[],
        longer: Some(("max", "min")),
    },
    Shipped {
        name: "EveryNth",
        role: Role::Recover,
        settings: &[("rejections", Kind::Whole(1, U32)), SUCCESSES, PROBING, RAMP],
        required: &[],
        longer: None,
    },
];

/// The shipped type of this name.
pub(crate) fn find(name: &str) -> Option<&'static Shipped> {
    const { &ALL }.iter().find(|shipped| shipped.name == name)
}

/// Where what has this name stands.
pub(crate) fn role(name: &str) -> Option<Role> {
    if name == ANY_OF { Some(Role::Strategy) } else { find(name).map(|shipped| shipped.role) }
}

/// The names that may stand in this place.
pub(crate) fn names(role: Role) -> Vec<&'static str> {
    let mut names: Vec<_> = const { &ALL }.iter().filter(|s| s.role == role).map(|s| s.name).collect();
    if role == Role::Strategy {
        names.push(ANY_OF);
    }
    names
}

impl Role {
    /// The field's name.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Role::Strategy => "strategy",
            Role::Recover => "recover",
        }
    }
}

//! The settings of an entry, checked.

use crate::{
    breakers::{
        shipped::{self, ANY_OF, Role, Shipped},
        syntax::Settings,
        values,
    },
    support::{
        Errors,
        fields::{Field, Fields},
        nearest,
    },
};
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Path, spanned::Spanned};

/// What the expansion prints for a strategy or a recover.
#[derive(Debug)]
pub(crate) enum Checked {
    /// The library's, of this name.
    Shipped {
        name: Ident,
        given: Vec<(Ident, TokenStream)>,
        rest: Option<TokenStream>,
        /// Its limits can be asked in const evaluation: nothing was left out because it is wrong.
        whole: bool,
    },
    /// The user's: as written.
    Own { path: Path, given: Vec<(Ident, TokenStream)>, rest: Option<TokenStream> },
    /// Two in one.
    AnyOf(Ident, Box<Checked>, Box<Checked>),
}

impl Checked {
    /// What an entry takes that says nothing.
    pub(crate) fn default(role: Role) -> Self {
        let name = match role {
            Role::Strategy => shipped::DEFAULT_STRATEGY,
            Role::Recover => shipped::DEFAULT_RECOVER,
        };
        Checked::Shipped { name: Ident::new(name, Span::mixed_site()), given: Vec::new(), rest: None, whole: true }
    }
}

/// Checks all settings of one literal; none where not even its type is known.
pub(crate) fn check(krate: &Path, role: Role, settings: Settings, errors: &mut Errors) -> Option<Checked> {
    match settings {
        Settings::Literal { path, fields, broken } => match bare(&path) {
            Some(name) => {
                let shipped = known(role, &name, errors)?;
                Some(literal(krate, shipped, name, fields, broken, errors))
            }
            None => Some(own(krate, path, fields, errors)),
        },
        Settings::Tuple { path, items } => {
            let name = bare(&path).filter(|name| name == ANY_OF && role == Role::Strategy);
            let Some(name) = name else {
                let what = role.field();
                errors.at(path.span(), format!("a {what} is written with braces; write `Name {{ … }}`"));
                return None;
            };
            any_of(krate, name, items, errors)
        }
        Settings::Path(path) => {
            alone(role, &path, errors);
            None
        }
        Settings::Other(span) => {
            let all = nearest::list(&shipped::names(role), "or");
            errors.at(span, format!("this is no {}; write {all} with its settings in braces", role.field()));
            None
        }
    }
}

/// A path without braces: the name of a type, or of a value.
fn alone(role: Role, path: &Path, errors: &mut Errors) {
    let Some(name) = path.segments.last().map(|segment| segment.ident.to_string()) else { return };
    let is_const = name.len() > 1 && !name.contains(char::is_lowercase);
    let owner = path.segments.iter().rev().nth(1).map(|segment| segment.ident.to_string());
    let problem = match (is_const, owner) {
        (true, Some(owner)) if owner.starts_with(char::is_uppercase) => {
            let own = if shipped::find(&owner).is_none() { "self::" } else { "" };
            let whole = if own.is_empty() && name == "DEFAULT" {
                format!("{owner} {{}}")
            } else {
                format!("{own}{owner} {{ ..{own}{owner}::{name} }}")
            };
            format!("`{owner}::{name}` does not show its type; write `{whole}`")
        }
        (true, _) => format!("`{name}` does not show its type; write `Type {{ ..{name} }}` with the name of the type"),
        (false, _) => {
            if bare(path).is_some_and(|bare| known(role, &bare, errors).is_none()) {
                return;
            }
            format!("`{name}` stands without its settings; write `{name} {{}}`")
        }
    };
    errors.at(last(path), problem);
}

fn any_of(krate: &Path, name: Ident, items: Vec<Settings>, errors: &mut Errors) -> Option<Checked> {
    let count = items.len();
    let mut parts =
        items.into_iter().map(|item| check(krate, Role::Strategy, item, errors)).collect::<Vec<_>>().into_iter();
    if count != 2 {
        errors.at(name.span(), format!("`{ANY_OF}` takes two strategies, not {count}; nest it for more"));
        return None;
    }
    let (first, second) = (parts.next()??, parts.next()??);
    Some(Checked::AnyOf(name, Box::new(first), Box::new(second)))
}

/// A single word names what the library ships.
fn bare(path: &Path) -> Option<Ident> {
    path.get_ident().cloned()
}

fn last(path: &Path) -> Span {
    path.segments.last().map_or_else(|| path.span(), |segment| segment.ident.span())
}

fn known(role: Role, name: &Ident, errors: &mut Errors) -> Option<&'static Shipped> {
    let typed = name.to_string();
    let what = role.field();
    match shipped::find(&typed) {
        Some(shipped) if shipped.role == role => return Some(shipped),
        Some(shipped) => {
            let right = shipped.role.field();
            errors.at(name.span(), format!("`{typed}` is a {right}, not a {what}; move it to `{right}: …`"));
        }
        None if typed == ANY_OF && role == Role::Strategy => {
            errors.at(
                name.span(),
                format!("`{ANY_OF}` takes two strategies; write `{ANY_OF}(First {{ … }}, Second {{ … }})`"),
            );
        }
        None => {
            let names = shipped::names(role);
            let hint = nearest::hint(&typed, &names);
            let all = nearest::list(&names, "and");
            errors.at(
                name.span(),
                format!(
                    "no {what} `{typed}` is shipped; {hint}shipped are {all}, for one of your own write `self::{typed}`"
                ),
            );
        }
    }
    None
}

fn literal(krate: &Path, shipped: &Shipped, name: Ident, fields: Fields, broken: bool, errors: &mut Errors) -> Checked {
    let before = errors.len();
    let names: Vec<_> = shipped.settings.iter().map(|(name, _)| *name).collect();
    let mut given: Vec<(Ident, TokenStream)> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    if let Some((long, short)) = shipped.longer {
        longer(&fields.named, long, short, errors);
    }
    for Field { name, value } in fields.named {
        let typed = name.to_string();
        let Some((_, kind)) = shipped.settings.iter().find(|(known, _)| *known == typed) else {
            errors.at(name.span(), nearest::unknown("setting", &typed, &names));
            // A misspelt required one is not missing as well.
            seen.extend(shipped.required.iter().map(ToString::to_string));
            continue;
        };
        if seen.contains(&typed) {
            errors.at(name.span(), format!("`{typed}` is given twice; remove one"));
            continue;
        }
        seen.push(typed);
        if let Some(value) = values::shipped(krate, &name, *kind, value, errors) {
            given.push((name, value));
        }
    }
    let rest = fields.rest.and_then(|(_, value)| values::rest(krate, &name, value, errors));
    for required in shipped.required {
        if rest.is_none() && !broken && !seen.iter().any(|seen| seen == required) {
            let shipped = shipped.name;
            errors.at(name.span(), format!("`{shipped}` has no default for `{required}`; write `{required}: …`"));
        }
    }
    windows(&given, errors);
    let whole = !broken && errors.len() == before;
    Checked::Shipped { name, given, rest, whole }
}

/// A time that is shorter than the one it may not be shorter than, where both are literals.
fn longer(given: &[Field], long: &str, short: &str, errors: &mut Errors) {
    let length =
        |wanted: &str| given.iter().find(|field| field.name == wanted).and_then(|field| values::length(&field.value));
    if let (Some((longest, span)), Some((shortest, _))) = (length(long), length(short))
        && longest < shortest
    {
        errors.at(span, format!("`{long}` is shorter than `{short}`; give at least as much"));
    }
}

/// `min_calls` above `Calls(n)`, where both are literals.
fn windows(given: &[(Ident, TokenStream)], errors: &mut Errors) {
    let text = |wanted: &str| given.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let (Some(window), Some(min)) = (text("window"), text("min_calls")) else {
        return;
    };
    let trees: Vec<_> = window.into_iter().collect();
    let calls = match &trees[..] {
        [.., proc_macro2::TokenTree::Ident(helper), proc_macro2::TokenTree::Group(group)] if helper == "Calls" => {
            syn::parse2::<syn::LitInt>(group.stream()).ok().and_then(|n| n.base10_parse::<u64>().ok())
        }
        _ => None,
    };
    let literal = syn::parse2::<syn::LitInt>(min).ok();
    if let (Some(calls), Some(literal)) = (calls, literal)
        && literal.base10_parse::<u64>().is_ok_and(|min| min > calls)
    {
        errors.at(
            literal.span(),
            format!("`min_calls` is above the window of {calls} calls, so it would never open; use at most {calls}"),
        );
    }
}

fn own(krate: &Path, path: Path, fields: Fields, errors: &mut Errors) -> Checked {
    let mut given = Vec::new();
    for Field { name, value } in fields.named {
        if let Some(value) = values::any(krate, value, errors) {
            given.push((name, value));
        }
    }
    let rest = fields.rest.and_then(|(_, value)| values::any(krate, value, errors));
    Checked::Own { path, given, rest }
}

//! Every rule of a declaration. What is wrong is told and replaced by its default, so that the accessor exists.

use crate::{
    breakers::{
        settings::{self, Checked},
        shipped::Role,
        syntax::{self, Entry, Head, Item},
        values,
    },
    support::{Errors, fields::Field, krate, nearest, tokens},
};
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Attribute, Path, TypePath, Visibility, parse::Parser};

const FIELDS: [&str; 5] = ["strategy", "recover", "classify", "abandoned_after", "on_event"];
const HEADS: [&str; 2] = ["classify", "crate"];

/// A declaration without mistakes.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) krate: Path,
    pub(crate) entries: Vec<Breaker>,
}

/// One entry without mistakes.
#[derive(Debug)]
pub(crate) struct Breaker {
    pub(crate) attrs: Vec<Attribute>,
    /// The line for an entry without a doc comment.
    pub(crate) doc: Option<String>,
    pub(crate) vis: Visibility,
    pub(crate) name: Ident,
    /// The place of its braces.
    pub(crate) braces: Span,
    /// The run-time name.
    pub(crate) label: String,
    pub(crate) strategy: Checked,
    pub(crate) recover: Checked,
    pub(crate) classify: Option<TypePath>,
    pub(crate) abandoned_after: Option<TokenStream>,
    pub(crate) on_event: Option<TypePath>,
}

/// The only maker of `Module`.
pub(crate) fn check(items: Vec<Item>, errors: &mut Errors) -> Module {
    let mut heads = Vec::new();
    let mut entries = Vec::new();
    for item in items {
        match item {
            Item::Head(head) if entries.is_empty() => heads.push(head),
            Item::Head(head) => late(&head, errors),
            Item::Entry(entry) => entries.push(entry),
        }
    }
    let (krate, classify) = self::heads(heads, errors);
    let krate = krate.unwrap_or_else(krate::default);
    let mut checked: Vec<Breaker> = Vec::new();
    for entry in entries {
        let twice = !under_cfg(&entry.attrs)
            && checked.iter().any(|other| other.name == entry.name && !under_cfg(&other.attrs));
        if twice {
            let name = &entry.name;
            errors.at(name.span(), format!("`{name}` is declared twice; rename one"));
        }
        let breaker = self::entry(&krate, classify.clone(), entry, errors);
        if let (Some(breaker), false) = (breaker, twice) {
            checked.push(breaker);
        }
    }
    Module { krate, entries: checked }
}

fn late(head: &Head, errors: &mut Errors) {
    let key = &head.key;
    errors.at(key.span(), format!("`{key}` stands after an entry; put it before the first one"));
}

fn heads(heads: Vec<Head>, errors: &mut Errors) -> (Option<Path>, Option<TypePath>) {
    let (mut krate, mut classify) = (None, None);
    for Head { key, separator, value } in heads {
        let typed = key.to_string();
        let (place, right, remedy) = match typed.as_str() {
            "crate" => (&mut krate, '=', "the path of the library; write `crate = ::breaker;`"),
            "classify" => (&mut classify, ':', "a path; name a type that implements `Classify`"),
            _ => {
                errors.at(key.span(), nearest::unknown("setting", &typed, &HEADS));
                continue;
            }
        };
        if place.is_some() {
            errors.at(key.span(), format!("`{key}` is given twice; remove one"));
        } else {
            if separator.as_char() != right {
                let space = if right == '=' { " " } else { "" };
                errors
                    .at(separator.span(), format!("`{key}` is followed by `{right}`; write `{key}{space}{right} …;`"));
            }
            match value {
                Ok(Some(path)) if right == ':' || path.qself.is_none() => *place = Some(path),
                Ok(None) => errors.at(key.span(), format!("`{key}` has no value; write the path of one")),
                Ok(Some(_)) => errors.at(key.span(), format!("`{key}` takes {remedy}")),
                Err(span) => errors.at(span, format!("`{key}` takes {remedy}")),
            }
        }
    }
    (krate.map(|krate: TypePath| krate.path), classify)
}

fn under_cfg(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("cfg"))
}

fn documented(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("doc"))
}

fn entry(krate: &Path, classify: Option<TypePath>, entry: Entry, errors: &mut Errors) -> Option<Breaker> {
    let label = tokens::plain(&entry.name);
    if entry.name == "_" {
        errors.at(entry.name.span(), "a breaker needs a name; write `pub name { … }`");
        return None;
    }
    if syn::parse_str::<Ident>(&entry.name.to_string()).is_err() {
        let remedy = if syn::parse_str::<Ident>(&format!("r#{label}")).is_ok() {
            format!("write `r#{label}`")
        } else {
            "choose another name".to_string()
        };
        errors.at(entry.name.span(), format!("`{label}` is a keyword; {remedy}"));
        return None;
    }
    if let Some((dots, _)) = &entry.fields.rest {
        errors.at(*dots, "an entry has no `..`; fields left out take their defaults");
    }
    let mut found = Values { classify, ..Values::default() };
    let mut seen: Vec<String> = Vec::new();
    for field in entry.fields.named {
        let typed = field.name.to_string();
        if seen.contains(&typed) {
            errors.at(field.name.span(), format!("`{typed}` is given twice; remove one"));
        } else if FIELDS.contains(&typed.as_str()) {
            found.read(krate, field, errors);
        } else {
            errors.at(field.name.span(), nearest::unknown("field", &typed, &FIELDS));
        }
        seen.push(typed);
    }
    Some(Breaker {
        doc: (!documented(&entry.attrs)).then(|| format!("The circuit breaker `{label}`.")),
        attrs: entry.attrs,
        vis: entry.vis,
        name: entry.name,
        braces: entry.braces,
        label,
        strategy: found.strategy.unwrap_or_else(|| Checked::default(Role::Strategy)),
        recover: found.recover.unwrap_or_else(|| Checked::default(Role::Recover)),
        classify: found.classify,
        abandoned_after: found.abandoned_after,
        on_event: found.on_event,
    })
}

#[derive(Default)]
struct Values {
    strategy: Option<Checked>,
    recover: Option<Checked>,
    classify: Option<TypePath>,
    abandoned_after: Option<TokenStream>,
    on_event: Option<TypePath>,
}

impl Values {
    fn read(&mut self, krate: &Path, Field { name, value }: Field, errors: &mut Errors) {
        match name.to_string().as_str() {
            "strategy" => {
                let settings = syntax::settings(value, errors);
                self.strategy = settings::check(krate, Role::Strategy, settings, errors);
            }
            "recover" => {
                let settings = syntax::settings(value, errors);
                self.recover = settings::check(krate, Role::Recover, settings, errors);
            }
            "abandoned_after" => self.abandoned_after = values::duration(krate, &name, value, errors),
            "classify" => {
                if let Some(path) = path(&name, value, "a type that implements `Classify`", errors) {
                    self.classify = Some(path);
                }
            }
            _ => self.on_event = path(&name, value, "a `fn(&Event)`", errors),
        }
    }
}

fn path(name: &Ident, value: TokenStream, what: &str, errors: &mut Errors) -> Option<TypePath> {
    let value = tokens::seen_through(value);
    let start = tokens::first_span(&value, Span::call_site());
    let read = tokens::named.parse2(value).ok();
    if read.is_none() {
        errors.at(start, format!("`{name}` takes a path; name {what}"));
    }
    read
}

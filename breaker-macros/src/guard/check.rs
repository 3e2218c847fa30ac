//! Every rule of a guarded fn.

use crate::{
    guard::{
        options::{self, Any, Callable, Options},
        returns::{self, Returns, Shape},
        syntax::{Args, Body, Function, Item, Name},
    },
    support::{
        Errors,
        duration::{self, Read, UNITS},
        krate,
        tokens::{at, enclosed, first_span, mention, placed, plain, seen_through},
    },
};
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Expr, ExprClosure, FnArg, Pat, Path, ReturnType, Signature, Visibility};

/// A fn that can be guarded, with all that its expansion prints.
#[derive(Debug)]
pub(crate) struct Guarded {
    pub(crate) krate: Path,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: Body,
    pub(crate) accessor: TokenStream,
    /// The name that reports show.
    pub(crate) function: String,
    pub(crate) shape: Shape,
    /// What a call gives in the end.
    pub(crate) output: TokenStream,
    /// What the fn itself returns.
    pub(crate) whole: TokenStream,
    /// What the body takes over, last one first: the order in which arguments drop.
    pub(crate) arguments: Vec<Argument>,
    pub(crate) probes: bool,
    pub(crate) classify: Option<TokenStream>,
    pub(crate) on_open: Option<OnOpen>,
    pub(crate) fallback: Option<Fallback>,
    pub(crate) timeout: Option<TokenStream>,
    /// The time-out as the call site shows it: a const expression may name `Self`, which a static cannot.
    pub(crate) shown_timeout: Option<TokenStream>,
    /// Its type can be asked whether it is a future, and nothing else tells.
    pub(crate) plain_type: bool,
}

/// A bound name with the `cfg`s of its parameter.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) name: Ident,
}

/// What a rejected call returns.
#[derive(Debug)]
pub(crate) struct OnOpen {
    pub(crate) value: TokenStream,
    /// The name to bind the rejection to, where the value has the word.
    pub(crate) rejected: Option<Ident>,
}

/// What turns an error into another result.
#[derive(Debug)]
pub(crate) enum Fallback {
    Closure(Box<ExprClosure>),
    Path(TokenStream),
}

/// The only maker of `Guarded`. Everything that is wrong is told.
pub(crate) fn check(args: Args, item: Item, errors: &mut Errors) -> Option<Guarded> {
    let accessor = accessor(&args.name, errors);
    let name_is_first = !matches!(args.name, Name::Option(_));
    let (options, keys) = options::read(args.options, name_is_first, errors);
    let function = function(item, errors)?;
    let Function { attrs, vis, mut sig, body } = *function;
    if body.is_none() {
        let name = &sig.ident;
        errors.at(
            name.span(),
            format!("`{name}` has no body to guard; put `#[circuit_breaker]` on the method that has one"),
        );
    }
    let track_caller = attrs.iter().find(|attr| attr.path().is_ident("track_caller"));
    let track_caller = track_caller.map(|attr| first_span(&attr.path().to_token_stream(), sig.ident.span()));
    let returns = signature(&sig, track_caller, errors);
    let krate = options.krate.clone().map_or_else(krate::default, |krate| krate.0);
    let timeout = options.timeout.as_ref().and_then(|any| timeout(&krate, any, errors));
    let literal_timeout = options.timeout.as_ref().is_some_and(|any| literal(any).is_some());
    fit(&sig, &returns, &options, &keys, errors);
    if !errors.is_empty() {
        return None;
    }
    let (body, accessor, output) = (body?, accessor?, returns.output?);
    let arguments = arguments(&mut sig, &body.rest);
    let classify = options.classify.map(|judge| classify(&krate, judge, &output));
    Some(Guarded {
        accessor: unshadowed(&accessor, &sig),
        function: plain(&sig.ident),
        krate,
        attrs,
        vis,
        sig,
        body,
        shape: returns.shape,
        plain_type: returns.shape == Shape::Plain
            && !returns.unit
            && options.on_open.is_some()
            && mention(&output, "_").is_none(),
        whole: returns.whole,
        arguments,
        probes: options.probe.is_none(),
        classify,
        output,
        on_open: options.on_open.map(on_open),
        fallback: options.fallback.map(|fallback| match fallback {
            Callable::Closure(closure) => Fallback::Closure(closure),
            Callable::Path(path) => Fallback::Path(path),
        }),
        shown_timeout: timeout.as_ref().filter(|_| literal_timeout).cloned(),
        timeout,
    })
}

fn accessor(name: &Name, errors: &mut Errors) -> Option<Path> {
    match name {
        Name::Path(path) if path.segments.first().is_some_and(|first| first.ident == "Self") => {
            let span = path.segments.first().map_or_else(Span::call_site, |first| first.ident.span());
            errors.at(span, "a breaker belongs to a module, not to a type; write the path of its accessor");
        }
        Name::Path(path) => return Some(path.clone()),
        Name::Called(name) => {
            errors.at(name.span(), format!("the name of a breaker stands without parentheses; write `{name}`"));
        }
        Name::Keyed(name) => {
            errors.at(name.span(), format!("there are no breakers by key yet; name one breaker, such as `{name}`"));
        }
        Name::Field(span) => {
            errors.at(*span, "there are no breakers in fields yet; name one that `breakers!` declares");
        }
        Name::Option(span) => {
            errors.at(*span, "the name of the breaker comes first; write `#[circuit_breaker(name, option = value)]`");
        }
        Name::Nothing => {
            errors.at(Span::call_site(), "`#[circuit_breaker]` names no breaker; write `#[circuit_breaker(name)]`");
        }
        Name::Unread => {}
    }
    None
}

fn function(item: Item, errors: &mut Errors) -> Option<Box<Function>> {
    match item {
        Item::Fn(function) => Some(function),
        Item::Other(span) => {
            errors.at(span, "`#[circuit_breaker]` guards a fn; put it on one, or on each method of an impl");
            None
        }
    }
}

fn signature(sig: &Signature, track_caller: Option<Span>, errors: &mut Errors) -> Returns {
    let returns = returns::of(sig);
    if let (Some(span), true) = (track_caller, returns.shape != Shape::Async) {
        errors.at(span, "`#[track_caller]` has no effect on a guarded fn, whose body the library calls; remove it");
    }
    if let Some(token) = sig.constness {
        errors.at(token.span, "a `const fn` cannot be guarded, a breaker is asked at run time; remove `const`");
    }
    if returns.never {
        let span = returns::span(sig, &returns);
        errors.at(span, "a fn that never returns cannot be guarded, it has no outcome; remove the attribute");
    }
    if returns.output.is_none() {
        let span = returns::span(sig, &returns);
        errors.at(span, "this future does not say what it gives; write `Future<Output = …>`");
    }
    returns
}

/// Do the options fit what the fn returns, as far as its tokens show?
fn fit(sig: &Signature, returns: &Returns, options: &Options, keys: &[Ident], errors: &mut Errors) {
    let key = |name: &str| keys.iter().find(|key| *key == name).map(Ident::span);
    if let (Some(span), Shape::Plain) = (key("timeout"), returns.shape) {
        errors.at(span, "`timeout` needs a future to drop, and this fn is not async; remove it");
    }
    if !returns.unit {
        return;
    }
    for option in ["fallback", "timeout"] {
        if let Some(span) = key(option)
            && (option == "fallback" || returns.shape != Shape::Plain)
        {
            errors.at(span, format!("`{option}` needs a fn that returns a `Result`; give it one"));
        }
    }
    if options.on_open.is_none() && key("on_open").is_none() {
        let name = &sig.ident;
        errors.at(
            name.span(),
            format!("`{name}` returns nothing, so it cannot say that a call was rejected; return a `Result`, or give `on_open` and `classify`"),
        );
    }
}

const ZERO: &str = "`timeout` cannot be zero; use a longer one, such as `2s`";

fn timeout(krate: &Path, Any(value): &Any, errors: &mut Errors) -> Option<TokenStream> {
    let value = seen_through(value.clone());
    let start = first_span(&value, Span::call_site());
    let before = errors.len();
    if let Some(literal) = literal(&Any(value.clone())) {
        let problem = match duration::read(&literal) {
            Read::Length(length) if length.is_zero() => Some(ZERO.to_string()),
            Read::Bare => Some(format!("`timeout` has no unit; write `{literal}s`, the units are {UNITS}")),
            Read::Other => Some("`timeout` is a duration; write a number with a unit, such as `2s`".to_string()),
            // What is wrong with it is told where it is spelt out.
            Read::Length(_) | Read::Wrong(_) => None,
        };
        if let Some(problem) = problem {
            errors.at(start, problem);
        }
        let value = duration::spelt_out(krate, TokenTree::from(literal).into(), errors);
        return (errors.len() == before).then_some(value);
    }
    if value.to_string().ends_with("Duration :: ZERO") {
        // Const evaluation tells it too, but of a fn that is compiled to the end only.
        errors.at(start, ZERO);
        return None;
    }
    if is_negative(&value) {
        errors.at(start, "`timeout` cannot be negative; write it without the minus");
        return None;
    }
    let value = duration::spelt_out(krate, value, errors);
    let (span, value) = (at(start), enclosed(value, start));
    let krate = placed(krate, span);
    (errors.len() == before).then(|| {
        quote_spanned! {span=>
            const {
                let timeout: #krate::__private::Duration = #value;
                #krate::__private::not_zero(timeout)
            }
        }
    })
}

fn is_negative(value: &TokenStream) -> bool {
    let mut trees = value.clone().into_iter();
    let minus = matches!(trees.next(), Some(TokenTree::Punct(p)) if p.as_char() == '-');
    minus && matches!((trees.next(), trees.next()), (Some(TokenTree::Literal(_)), None))
}

/// A literal alone, or in parentheses.
fn literal(Any(value): &Any) -> Option<Literal> {
    let mut trees = seen_through(value.clone()).into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Literal(literal)), None) => Some(literal),
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Parenthesis => {
            literal(&Any(group.stream()))
        }
        _ => None,
    }
}

/// A path, and a closure that says what it takes, get it in a closure of ours: what they cannot take would be told at
/// each bound that asks it.
fn classify(krate: &Path, judge: Callable, output: &TokenStream) -> TokenStream {
    match judge {
        Callable::Path(path) => {
            let span = at(first_span(&path, Span::call_site()));
            quote_spanned!(span=> |__breaker_returned: &#output| #path(__breaker_returned))
        }
        Callable::Closure(mut closure) => {
            // What it returns is known. Another type there would be told here, and at what the fn returns once more.
            if let ReturnType::Type(..) = std::mem::replace(&mut closure.output, ReturnType::Default) {
                let body = enclosed(closure.body.to_token_stream(), Span::call_site());
                *closure.body = Expr::Verbatim(body.to_token_stream());
            }
            if let Some(takes @ Pat::Type(_)) = closure.inputs.first_mut() {
                let span = at(first_span(&takes.to_token_stream(), Span::call_site()));
                let ours = Pat::Verbatim(quote_spanned!(span=> __breaker_returned: &#output));
                let takes = std::mem::replace(takes, ours);
                let body = enclosed(closure.body.to_token_stream(), span);
                let given = given(krate, &takes, span, &quote_spanned!(span=> __breaker_returned));
                *closure.body = Expr::Verbatim(quote_spanned!(span=> { let #takes = #given; #body }));
            }
            closure.to_token_stream()
        }
    }
}

/// A value for a pattern. Through a call where it binds a name that begins with `_`: that to something that does nothing
/// is linted.
pub(crate) fn given(krate: &Path, pat: &impl ToTokens, span: Span, value: &TokenStream) -> TokenStream {
    let unused = pat.to_token_stream().into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => name != "_" && name.to_string().starts_with('_'),
        _ => false,
    });
    let krate = placed(krate, span);
    if unused { quote_spanned!(span=> #krate::__private::identity(#value)) } else { value.clone() }
}

fn on_open(Any(value): Any) -> OnOpen {
    let rejected = mention(&value, "rejected").map(|span| Ident::new("rejected", span));
    OnOpen { value, rejected }
}

/// The arguments that the body takes over. A `_` gets a name, or it would outlive those declared before it.
fn arguments(sig: &mut Signature, body: &TokenStream) -> Vec<Argument> {
    let mut found = Vec::new();
    for (place, input) in sig.inputs.iter_mut().enumerate() {
        match input {
            FnArg::Receiver(receiver) => {
                found
                    .push(Argument { cfgs: cfgs(&receiver.attrs), name: Ident::new("self", receiver.self_token.span) });
            }
            FnArg::Typed(typed) => {
                if let (Pat::Wild(wild), true) = (&*typed.pat, place > 0) {
                    let name = format_ident!("__breaker_unnamed{place}", span = at(wild.underscore_token.span));
                    *typed.pat = Pat::Ident(syn::PatIdent {
                        attrs: Vec::new(),
                        by_ref: None,
                        mutability: None,
                        ident: name,
                        subpat: None,
                    });
                }
                let mut names = Vec::new();
                bound(&typed.pat, &mut names);
                found.extend(names.into_iter().map(|name| Argument { cfgs: cfgs(&typed.attrs), name }));
            }
        }
    }
    // An argument that the body does not name is left to the compiler to report.
    found.retain(|argument| {
        let name = argument.name.to_string();
        name.starts_with('_') || mention(body, &name).is_some()
    });
    found.reverse();
    found
}

fn cfgs(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect()
}

/// The names that a pattern binds.
fn bound(pat: &Pat, names: &mut Vec<Ident>) {
    match pat {
        Pat::Ident(ident) => {
            names.push(ident.ident.clone());
            if let Some((_, inner)) = &ident.subpat {
                bound(inner, names);
            }
        }
        Pat::Paren(paren) => bound(&paren.pat, names),
        Pat::Reference(reference) => bound(&reference.pat, names),
        Pat::Type(typed) => bound(&typed.pat, names),
        Pat::Slice(slice) => slice.elems.iter().for_each(|pat| bound(pat, names)),
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|pat| bound(pat, names)),
        Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|pat| bound(pat, names)),
        Pat::Struct(fields) => fields.fields.iter().for_each(|field| bound(&field.pat, names)),
        Pat::Or(or) => or.cases.iter().take(1).for_each(|pat| bound(pat, names)),
        _ => {}
    }
}

/// An import may not have the name of a parameter; from the module it is meant where it is one word.
fn unshadowed(path: &Path, sig: &Signature) -> TokenStream {
    let mut names = Vec::new();
    for input in &sig.inputs {
        if let FnArg::Typed(typed) = input {
            bound(&typed.pat, &mut names);
        }
    }
    match path.get_ident() {
        Some(word) if names.contains(word) => quote!(self::#word),
        _ => quote!(#path),
    }
}

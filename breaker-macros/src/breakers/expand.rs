//! A checked declaration as tokens: one accessor fn for an entry, with its static and its registry entry inside.

use crate::{
    breakers::{
        check::{Breaker, Module},
        settings::Checked,
    },
    support::{krate, mixed, tokens::at},
};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Path, Visibility, token::Fn};

/// All entries, each as one item.
pub(crate) fn expand(module: &Module) -> TokenStream {
    module.entries.iter().map(|entry| accessor(&module.krate, entry)).collect()
}

fn accessor(krate: &Path, entry: &Breaker) -> TokenStream {
    let Breaker { attrs, vis, name, label, .. } = entry;
    let span = at(name.span());
    let doc = entry.doc.iter();
    let ty = ty(krate, entry);
    let (strategy, recover) = (value(krate, &entry.strategy), value(krate, &entry.recover));
    let (declaration, breaker) = (declaration(krate, entry, label), breaker(krate, entry));
    let built = quote_spanned!(place(entry)=> #breaker::declared(&__DECLARATION, #strategy, #recover));
    let content = quote_spanned! {span=>
            static __DECLARATION: #krate::__private::Declaration = #declaration;
            static __BREAKER: #ty = #built;
            #krate::__private::entry!(__BREAKER)
    };
    // The compiler tells that nobody uses a fn where its `fn` and its braces are the user's. It would also give advice on
    // those that are `pub`, which nobody can follow in a declaration.
    let mut braces = Group::new(Delimiter::Brace, content);
    let keyword = if matches!(vis, Visibility::Public(_)) {
        braces.set_span(span);
        Fn(span)
    } else {
        braces.set_span(entry.braces);
        Fn(name.span())
    };
    quote_spanned! {span=>
        #(#attrs)*
        #(#[doc = #doc])*
        #vis #keyword #name() -> &'static #ty #braces
    }
}

fn declaration(krate: &Path, entry: &Breaker, label: &str) -> TokenStream {
    // At the name's own place, so that the line is the entry's and not that of the whole macro.
    let line = quote_spanned!(entry.name.span()=> #krate::__private::line!());
    let abandoned_after =
        entry.abandoned_after.clone().unwrap_or_else(|| mixed!(#krate::__private::Declaration::ABANDONED_AFTER));
    let on_event = entry
        .on_event
        .as_ref()
        .map_or_else(|| mixed!(#krate::__private::None), |path| mixed!(#krate::__private::Some(#path)));
    let span = at(entry.name.span());
    quote_spanned! {span=>
        #krate::__private::Declaration {
            name: #label,
            module: #krate::__private::module_path!(),
            file: #krate::__private::file!(),
            line: #line,
            abandoned_after: #abandoned_after,
            on_event: #on_event,
        }
    }
}

fn ty(krate: &Path, entry: &Breaker) -> TokenStream {
    let strategy = settings_ty(krate, &entry.strategy);
    let recover = settings_ty(krate, &entry.recover);
    let classify =
        entry.classify.as_ref().map_or_else(|| mixed!(#krate::__private::ErrIsFailure), ToTokens::to_token_stream);
    let (span, breaker) = (place(entry), breaker(krate, entry));
    quote_spanned!(span=> #breaker<#strategy, #recover, #classify>)
}

/// Where a type of the user's own stands, what that lacks is told there.
fn place(entry: &Breaker) -> Span {
    let own = [&entry.strategy, &entry.recover].into_iter().find_map(own);
    at(own.unwrap_or_else(|| entry.name.span()))
}

fn breaker(krate: &Path, entry: &Breaker) -> TokenStream {
    let span = place(entry);
    let krate = krate::at_place(krate, span);
    quote_spanned!(span=> #krate::__private::Breaker)
}

/// The place of a type that does not ship.
fn own(settings: &Checked) -> Option<Span> {
    match settings {
        Checked::Shipped { .. } => None,
        Checked::Own { path, .. } => path.segments.last().map(|segment| segment.ident.span()),
        Checked::AnyOf(_, first, second) => own(first).or_else(|| own(second)),
    }
}

fn settings_ty(krate: &Path, settings: &Checked) -> TokenStream {
    match settings {
        Checked::Shipped { name, .. } => shipped(krate, name),
        Checked::Own { path, .. } => path.to_token_stream(),
        Checked::AnyOf(name, first, second) => {
            let any_of = shipped(krate, name);
            let (first, second) = (settings_ty(krate, first), settings_ty(krate, second));
            mixed!(#any_of<#first, #second>)
        }
    }
}

fn value(krate: &Path, settings: &Checked) -> TokenStream {
    match settings {
        Checked::Shipped { name, given, rest, whole } => {
            let ty = shipped(krate, name);
            let fields = given.iter().map(|(name, value)| mixed!(#name: #value));
            let span = at(name.span());
            let rest = rest.clone().unwrap_or_else(|| quote_spanned!(span=> #ty::DEFAULT));
            let literal = quote_spanned!(span=> #ty { #(#fields,)* ..#rest });
            if *whole {
                quote_spanned!(span=> { let settings = #literal; settings.assert_valid(); settings })
            } else {
                literal
            }
        }
        Checked::Own { path, given, rest } => {
            let fields = given.iter().map(|(name, value)| mixed!(#name: #value));
            let rest = rest.iter();
            let span = at(path.segments.last().map_or_else(Span::call_site, |segment| segment.ident.span()));
            let krate = krate::at_place(krate, span);
            // By another name, so that one that does not exist is told as a type only. It may be the library's.
            quote_spanned! {span=> {
                use #krate::__private::AnySettings as _;
                type __Settings = #path;
                let settings = __Settings { #(#fields,)* #(..#rest)* };
                <#krate::__private::Asked<__Settings>>::VALIDATOR.assert(&settings);
                settings
            }}
        }
        Checked::AnyOf(name, first, second) => {
            let any_of = shipped(krate, name);
            let (first, second) = (value(krate, first), value(krate, second));
            mixed!(#any_of(#first, #second))
        }
    }
}

fn shipped(krate: &Path, name: &Ident) -> TokenStream {
    let name = Ident::new(&name.to_string(), at(name.span()));
    mixed!(#krate::__private::#name)
}

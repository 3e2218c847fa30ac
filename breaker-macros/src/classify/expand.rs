//! The checked marks as impls.

use crate::{
    classify::check::{Arm, Error, Meaning, binding},
    support::{mixed, tokens::at},
};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Path;

/// What the error says by itself, and as the policy of a breaker: for a plain `Result` and for one around `Error`.
pub(crate) fn expand(error: &Error) -> TokenStream {
    let Error { krate, name, generics, .. } = error;
    let (params, arguments, clause) = generics.split_for_impl();
    let ty = mixed!(#name #arguments);
    let outcome = outcome(error);
    let allow = error.deprecated.then(|| mixed!(#[allow(deprecated)]));
    let mut with_value = generics.clone();
    with_value
        .params
        .push(syn::GenericParam::Type(syn::Ident::new("__BreakerT", proc_macro2::Span::mixed_site()).into()));
    let (more_params, _, _) = with_value.split_for_impl();
    let policy = |err: &TokenStream| {
        mixed! {
            #[automatically_derived]
            #allow
            impl #more_params #krate::__private::Classify<#krate::__private::Result<__BreakerT, #err>> for #ty #clause {
                fn classify(result: &#krate::__private::Result<__BreakerT, #err>) -> #krate::__private::Outcome {
                    #krate::__private::by_error(result)
                }
            }
        }
    };
    let (plain, wrapped) = (policy(&ty), policy(&mixed!(#krate::__private::Error<#ty>)));
    mixed! {
        #[automatically_derived]
        #allow
        impl #params #krate::__private::ClassifyError for #ty #clause {
            fn outcome(&self) -> #krate::__private::Outcome {
                #outcome
            }
        }
        #plain
        #wrapped
    }
}

fn outcome(error: &Error) -> TokenStream {
    if error.variants && error.arms.is_empty() {
        return mixed!(match *self {});
    }
    let arms = error.arms.iter().map(|arm| self::arm(&error.krate, arm));
    mixed!(match self { #(#arms)* })
}

fn arm(krate: &Path, Arm { variant, meaning }: &Arm) -> TokenStream {
    let shape = variant.as_ref().map_or_else(|| mixed!(Self), |name| mixed!(Self::#name));
    match meaning {
        Meaning::Success => mixed!(#shape { .. } => #krate::__private::Outcome::Success,),
        Meaning::Ignored => mixed!(#shape { .. } => #krate::__private::Outcome::Ignored,),
        Meaning::Failure => mixed!(#shape { .. } => #krate::__private::Outcome::failure(),),
        Meaning::RetryAfter(member, span) => {
            let name = binding(member, *span);
            let ask = quote_spanned!(at(*span)=> #krate::__private::failure_after(#name));
            mixed!(#shape { #member: #name, .. } => #ask,)
        }
        Meaning::Ask(path, members) => {
            let names: Vec<_> = members.iter().map(|member| binding(member, Span::mixed_site())).collect();
            let ask = path.to_token_stream();
            mixed!(#shape { #(#members: #names,)* } => #ask(#(#names),*),)
        }
    }
}

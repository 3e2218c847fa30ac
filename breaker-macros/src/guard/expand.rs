//! A checked fn as tokens: the signature as it was, the body in a closure or an async block, one call around it.

use crate::{
    guard::{
        check::{Argument, Fallback, Guarded, OnOpen, given},
        returns::Shape,
    },
    support::{
        krate, mixed,
        tokens::{at, enclosed, first_span, placed, refill},
    },
};
use proc_macro2::{Group, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Pat, ReturnType};

/// The whole fn.
pub(crate) fn expand(fun: &Guarded) -> TokenStream {
    let Guarded { attrs, vis, sig, body, .. } = fun;
    let inner = &body.inner;
    let content = match fun.shape {
        Shape::Plain => plain(fun),
        Shape::Async => asynchronous(fun, &block(fun, &fun.output)),
        Shape::Future { boxed } => future(fun, boxed),
    };
    let braces = refill(&body.braces, mixed!(#inner #content));
    mixed!(#(#attrs)* #vis #sig #braces)
}

/// `{ typed; list of arguments; { body } }`, in the user's own braces.
fn block(fun: &Guarded, ty: &TokenStream) -> Group {
    let first = typed(ty, &fun.arguments);
    let body = body(fun);
    refill(&fun.body.braces, mixed!(#first #body))
}

/// The body, between parentheses of ours: on one line its braces would be reported as needless.
fn body(fun: &Guarded) -> TokenStream {
    let body = refill(&fun.body.braces, fun.body.rest.clone());
    enclosed(body.to_token_stream(), fun.body.braces.span_open()).to_token_stream()
}

/// The statement that tells the block's type and takes the arguments over in the order in which they drop.
fn typed(ty: &TokenStream, arguments: &[Argument]) -> TokenStream {
    let takes = arguments.iter().map(|Argument { cfgs, name }| mixed!(#(#cfgs)* let _ = &#name;));
    mixed! {
        #[allow(unreachable_code, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        if false {
            #(#takes)*
            let __breaker_returned: #ty = loop {};
            return __breaker_returned;
        }
    }
}

/// The breaker and this place, as the value that every call into the library starts from.
fn guard(fun: &Guarded) -> TokenStream {
    let Guarded { krate, accessor, function, output, .. } = fun;
    let timeout = fun.shown_timeout.iter();
    let span = at(first_span(accessor, fun.sig.ident.span()));
    let placed_krate = krate::at_place(krate, span);
    let accessor = quote_spanned!(span=> #placed_krate::__private::accessor(#accessor));
    let line = quote_spanned!(fun.sig.ident.span()=> #krate::__private::line!());
    let mut guard = mixed!(#krate::__private::guarded!(#accessor, #function, #line #(, #timeout)*));
    if !fun.probes {
        guard = mixed!(#krate::__private::never_probing(#guard));
    }
    if let Some(classify) = &fun.classify {
        // At the option, where the compiler tells what is wrong with it.
        let span = at(first_span(classify, fun.sig.ident.span()));
        let krate = placed(krate, span);
        guard = quote_spanned!(span=> #krate::__private::judged::<#output, _, _, _, _>(#guard, #classify));
    }
    guard
}

/// With `on_open`: asks first, so that its value is the fn's own and is made for a rejected call only.
fn asked(fun: &Guarded, guard: &TokenStream, then: &TokenStream) -> TokenStream {
    let Guarded { krate, on_open: Some(OnOpen { value, rejected }), .. } = fun else { return then.clone() };
    // The word may be that of a field or of a name of the user's own, so it is looked at once.
    let (name, value) = match rejected {
        None => (mixed!(_), value.clone()),
        Some(name) => {
            let value = enclosed(value.clone(), name.span());
            (mixed!(#name), mixed!({ let _ = &#name; #value }))
        }
    };
    mixed! {
        match #krate::__private::admit(#guard) {
            #krate::__private::Err(#name) => #value,
            #krate::__private::Ok(__breaker_admitted) => { #then }
        }
    }
}

/// A future behind a type alias is no plain value: where `on_open` stands in for a rejection, only this tells.
fn no_future(fun: &Guarded) -> Option<TokenStream> {
    let Guarded { krate, output, .. } = fun;
    let span = at(first_span(output, fun.sig.ident.span()));
    fun.plain_type.then(|| {
        quote_spanned! {span=>
            #krate::__private::no_future({
                use #krate::__private::AnyValue as _;
                <#krate::__private::Returned<#output>>::kind()
            });
        }
    })
}

fn plain(fun: &Guarded) -> TokenStream {
    let Guarded { krate, output, .. } = fun;
    let (guard, block) = (guard(fun), block(fun, output));
    // At the body: an argument that an option has taken before is told there.
    let body = quote_spanned!(at(fun.body.braces.span_open())=> move || #block);
    let call = if fun.on_open.is_none() {
        mixed!(#krate::__private::run::<#output, _, _, _, _>(#guard, #body))
    } else {
        mixed!(#krate::__private::run_admitted::<#output, _, _, _, _>(__breaker_admitted, #body))
    };
    let splits = mixed!(#krate::__private::splits::<#output, _>());
    let call = match &fun.fallback {
        None => call,
        Some(Fallback::Closure(closure)) => {
            let span = at(first_span(&closure.to_token_stream(), fun.sig.ident.span()));
            let krate = placed(krate, span);
            quote_spanned!(span=> #krate::__private::fall_back(#call, #splits, #closure))
        }
        Some(Fallback::Path(path)) => mixed!(#krate::__private::fall_back(#call, #splits, #path)),
    };
    let (check, call) = (no_future(fun), asked(fun, &guard, &call));
    mixed!(#check #call)
}

/// In an async fn: the body's block is the call.
fn asynchronous(fun: &Guarded, block: &Group) -> TokenStream {
    let span = at(fun.body.braces.span_open());
    awaited(fun, &guard(fun), &quote_spanned!(span=> async move #block))
}

/// What runs at the call stays there; the future it gives is the guarded call.
fn future(fun: &Guarded, boxed: bool) -> TokenStream {
    let Guarded { krate, output, whole, .. } = fun;
    let guard = guard(fun);
    let (block, ty) = if boxed { (block(fun, whole), whole.clone()) } else { (untyped(fun), mixed!(_)) };
    let body = mixed!(#krate::__private::at_once::<#ty>(move || #block));
    let future = if fun.on_open.is_none() && fun.fallback.is_none() {
        call(fun, &guard, &body)
    } else {
        let awaited = awaited(fun, &mixed!(__breaker_guard), &mixed!(__breaker_body));
        let first = typed(output, &[]);
        return wrapped(
            fun,
            boxed,
            &mixed! {
                let __breaker_guard = #guard;
                let __breaker_body = #body;
            },
            &mixed!(async move { #first #awaited }),
        );
    };
    wrapped(fun, boxed, &TokenStream::new(), &future)
}

fn wrapped(fun: &Guarded, boxed: bool, before: &TokenStream, future: &TokenStream) -> TokenStream {
    let krate = &fun.krate;
    if boxed { mixed!(#before #krate::__private::Box::pin(#future)) } else { mixed!(#before #future) }
}

/// A block whose type has no name.
fn untyped(fun: &Guarded) -> Group {
    let takes = fun.arguments.iter().map(|Argument { cfgs, name }| mixed!(#(#cfgs)* let _ = &#name;));
    let body = body(fun);
    let takes = mixed! {
        #[allow(unreachable_code, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        if false { #(#takes)* }
    };
    refill(&fun.body.braces, mixed!(#takes #body))
}

/// The guarded future, without `.await`. How it is polled is a closure, whose type owes no bounds: what the return type
/// must be able to do is asked in there, so that what it cannot is told once.
fn call(fun: &Guarded, from: &TokenStream, body: &TokenStream) -> TokenStream {
    let Guarded { krate, output, .. } = fun;
    let after = fun.timeout.iter();
    let (run, poll) = match (&fun.on_open, &fun.timeout) {
        (None, None) => (mixed!(run_async), mixed!(poll)),
        (None, Some(_)) => (mixed!(run_timed), mixed!(poll_timed)),
        (Some(_), None) => (mixed!(run_admitted_async), mixed!(poll_admitted)),
        (Some(_), Some(_)) => (mixed!(run_admitted_timed), mixed!(poll_admitted_timed)),
    };
    mixed! {
        #krate::__private::#run(
            #from,
            #(#after,)*
            #body,
            |__breaker_call, __breaker_body, __breaker_cx| {
                #krate::__private::#poll::<#output, _, _, _, _, _>(__breaker_call, __breaker_body, __breaker_cx)
            },
        )
    }
}

/// The statements of an async body, up to its value.
fn awaited(fun: &Guarded, guard: &TokenStream, body: &TokenStream) -> TokenStream {
    let Guarded { krate, output, .. } = fun;
    let from = if fun.on_open.is_some() { mixed!(__breaker_admitted) } else { guard.clone() };
    let call = call(fun, &from, body);
    let Some(fallback) = &fun.fallback else {
        return asked(fun, guard, &mixed!(#call.await));
    };
    let then = match fallback {
        Fallback::Path(path) => {
            let span = at(first_span(path, fun.sig.ident.span()));
            quote_spanned!(span=> #path(__breaker_error).await)
        }
        Fallback::Closure(closure) => {
            let ty = match &closure.output {
                ReturnType::Type(_, ty) => mixed!(#ty),
                ReturnType::Default => output.clone(),
            };
            let first = typed(&ty, &[]);
            let value = enclosed(closure.body.to_token_stream(), fun.sig.ident.span());
            let pat: Option<&Pat> = closure.inputs.first();
            let span = at(first_span(&pat.to_token_stream(), fun.sig.ident.span()));
            let given = given(&fun.krate, &pat, span, &quote_spanned!(span=> __breaker_error));
            let bind = quote_spanned!(span=> let #pat = #given;);
            let span = at(first_span(&closure.to_token_stream(), fun.sig.ident.span()));
            quote_spanned! {span=>
                async move {
                    #first
                    #bind
                    #value
                }.await
            }
        }
    };
    let call = mixed! {
        let __breaker_error = match #krate::__private::split(#call.await, #krate::__private::splits::<#output, _>()) {
            #krate::__private::Ok(__breaker_done) => return __breaker_done,
            #krate::__private::Err(__breaker_error) => __breaker_error,
        };
        #then
    };
    asked(fun, guard, &call)
}

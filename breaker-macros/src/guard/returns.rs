//! What a fn returns, as its signature says it.

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::{
    GenericArgument, Path, PathArguments, PathSegment, ReturnType, Signature, Token, Type, TypeParamBound,
    punctuated::Punctuated,
};

/// How the fn runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Its body is the call.
    Plain,
    /// `async fn`.
    Async,
    /// It returns the future that is the call.
    Future { boxed: bool },
}

/// The return type in the parts that an expansion needs.
#[derive(Debug)]
pub(crate) struct Returns {
    pub(crate) shape: Shape,
    /// What a call gives in the end, `_` for each `impl Trait`; none where a future does not say it.
    pub(crate) output: Option<TokenStream>,
    /// What the fn itself returns, likewise.
    pub(crate) whole: TokenStream,
    /// There is no `->`, or was none.
    pub(crate) unit: bool,
    pub(crate) never: bool,
}

/// Reads the signature alone: the body says nothing about it.
pub(crate) fn of(sig: &Signature) -> Returns {
    let ReturnType::Type(_, ty) = &sig.output else {
        let unit = quote_spanned!(sig.ident.span()=> ());
        let shape = if sig.asyncness.is_some() { Shape::Async } else { Shape::Plain };
        return Returns { shape, output: Some(unit.clone()), whole: unit, unit: true, never: false };
    };
    let ty = open(ty);
    let whole = erased(ty.to_token_stream());
    let (shape, output) = if sig.asyncness.is_some() {
        (Shape::Async, Some(whole.clone()))
    } else {
        match future(ty) {
            Some((boxed, future)) => (Shape::Future { boxed }, output(future).map(|ty| erased(ty.to_token_stream()))),
            None => (Shape::Plain, Some(whole.clone())),
        }
    };
    let never = matches!(ty, Type::Never(_));
    // `#[async_trait]` has written out what a method without `->` gives.
    let unit =
        shape == Shape::Future { boxed: true } && output.as_ref().is_some_and(|output| output.to_string() == "()");
    Returns { shape, output, whole, unit, never }
}

/// Through parentheses and the invisible groups of `macro_rules`.
fn open(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => open(&group.elem),
        Type::Paren(paren) => open(&paren.elem),
        other => other,
    }
}

/// `impl Future<..>`, `Pin<Box<dyn Future<..>>>`: is it boxed, and the bound that says it is one.
fn future(ty: &Type) -> Option<(bool, &PathSegment)> {
    match ty {
        Type::ImplTrait(bounds) => Some((false, bound(&bounds.bounds)?)),
        Type::Path(path) if path.qself.is_none() => {
            let Type::Path(inner) = open(argument(&path.path, "Pin")?) else { return None };
            match open(argument(&inner.path, "Box")?) {
                Type::TraitObject(bounds) => Some((true, bound(&bounds.bounds)?)),
                Type::ImplTrait(bounds) => Some((true, bound(&bounds.bounds)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The only type argument of a path that ends with this name.
fn argument<'t>(path: &'t Path, name: &str) -> Option<&'t Type> {
    let last = path.segments.last().filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The bound that is a `Future`.
fn bound(bounds: &Punctuated<TypeParamBound, Token![+]>) -> Option<&PathSegment> {
    bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().filter(|last| last.ident == "Future"),
        _ => None,
    })
}

/// What it gives, where it says so.
fn output(future: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &future.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(assoc) if assoc.ident == "Output" => Some(open(&assoc.ty)),
        _ => None,
    })
}

/// `_` in the place of each `impl Trait`, at any depth: it may not be written in a body.
fn erased(tokens: TokenStream) -> TokenStream {
    let trees: Vec<_> = tokens.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::new();
    let mut next = 0;
    while let Some(tree) = trees.get(next) {
        match tree {
            TokenTree::Ident(word) if word == "impl" => {
                out.push(Ident::new("_", word.span()).into());
                next = end_of_bounds(&trees, next + 1);
                continue;
            }
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), erased(group.stream()));
                // An invisible group around a lone `_` is kept out: it would be a fragment of another kind.
                if group.delimiter() == Delimiter::None {
                    out.extend(inside.stream());
                } else {
                    inside.set_span(group.span());
                    out.push(inside.into());
                }
            }
            other => out.push(other.clone()),
        }
        next += 1;
    }
    out.into_iter().collect()
}

/// Bounds end at a comma, a semicolon or a `>` that opened outside of them.
fn end_of_bounds(trees: &[TokenTree], mut next: usize) -> usize {
    let mut depth = 0_usize;
    let mut arrow = false;
    while let Some(tree) = trees.get(next) {
        if let TokenTree::Punct(punct) = tree {
            match punct.as_char() {
                '<' => depth += 1,
                '>' if arrow => {}
                '>' | ',' | ';' if depth == 0 => return next,
                '>' => depth -= 1,
                _ => {}
            }
            arrow = punct.as_char() == '-' && punct.spacing() == Spacing::Joint;
        } else {
            arrow = false;
        }
        next += 1;
    }
    next
}

/// Where to tell what is wrong with the return type.
pub(crate) fn span(sig: &Signature, returns: &Returns) -> Span {
    if returns.unit {
        return sig.ident.span();
    }
    crate::support::tokens::first_span(&returns.whole, sig.ident.span())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn returns(tokens: TokenStream) -> Returns {
        of(&syn::parse2(tokens).expect("a signature"))
    }

    fn output(tokens: TokenStream) -> String {
        returns(tokens).output.expect("an output").to_string()
    }

    #[test]
    fn impl_trait_is_erased_at_any_depth() {
        assert_eq!(output(quote!(async fn f() -> Result<impl Iterator<Item = u8> + '_, E>)), "Result < _ , E >");
        assert_eq!(output(quote!(fn f() -> Result<impl Fn(u8) -> Vec<u8> + 'a, E>)), "Result < _ , E >");
        assert_eq!(output(quote!(fn f() -> (impl A, Option<[impl B; 3]>, u8))), "(_ , Option < [_ ; 3] > , u8)");
        assert_eq!(output(quote!(fn f())), "()");
    }

    #[test]
    fn futures_are_known_by_the_signature() {
        let boxed = returns(quote!(fn f() -> ::core::pin::Pin<Box<dyn Future<Output = Result<u8, E>> + Send + 'a>>));
        assert_eq!(boxed.shape, Shape::Future { boxed: true });
        assert_eq!(boxed.output.expect("an output").to_string(), "Result < u8 , E >");
        let plain = returns(quote!(fn f() -> impl Send + core::future::Future<Output = Result<impl A, E>>));
        assert_eq!(plain.shape, Shape::Future { boxed: false });
        assert_eq!(plain.output.expect("an output").to_string(), "Result < _ , E >");
        assert_eq!(returns(quote!(fn f() -> impl Future)).shape, Shape::Future { boxed: false });
        assert!(returns(quote!(fn f() -> impl Future)).output.is_none());
        assert_eq!(returns(quote!(fn f() -> Pin<Box<u8>>)).shape, Shape::Plain);
        assert_eq!(returns(quote!(fn f() -> BoxFuture<u8>)).shape, Shape::Plain);
        assert!(returns(quote!(fn f() -> !)).never);
    }
}

//! Small questions to tokens, through the invisible groups of `macro_rules` too.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Path, PathArguments, Type, TypePath,
    parse::{Parse, ParseStream},
    token::PathSep,
};

/// The place of a user's token with the hygiene and the lint level of the macro.
pub(crate) fn at(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

/// A path that reads as before and stands at the span: a call is told at the first token of its path.
pub(crate) fn placed(path: &Path, span: Span) -> TokenStream {
    let trees = path.to_token_stream().into_iter().map(|mut tree| {
        tree.set_span(tree.span().located_at(span));
        tree
    });
    trees.collect()
}

/// What stands inside of a lone invisible group, at any depth.
pub(crate) fn seen_through(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => seen_through(group.stream()),
        _ => tokens,
    }
}

/// The span of the first token, or the given one where there is none.
pub(crate) fn first_span(tokens: &TokenStream, otherwise: Span) -> Span {
    match tokens.clone().into_iter().next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => first_span(&group.stream(), otherwise),
        Some(TokenTree::Group(group)) => group.span_open(),
        Some(tree) => tree.span(),
        None => otherwise,
    }
}

/// The span of the last token, or the given one where there is none.
pub(crate) fn last_span(tokens: &TokenStream, otherwise: Span) -> Span {
    tokens.clone().into_iter().last().map_or(otherwise, |tree| tree.span())
}

/// The first mention of a name: as a word, or captured by a format string. The token's own span tells whose it is.
pub(crate) fn mention(tokens: &TokenStream, name: &str) -> Option<Span> {
    tokens.clone().into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) => (ident == name).then(|| ident.span()),
        TokenTree::Group(group) => mention(&group.stream(), name),
        TokenTree::Literal(literal) => captures(&literal.to_string(), name).then(|| literal.span()),
        TokenTree::Punct(_) => None,
    })
}

/// Does a format string capture this name: `{name}`, `{name:?}`, `{:name$}`?
fn captures(text: &str, name: &str) -> bool {
    let name = name.trim_start_matches("r#");
    text.contains('{')
        && text.match_indices(name).any(|(start, _)| {
            let before = text[..start].chars().next_back();
            let after = text[start + name.len()..].chars().next();
            matches!(before, Some('{' | ':' | '.')) && matches!(after, Some('}' | ':' | '$'))
        })
}

/// A group with the same delimiters and span, and other content.
pub(crate) fn refill(group: &Group, stream: TokenStream) -> Group {
    let mut filled = Group::new(group.delimiter(), stream);
    filled.set_span(group.span());
    filled
}

/// An expression in parentheses that no lint looks at, with the place of its first token: a longer one would be taken
/// for the place of what is inside.
pub(crate) fn enclosed(tokens: TokenStream, otherwise: Span) -> Group {
    let span = at(first_span(&tokens, otherwise));
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(span);
    group
}

/// A path, if it is one to the compiler as well: of an expansion that is no Rust it keeps nothing.
pub(crate) fn path(input: ParseStream<'_>) -> syn::Result<Path> {
    let path = turbofished(Path::parse(input)?);
    syn::parse2::<Type>(quote!(#path))?;
    Ok(path)
}

/// The same, or one that begins with `<Type as Trait>`.
pub(crate) fn named(input: ParseStream<'_>) -> syn::Result<TypePath> {
    let mut named = TypePath::parse(input)?;
    named.path = turbofished(named.path);
    syn::parse2::<Type>(quote!(#named))?;
    Ok(named)
}

/// A path that reads the same in a type and in an expression: `Pace<3>` is `Pace::<3>`.
fn turbofished(mut path: Path) -> Path {
    for segment in &mut path.segments {
        if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
            arguments.colon2_token.get_or_insert(PathSep(arguments.lt_token.span));
        }
    }
    path
}

/// The name without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or_else(|| text.clone(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn mentions_in_words_groups_and_format_strings() {
        assert!(mention(&quote!(f(a, { b })), "b").is_some());
        assert!(mention(&quote!(println!("{b}")), "b").is_some());
        assert!(mention(&quote!(println!("{0:>b$}")), "b").is_none());
        assert!(mention(&quote!(println!("{:b$}")), "b").is_some());
        assert!(mention(&quote!(println!("ab {bc}", "b")), "b").is_none());
    }
}

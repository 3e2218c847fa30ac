//! What the three macros share.

pub(crate) mod duration;
pub(crate) mod errors;
pub(crate) mod fields;
pub(crate) mod krate;
pub(crate) mod nearest;
pub(crate) mod tokens;

pub(crate) use errors::Errors;

/// `quote!` with the hygiene of the macro: its locals are never the user's.
macro_rules! mixed {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}
pub(crate) use mixed;

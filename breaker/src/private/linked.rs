//! The statics that the linker gathers. linkme's own attributes stand here and not in the expansions: where the path of the
//! library is wrong, that alone is told.

/// A declared breaker, with its entry in the registry.
#[doc(hidden)]
#[macro_export]
macro_rules! __breaker_entry {
    ($breaker:ident) => {{
        #[$crate::__private::linkme::distributed_slice($crate::__private::BREAKERS)]
        #[linkme(crate = $crate::__private::linkme)]
        static __BREAKER_ENTRY: &'static dyn $crate::__private::AnyBreaker = &$breaker;
        &$breaker
    }};
}

/// The guard of a fn, with its call site.
#[doc(hidden)]
#[macro_export]
macro_rules! __breaker_guarded {
    ($accessor:expr, $function:literal, $line:expr $(, $timeout:expr)?) => {{
        #[$crate::__private::linkme::distributed_slice($crate::__private::CALL_SITES)]
        #[linkme(crate = $crate::__private::linkme)]
        static __BREAKER_SITE: $crate::__private::Site = $crate::__private::Site::new(
            &$accessor,
            $function,
            $crate::__private::module_path!(),
            $crate::__private::file!(),
            $line,
        )$(.timeout($timeout))?;
        $crate::__private::guard($accessor, &__BREAKER_SITE)
    }};
}

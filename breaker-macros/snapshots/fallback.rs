fn charge(n: u8) -> Result<u8, E> {
    ::breaker::__private::fall_back(
        ::breaker::__private::run::<
            Result<u8, E>,
            _,
            _,
            _,
            _,
        >(
            {
                #[::breaker::__private::linkme::distributed_slice(
                    ::breaker::__private::CALL_SITES
                )]
                #[linkme(crate = ::breaker::__private::linkme)]
                static __BREAKER_SITE: ::breaker::__private::Site = ::breaker::__private::Site::new(
                    &::breaker::__private::accessor(payments),
                    "charge",
                    ::breaker::__private::module_path!(),
                    ::breaker::__private::file!(),
                    ::breaker::__private::line!(),
                );
                ::breaker::__private::guard(
                    ::breaker::__private::accessor(payments),
                    &__BREAKER_SITE,
                )
            },
            move || {
                #[allow(
                    unreachable_code,
                    clippy::all,
                    clippy::pedantic,
                    clippy::nursery,
                    clippy::restriction
                )]
                if false {
                    let _ = &n;
                    let __breaker_returned: Result<u8, E> = loop {};
                    return __breaker_returned;
                }
                ({ Ok(n) })
            },
        ),
        ::breaker::__private::splits::<Result<u8, E>, _>(),
        spare,
    )
}

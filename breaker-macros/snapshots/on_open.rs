fn charge(payments: u8) -> u8 {
    ::breaker::__private::no_future({
        use ::breaker::__private::AnyValue as _;
        <::breaker::__private::Returned<u8>>::kind()
    });
    match ::breaker::__private::admit(
        ::breaker::__private::judged::<
            u8,
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
                    &::breaker::__private::accessor(self::payments),
                    "charge",
                    ::breaker::__private::module_path!(),
                    ::breaker::__private::file!(),
                    ::breaker::__private::line!(),
                );
                ::breaker::__private::guard(
                    ::breaker::__private::accessor(self::payments),
                    &__BREAKER_SITE,
                )
            },
            |n| judge(*n),
        ),
    ) {
        ::breaker::__private::Err(_) => 0,
        ::breaker::__private::Ok(__breaker_admitted) => {
            ::breaker::__private::run_admitted::<
                u8,
                _,
                _,
                _,
                _,
            >(
                __breaker_admitted,
                move || {
                    #[allow(
                        unreachable_code,
                        clippy::all,
                        clippy::pedantic,
                        clippy::nursery,
                        clippy::restriction
                    )]
                    if false {
                        let _ = &payments;
                        let __breaker_returned: u8 = loop {};
                        return __breaker_returned;
                    }
                    ({ payments })
                },
            )
        }
    }
}

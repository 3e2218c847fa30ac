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
            ::breaker::__private::guarded!(
                ::breaker::__private::accessor(self::payments), "charge",
                ::breaker::__private::line!()
            ),
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

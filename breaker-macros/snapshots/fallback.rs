fn charge(n: u8) -> Result<u8, E> {
    ::breaker::__private::fall_back(
        ::breaker::__private::run::<
            Result<u8, E>,
            _,
            _,
            _,
            _,
        >(
            ::breaker::__private::guarded!(
                ::breaker::__private::accessor(payments), "charge",
                ::breaker::__private::line!()
            ),
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

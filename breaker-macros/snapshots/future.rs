fn later(n: u32) -> impl Future<Output = Result<u32, E>> + Send {
    ::breaker::__private::run_async(
        {
            #[::breaker::__private::linkme::distributed_slice(
                ::breaker::__private::CALL_SITES
            )]
            #[linkme(crate = ::breaker::__private::linkme)]
            static __BREAKER_SITE: ::breaker::__private::Site = ::breaker::__private::Site::new(
                &::breaker::__private::accessor(payments),
                "later",
                ::breaker::__private::module_path!(),
                ::breaker::__private::file!(),
                ::breaker::__private::line!(),
            );
            ::breaker::__private::guard(
                ::breaker::__private::accessor(payments),
                &__BREAKER_SITE,
            )
        },
        ::breaker::__private::at_once::<
            _,
        >(move || {
            #[allow(
                unreachable_code,
                clippy::all,
                clippy::pedantic,
                clippy::nursery,
                clippy::restriction
            )]
            if false {
                let _ = &n;
            }
            ({ async move { Ok(n) } })
        }),
        |__breaker_call, __breaker_body, __breaker_cx| {
            ::breaker::__private::poll::<
                Result<u32, E>,
                _,
                _,
                _,
                _,
                _,
            >(__breaker_call, __breaker_body, __breaker_cx)
        },
    )
}

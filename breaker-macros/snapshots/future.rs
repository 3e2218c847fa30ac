fn later(n: u32) -> impl Future<Output = Result<u32, E>> + Send {
    ::breaker::__private::run_async(
        ::breaker::__private::guarded!(
            ::breaker::__private::accessor(payments), "later",
            ::breaker::__private::line!()
        ),
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

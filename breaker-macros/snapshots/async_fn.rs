async fn charge(order: Order, __breaker_unnamed1: Token) -> Result<Receipt, PayError> {
    ::breaker::__private::run_async(
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
            async move {
                #[allow(
                    unreachable_code,
                    clippy::all,
                    clippy::pedantic,
                    clippy::nursery,
                    clippy::restriction
                )]
                if false {
                    let _ = &__breaker_unnamed1;
                    let _ = &order;
                    let __breaker_returned: Result<Receipt, PayError> = loop {};
                    return __breaker_returned;
                }
                ({ client(_token).charge(order).await })
            },
            |__breaker_call, __breaker_body, __breaker_cx| {
                ::breaker::__private::poll::<
                    Result<Receipt, PayError>,
                    _,
                    _,
                    _,
                    _,
                    _,
                >(__breaker_call, __breaker_body, __breaker_cx)
            },
        )
        .await
}

async fn charge(order: Order, __breaker_unnamed1: Token) -> Result<Receipt, PayError> {
    ::breaker::__private::run_async(
            ::breaker::__private::guarded!(
                ::breaker::__private::accessor(payments), "charge",
                ::breaker::__private::line!()
            ),
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

async fn charge(order: Order) -> Result<Receipt, PayError> {
    match fuse::__private::admit(
        fuse::__private::guarded!(
            fuse::__private::accessor(payments), "charge", fuse::__private::line!(),
            fuse::__private::Duration::new(2u64, 0u32)
        ),
    ) {
        fuse::__private::Err(rejected) => {
            let _ = &rejected;
            (cached(rejected))
        }
        fuse::__private::Ok(__breaker_admitted) => {
            let __breaker_error = match fuse::__private::split(
                fuse::__private::run_admitted_timed(
                        __breaker_admitted,
                        fuse::__private::Duration::new(2u64, 0u32),
                        async move {
                            #[allow(
                                unreachable_code,
                                clippy::all,
                                clippy::pedantic,
                                clippy::nursery,
                                clippy::restriction
                            )]
                            if false {
                                let _ = &order;
                                let __breaker_returned: Result<Receipt, PayError> = loop {};
                                return __breaker_returned;
                            }
                            ({ client().charge(order).await })
                        },
                        |__breaker_call, __breaker_body, __breaker_cx| {
                            fuse::__private::poll_admitted_timed::<
                                Result<Receipt, PayError>,
                                _,
                                _,
                                _,
                                _,
                                _,
                            >(__breaker_call, __breaker_body, __breaker_cx)
                        },
                    )
                    .await,
                fuse::__private::splits::<Result<Receipt, PayError>, _>(),
            ) {
                fuse::__private::Ok(__breaker_done) => return __breaker_done,
                fuse::__private::Err(__breaker_error) => __breaker_error,
            };
            async move {
                #[allow(
                    unreachable_code,
                    clippy::all,
                    clippy::pedantic,
                    clippy::nursery,
                    clippy::restriction
                )]
                if false {
                    let __breaker_returned: Result<Receipt, PayError> = loop {};
                    return __breaker_returned;
                }
                let e = __breaker_error;
                (later(e).await)
            }
                .await
        }
    }
}

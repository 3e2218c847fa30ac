fn boxed<'a>(s: &'a str) -> Pin<Box<dyn Future<Output = Result<usize, E>> + Send + 'a>> {
    let __breaker_guard = ::breaker::__private::guarded!(
        ::breaker::__private::accessor(payments), "boxed", ::breaker::__private::line!()
    );
    let __breaker_body = ::breaker::__private::at_once::<
        Pin<Box<dyn Future<Output = Result<usize, E>> + Send + 'a>>,
    >(move || {
        #[allow(
            unreachable_code,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        if false {
            let _ = &s;
            let __breaker_returned: Pin<
                Box<dyn Future<Output = Result<usize, E>> + Send + 'a>,
            > = loop {};
            return __breaker_returned;
        }
        ({ Box::pin(async move { Ok(s.len()) }) })
    });
    ::breaker::__private::Box::pin(async move {
        #[allow(
            unreachable_code,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        if false {
            let __breaker_returned: Result<usize, E> = loop {};
            return __breaker_returned;
        }
        match ::breaker::__private::admit(__breaker_guard) {
            ::breaker::__private::Err(_) => Ok(s.len()),
            ::breaker::__private::Ok(__breaker_admitted) => {
                ::breaker::__private::run_admitted_async(
                        __breaker_admitted,
                        __breaker_body,
                        |__breaker_call, __breaker_body, __breaker_cx| {
                            ::breaker::__private::poll_admitted::<
                                Result<usize, E>,
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
        }
    })
}

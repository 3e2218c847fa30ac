pub fn rows(
    &mut self,
    #[cfg(unix)]
    (a, mut b): (u8, u8),
) -> Result<impl Iterator<Item = u8> + '_, E> {
    #![allow(unused)]
    ::breaker::__private::run::<
        Result<_, E>,
        _,
        _,
        _,
        _,
    >(
        ::breaker::__private::judged::<
            Result<_, E>,
            _,
            _,
            _,
            _,
        >(
            ::breaker::__private::never_probing(
                ::breaker::__private::guarded!(
                    ::breaker::__private::accessor(crate ::payments), "rows",
                    ::breaker::__private::line!()
                ),
            ),
            |__breaker_returned: &Result<_, E>| judge(__breaker_returned),
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
                #[cfg(unix)]
                let _ = &b;
                #[cfg(unix)]
                let _ = &a;
                let _ = &self;
                let __breaker_returned: Result<_, E> = loop {};
                return __breaker_returned;
            }
            ({ Ok(self.all(a, b)) })
        },
    )
}

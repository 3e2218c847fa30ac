/// The card processor.
pub fn payments() -> &'static ::breaker::__private::Breaker<
    ::breaker::__private::Count,
    ::breaker::__private::BasicTimeout,
    PayError,
> {
    static __DECLARATION: ::breaker::__private::Declaration = ::breaker::__private::Declaration {
        name: "payments",
        module: ::breaker::__private::module_path!(),
        file: ::breaker::__private::file!(),
        line: ::breaker::__private::line!(),
        abandoned_after: ::breaker::__private::Duration::new(0u64, 500000000u32),
        on_event: ::breaker::__private::Some(told),
    };
    static __BREAKER: ::breaker::__private::Breaker<
        ::breaker::__private::Count,
        ::breaker::__private::BasicTimeout,
        PayError,
    > = ::breaker::__private::Breaker::declared(
        &__DECLARATION,
        {
            let settings = ::breaker::__private::Count {
                threshold: 5,
                ..::breaker::__private::Count::DEFAULT
            };
            settings.assert_valid();
            settings
        },
        {
            let settings = ::breaker::__private::BasicTimeout {
                reset_timeout: ::breaker::__private::Duration::new(30u64, 0u32),
                ..::breaker::__private::BasicTimeout::DEFAULT
            };
            settings.assert_valid();
            settings
        },
    );
    ::breaker::__private::entry!(__BREAKER)
}

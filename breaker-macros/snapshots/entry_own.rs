///The circuit breaker `search`.
fn search() -> &'static ::fuse::__private::Breaker<
    ::fuse::__private::AnyOf<::fuse::__private::FailureRate, self::Mine>,
    own::Pace,
    ::fuse::__private::ErrIsFailure,
> {
    static __DECLARATION: ::fuse::__private::Declaration = ::fuse::__private::Declaration {
        name: "search",
        module: ::fuse::__private::module_path!(),
        file: ::fuse::__private::file!(),
        line: ::fuse::__private::line!(),
        abandoned_after: ::fuse::__private::Declaration::ABANDONED_AFTER,
        on_event: ::fuse::__private::None,
    };
    static __BREAKER: ::fuse::__private::Breaker<
        ::fuse::__private::AnyOf<::fuse::__private::FailureRate, self::Mine>,
        own::Pace,
        ::fuse::__private::ErrIsFailure,
    > = ::fuse::__private::Breaker::declared(
        &__DECLARATION,
        ::fuse::__private::AnyOf(
            {
                let settings = ::fuse::__private::FailureRate {
                    window: ::fuse::__private::Window::Calls(100),
                    rate: RATE,
                    ..::fuse::__private::FailureRate::DEFAULT
                };
                settings.assert_valid();
                settings
            },
            {
                use ::fuse::__private::AnySettings as _;
                type __Settings = self::Mine;
                let settings = __Settings {
                    every: ::fuse::__private::Duration::new(1u64, 500000000u32),
                };
                <::fuse::__private::Asked<__Settings>>::VALIDATOR.assert(&settings);
                settings
            },
        ),
        {
            use ::fuse::__private::AnySettings as _;
            type __Settings = own::Pace;
            let settings = __Settings {
                wait: ::fuse::__private::Duration::new(3u64, 0u32),
                ..own::Pace::DEFAULT
            };
            <::fuse::__private::Asked<__Settings>>::VALIDATOR.assert(&settings);
            settings
        },
    );
    ::fuse::__private::entry!(__BREAKER)
}

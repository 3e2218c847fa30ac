#[automatically_derived]
impl<T: Debug> ::breaker::__private::ClassifyError for PayError<T> {
    fn outcome(&self) -> ::breaker::__private::Outcome {
        match self {
            Self::NotFound { .. } => ::breaker::__private::Outcome::Ignored,
            Self::Declined { .. } => ::breaker::__private::Outcome::Success,
            Self::Throttled { after: __breaker_after, .. } => {
                ::breaker::__private::failure_after(__breaker_after)
            }
            Self::Http { 0: __breaker_0, 1: __breaker_1 } => {
                by_status(__breaker_0, __breaker_1)
            }
            Self::Rejected { .. } => ::breaker::__private::Outcome::Ignored,
            Self::Down { .. } => ::breaker::__private::Outcome::failure(),
        }
    }
}
#[automatically_derived]
impl<
    T: Debug,
    __BreakerT,
> ::breaker::__private::Classify<::breaker::__private::Result<__BreakerT, PayError<T>>>
for PayError<T> {
    fn classify(
        result: &::breaker::__private::Result<__BreakerT, PayError<T>>,
    ) -> ::breaker::__private::Outcome {
        ::breaker::__private::by_error(result)
    }
}
#[automatically_derived]
impl<
    T: Debug,
    __BreakerT,
> ::breaker::__private::Classify<
    ::breaker::__private::Result<__BreakerT, ::breaker::__private::Error<PayError<T>>>,
> for PayError<T> {
    fn classify(
        result: &::breaker::__private::Result<
            __BreakerT,
            ::breaker::__private::Error<PayError<T>>,
        >,
    ) -> ::breaker::__private::Outcome {
        ::breaker::__private::by_error(result)
    }
}

//! The breakers of this program.

use crate::client::PayError;
use breaker::breakers;

breakers! {
    /// The card processor.
    pub(crate) payments {
        strategy: Count { threshold: 5 },
        recover: BasicTimeout { reset_timeout: 1.5s, probing_timeout: 10s },
        classify: PayError,
    }
}

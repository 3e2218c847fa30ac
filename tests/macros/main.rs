//! A guarded fn is the fn: every form, every option, every mark, as a program sees them.
//!
//! Each test has breakers of its own, so that they run side by side.

#![expect(
    clippy::extra_unused_type_parameters,
    clippy::large_types_passed_by_value,
    clippy::toplevel_ref_arg,
    clippy::unnecessary_wraps,
    reason = "fns as users may write them, not as they should"
)]

mod arguments;
mod bodies;
mod declarations;
mod forms;
mod marks;
mod options;
mod paths;
mod support;
mod traits;

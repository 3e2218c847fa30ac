//! Every mistake that a user can make in the macros, one a file, with the message that it gets.

#[test]
fn every_mistake_is_explained_where_it_was_made() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/*.rs");
}

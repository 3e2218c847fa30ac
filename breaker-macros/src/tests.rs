//! The macros over tokens, without a compiler.

//! What each library does where breakers go wrong.

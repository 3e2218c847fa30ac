//! What operators and applications ask of the whole engine, in the form in which a user writes it: breakers declared
//! with `breakers!`, fns under the attribute, everything else by name.

mod audit;
mod built;
mod events;
mod explain;
mod hostile;
mod mode;
mod ramp;
mod ready;
mod settings;
mod stats;
mod strategies;

//! The machine, room by room. Every test drives it as a shell would: inputs in, effects out, pictures on demand.

mod attaching;
mod intents;
mod keys;
mod linking;
mod mismatch;
mod permission;
mod pictures;
mod selection;

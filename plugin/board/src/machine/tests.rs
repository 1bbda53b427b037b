//! The machine, room by room. Every test drives it as a shell would: inputs in, effects out, pictures on demand.

mod attaching;
mod columns;
mod exact;
mod idle;
mod intents;
mod keys;
mod languages;
mod launch;
mod linking;
mod mismatch;
mod mouse;
mod permission;
mod pictures;
mod places;
mod replies;
mod select;
mod selection;
mod terminals;
mod transcripts;
mod verdicts;
mod views;

//! The harness of the end-to-end tests: real zellij, real PTYs, real processes, in a world of their own.
//!
//! A test makes a [`World`] (its own home, board root, runtime and socket directories), opens [`Terminal`]s in it, types
//! bytes, and waits for predicates over the screen. It never sleeps, never looks outside its world, and ends every
//! process that it started when the world is dropped.
//!
//! Reading order: [`programs`] what is tested · [`world`] where it runs · [`run`] one command · [`terminal`], [`screen`],
//! [`board`], [`keys`], [`steps`] what a person sees, types and does · [`wait`] conditions · [`processes`] who runs ·
//! [`socket`] our wire by hand · [`keep`], [`picture`] screens as files, [`pictures`] those of the README · [`model_server`], [`agents`] real agents, and
//! the model that they talk to · [`recording`], [`recordings`] what real programs print · [`pi_stage`], [`claude_stage`],
//! [`run_stage`] a world with an agent in it · [`mod@bench`] the benchmark.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "this crate is test code: a failed expectation of the harness is a failed test"
)]

pub mod agents;
pub mod bench;
pub mod board;
pub mod claude_stage;
pub mod keep;
pub mod keys;
pub mod model_server;
pub mod pi_stage;
pub mod picture;
pub mod pictures;
pub mod processes;
pub mod programs;
mod pty;
pub mod recording;
pub mod recordings;
pub mod run;
pub mod run_stage;
pub mod screen;
pub mod socket;
pub mod steps;
pub mod terminal;
pub mod wait;
pub mod world;

pub use screen::Screen;
pub use terminal::Terminal;
pub use world::World;

//! The board as a machine without a terminal, a clock or zellij: inputs go in, effects and frames come out.
//!
//! The zellij plugin (crate `agent-board-plugin`) is a thin shell around [`Board`]; a browser board can be another.
//! Nothing here reads the time, opens a file or calls zellij, and it builds for `wasm32-unknown-unknown`.
//!
//! Reading order: [`input`], [`effect`], [`keymap`], [`bytes`], [`cells`], [`palette`], [`frame`], `model`, `editor`, `notice`, `region`,
//! `settings`, [`meters`], [`machine`], `view`.

pub mod bytes;
pub mod cells;
mod editor;
pub mod effect;
pub mod frame;
pub mod input;
pub mod keymap;
pub mod machine;
pub mod meters;
mod model;
mod notice;
pub mod palette;
mod region;
mod settings;
mod view;

pub use effect::Effect;
pub use frame::Frame;
pub use input::Input;
pub use machine::Board;

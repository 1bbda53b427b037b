//! Codex (`@openai/codex`), as far as it works without a terminal: `codex exec --json`.
//!
//! - [`find`] which Codex a `PATH` leads to, and whether it is new enough · [`session`] what is checked before a run
//! - [`headless`] turns without a terminal · [`shell`] the commands that it says it runs
//!
//! A session of Codex in a terminal is refused: nothing here reads what it reports there.

pub mod find;
pub(super) mod headless;
pub(crate) mod session;
mod shell;

/// Its name on the command line, in rows and in the store.
pub const NAME: &str = "codex";
/// Esc interrupts what it does. It has no terminal of ours, so nothing sends that yet.
pub(super) const INTERRUPT_KEY: &[u8] = b"\x1b";

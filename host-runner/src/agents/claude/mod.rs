//! Claude Code (`@anthropic-ai/claude-code`), which reports through hooks.
//!
//! - [`find`] which Claude Code a `PATH` leads to, and whether it is new enough
//! - [`session`] what is checked before a session starts, and its plan · [`launch`] its command line
//! - [`settings`] the hooks that a session gets, in a file that is passed for that run only
//! - [`events`] what a hook says, as neutral events · [`condense`] a hook's event within the limit
//! - [`headless`] turns without a terminal
//!
//! Each hook runs `host-runner hook claude`, which prints nothing and always succeeds. Nothing is written into the
//! person's own directories, and their own settings and hooks go on working beside ours.

pub mod condense;
pub mod events;
pub mod find;
pub(super) mod headless;
pub mod launch;
pub(crate) mod session;
pub mod settings;

/// The adapter's name on the wire and on the board.
pub const NAME: &str = "claude";

/// Claude Code's own interrupt key: Esc, once (decision 13).
pub const INTERRUPT_KEY: &[u8] = b"\x1b";

/// Plain Left in the empty prompt opens a view of Claude Code's own, so that it may not detach there (decision 7).
pub const PLAIN_LEFT_IS_FREE: bool = false;

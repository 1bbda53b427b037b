//! pi, in both of its generations: 0.73 (`@mariozechner/pi-coding-agent`) and 1.x (`@earendil-works/pi-coding-agent`).
//!
//! - [`find`] which pi a `PATH` leads to, and whether it is new enough
//! - [`session`] what is checked before a session starts, and its plan · [`launch`] the command line of a session, and the files that it reads
//! - [`events`] what its extension reports, as neutral events · [`headless`] turns without a terminal
//!
//! The extension itself is `extension.ts` with `report.ts` and `frames.ts`; it is embedded, written below the board's
//! root and passed with `-e`. Nothing is written into the person's own directories.

pub mod events;
pub mod find;
pub(super) mod headless;
pub mod launch;
pub(crate) mod session;

/// The adapter's name on the wire and on the board.
pub const NAME: &str = "pi";

/// pi's own interrupt key: Esc, once (decision 13).
pub const INTERRUPT_KEY: &[u8] = b"\x1b";

/// Plain Left does nothing in pi's empty editor, so that it may detach there (decision 7).
pub const PLAIN_LEFT_IS_FREE: bool = true;

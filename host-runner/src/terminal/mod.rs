//! The canonical terminal of a session: what its program printed, as a client that attaches late must see it. Pure:
//! no clock, file, thread or log.
//!
//! Used by the host loop. Bytes of the PTY go through [`OutputFilter`] (takes out and reports what the host answers or
//! decides itself), then as they are into the [`OutputRing`], to every client and into the [`SessionTerminal`].
//!
//! Invariant: a snapshot plus what follows equals the whole.
//!
//! Reading order: `filter`, `answer`, `ring`, `subscribe`; then `session`, `model` with `state` and `emulator` under it,
//! `snapshot`, `input`. Beside them, for terminals of agents: `plain` (its text) and `needle` (what is looked for in it).

mod answer;
mod emulator;
mod extended;
mod filter;
mod history;
mod input;
mod model;
mod modes;
mod needle;
mod palette;
mod params;
mod plain;
mod ring;
mod rows;
mod session;
mod snapshot;
mod state;
mod style;
mod subscribe;
mod tabs;

pub use answer::{answer, needs_screen};
pub use filter::{Clipboard, ColourSlot, Found, OutputFilter, Query, StringEnd};
pub use input::{InputModes, MouseEncoding};
pub use needle::{BadNeedle, Found as NeedleFound, Looked, MAX_MATCHED_CHARS, Needle};
pub use palette::parse as colour;
pub use plain::PlainText;
pub use ring::OutputRing;
pub use session::{History, SessionTerminal, Snapshot};
pub use subscribe::{SubscribePlan, subscribe_plan};

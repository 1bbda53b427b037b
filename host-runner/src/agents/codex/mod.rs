//! Codex, as far as it works without a terminal: `codex exec --json`.
//!
//! Called by [`super::AgentKind`] and [`super::headless`]. A session of Codex in a terminal is refused: nothing here reads
//! what it reports there.

use super::Prepared;
use board_protocol::{
    command::EnvVar,
    refusal::{Refusal, RefusalKind},
};

/// Its name on the command line, in rows and in the store.
pub(super) const NAME: &str = "codex";
/// Esc interrupts what it does. It has no terminal of ours, so nothing sends that yet.
pub(super) const INTERRUPT_KEY: &[u8] = b"\x1b";

/// Finds Codex for this environment.
pub(super) fn prepare(_environment: &[EnvVar]) -> Result<Prepared, Refusal> {
    Err(no_terminal())
}

/// Why no session of Codex runs in a terminal.
pub(super) fn no_terminal() -> Refusal {
    Refusal::new(
        RefusalKind::BadInput,
        "Codex works here without a terminal only: host-runner run --agent codex 'PROMPT'",
    )
}

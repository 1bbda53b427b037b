//! Commands for zellij: with the right binary, for the right server, without what a surrounding zellij left in the
//! environment. Used by `up`; the link makes its pipe children from [`for_server`] too.

use super::server::Server;
use std::{path::Path, process::Command};

/// What zellij sets in its panes.
const OF_A_PANE: [&str; 3] = ["ZELLIJ", "ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID"];

/// A zellij client that knows nothing of a zellij around it.
pub(crate) fn outside(binary: &Path) -> Command {
    let mut command = Command::new(binary);
    for name in OF_A_PANE {
        command.env_remove(name);
    }
    command
}

/// A client of a running server: its own binary, its own socket directory, its session by name.
pub(crate) fn for_server(server: &Server, session: &str) -> Command {
    let mut command = outside(&server.binary());
    if let Some(directory) = server.socket_directory() {
        command.env("ZELLIJ_SOCKET_DIR", directory);
    }
    command.args(["--session", session]);
    command
}

/// What `zellij list-sessions` says about a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionState {
    /// It runs.
    Running,
    /// It ended and zellij would bring its panes back, held: of no use to the board.
    Dead,
    /// There is none.
    Absent,
}

/// Reads `zellij list-sessions --no-formatting`: `name [Created 3s ago] (EXITED - attach to resurrect)`.
pub(crate) fn session_state(listing: &str, session: &str) -> SessionState {
    for line in listing.lines() {
        let Some((name, rest)) = line.split_once(" [Created ") else { continue };
        if name == session {
            return if rest.contains("(EXITED") { SessionState::Dead } else { SessionState::Running };
        }
    }
    SessionState::Absent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_tells_running_from_dead() {
        let listing = "work [Created 1h 2m ago] (current)\nagent-board [Created 3s ago] (EXITED - attach to resurrect)\nagent-board-2 [Created 9s ago] \n";
        for (name, state) in [
            ("work", SessionState::Running),
            ("agent-board", SessionState::Dead),
            ("agent-board-2", SessionState::Running),
            ("agent", SessionState::Absent),
        ] {
            assert_eq!(session_state(listing, name), state, "{name}");
        }
        assert_eq!(session_state("No active zellij sessions found.", "work"), SessionState::Absent);
    }
}

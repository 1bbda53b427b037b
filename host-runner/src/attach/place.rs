//! Where this client runs: in which zellij pane, of which server, and whether the pane was made for it.

use crate::zellij::server;
use board_protocol::{board::AttachPlace, host::ScrollbackOwner};

/// The pane and whose lines it has scrolled away.
pub(super) fn find() -> (Option<AttachPlace>, ScrollbackOwner) {
    // zellij tells every program in its panes where it is: elsewhere its server need not be looked for.
    if std::env::var_os("ZELLIJ").is_none() && std::env::var_os("ZELLIJ_PANE_ID").is_none() {
        return (None, ScrollbackOwner::Person);
    }
    let pane_id = std::env::var("ZELLIJ_PANE_ID").ok().and_then(|id| id.parse().ok());
    let Some((server, generations)) = server::ancestor(std::process::id()) else {
        return (None, ScrollbackOwner::Person);
    };
    // A pane whose command this is has shown nothing else; in one with a shell between, a person's lines stand above.
    let owner = if generations == 1 { ScrollbackOwner::Session } else { ScrollbackOwner::Person };
    (pane_id.map(|pane_id| AttachPlace { server_pid: server.identity.pid, pane_id }), owner)
}

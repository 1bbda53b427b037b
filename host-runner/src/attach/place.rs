//! Where this client runs: in which zellij pane, of which server, and whether the pane was made for it.

use crate::process;
use board_protocol::{board::AttachPlace, host::ScrollbackOwner};
use std::fs;

/// More ancestors than any real chain has: a table that changes while it is read must not be followed for ever.
const MAX_ANCESTORS: usize = 64;

/// The pane and whose lines it has scrolled away.
pub(super) fn find() -> (Option<AttachPlace>, ScrollbackOwner) {
    let pane_id = std::env::var("ZELLIJ_PANE_ID").ok().and_then(|id| id.parse().ok());
    let Some((server_pid, generations)) = zellij_server() else { return (None, ScrollbackOwner::Person) };
    // A pane whose command this is has shown nothing else; in one with a shell between, a person's lines stand above.
    let owner = if generations == 1 { ScrollbackOwner::Session } else { ScrollbackOwner::Person };
    (pane_id.map(|pane_id| AttachPlace { server_pid, pane_id }), owner)
}

/// The zellij server among the ancestors, and how many generations up it is.
fn zellij_server() -> Option<(u32, usize)> {
    let mut pid = std::process::id();
    for generation in 1..=MAX_ANCESTORS {
        pid = process::stat(pid)?.parent;
        if pid <= 1 {
            return None;
        }
        if is_zellij_server(&fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default()) {
            return Some((pid, generation));
        }
    }
    None
}

/// zellij starts its server as `<itself> --server <socket>`; the program may have any name.
fn is_zellij_server(command_line: &[u8]) -> bool {
    let mut words = command_line.split(|byte| *byte == 0);
    let program = words.next().unwrap_or_default();
    let name = program.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    name.windows(6).any(|part| part == b"zellij") && words.any(|word| word == b"--server")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_server_is_a_server() {
        assert!(is_zellij_server(b"/usr/bin/zellij\0--server\0/run/user/0/zellij/x\0"));
        assert!(is_zellij_server(b"/cache/zellij-0.45.1\0--server\0x\0"));
        for other in [
            &b"zellij\0"[..],
            b"/usr/bin/zellij\0attach\0x\0",
            b"bash\0--server\0",
            b"",
            b"/zellij/sh\0--server\0",
        ] {
            assert!(!is_zellij_server(other), "{}", other.escape_ascii());
        }
    }
}

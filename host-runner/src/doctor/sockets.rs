//! The directory of the sockets.

use super::{Finding, Scene};

const NAME: &str = "sockets";

/// Where they are, and who may reach them.
pub(super) fn check(scene: &Scene) -> Finding {
    let Ok(Some(seen)) = &scene.seen else {
        return Finding::ok(NAME, "none: there is no root yet that could be used");
    };
    let directory = seen.root.sockets();
    let shown = directory.display();
    let in_root = directory.starts_with(seen.root.directory());
    match seen.sockets_mode {
        None => Finding::ok(NAME, format!("{shown} does not exist; the next command makes it")),
        Some(mode) if mode & 0o077 != 0 => Finding::warn(
            NAME,
            format!("{shown} may be entered by others (mode {mode:04o})"),
            format!("chmod 700 {shown} (the next command does it too)"),
        ),
        Some(_) if in_root => Finding::ok(NAME, format!("in {shown}")),
        Some(_) => Finding::ok(
            NAME,
            format!(
                "in {shown}, because the root's path is too long or its file system holds no sockets. If something cleans /tmp, set AGENT_BOARD_ROOT to a short path"
            ),
        ),
    }
}

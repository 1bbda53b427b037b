//! The directory of the sockets.

use super::{Finding, Scene};
use board_text::doctor as texts;

const NAME: &str = "sockets";

/// Where they are, and who may reach them.
pub(super) fn check(scene: &Scene) -> Finding {
    let Ok(Some(seen)) = &scene.seen else {
        return Finding::ok(NAME, texts::no_root_yet());
    };
    let directory = seen.root.sockets();
    let shown = directory.display();
    let in_root = directory.starts_with(seen.root.directory());
    match seen.sockets_mode {
        None => Finding::ok(NAME, texts::sockets_missing(&shown)),
        Some(mode) if mode & 0o077 != 0 => Finding::warn(
            NAME,
            texts::root_open_to_others(&shown, format_args!("{mode:04o}")),
            texts::root_chmod(&shown),
        ),
        Some(_) if in_root => Finding::ok(NAME, format!("in {shown}")),
        Some(_) => Finding::ok(NAME, texts::sockets_elsewhere(&shown)),
    }
}

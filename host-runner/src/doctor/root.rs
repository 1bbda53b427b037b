//! The board root: whose it is, who may enter it, and of which machine it is.

use super::{Finding, Scene};
use crate::root::Mark;

const NAME: &str = "root";

/// Owner, rights and machine.
pub(super) fn check(scene: &Scene) -> Finding {
    let directory = scene.directory.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
    match &scene.seen {
        Err(error) => Finding::error(NAME, error),
        Ok(None) => Finding::ok(NAME, format!("{directory} does not exist yet; the first command makes it")),
        Ok(Some(seen)) if seen.mode & 0o077 != 0 => Finding::warn(
            NAME,
            format!("{directory} may be entered by others (mode {:04o})", seen.mode),
            format!("chmod 700 {directory} (the next command does it too)"),
        ),
        Ok(Some(seen)) => {
            let machine = match seen.mark {
                Mark::Ours => "of this machine",
                Mark::Missing => "of no machine yet",
            };
            Finding::ok(NAME, format!("{directory} is yours, private (mode {:04o}), {machine}", seen.mode))
        }
    }
}

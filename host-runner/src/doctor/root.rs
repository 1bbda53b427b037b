//! The board root: whose it is, who may enter it, and of which machine it is.

use super::{Finding, Scene};
use crate::root::Mark;
use board_text::doctor as texts;

const NAME: &str = "root";

/// Owner, rights and machine.
pub(super) fn check(scene: &Scene) -> Finding {
    let directory = scene.directory.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
    match &scene.seen {
        Err(error) => Finding::error(NAME, error),
        Ok(None) => Finding::ok(NAME, texts::root_missing(&directory)),
        Ok(Some(seen)) if seen.mode & 0o077 != 0 => Finding::warn(
            NAME,
            texts::root_open_to_others(&directory, format_args!("{:04o}", seen.mode)),
            texts::root_chmod(&directory),
        ),
        Ok(Some(seen)) => {
            let machine = match seen.mark {
                Mark::Ours => texts::root_this_machine(),
                Mark::Missing => texts::root_no_machine(),
            };
            Finding::ok(NAME, texts::root_fine(&directory, format_args!("{:04o}", seen.mode), machine))
        }
    }
}

//! The plugin file: where zellij loads it from, and whether it is the one of this build.

use super::Finding;
use crate::assets::{self, AssetError, OnDisk};
use board_text::doctor as texts;

const NAME: &str = "plugin";

/// Compares the file with what this build brings along.
pub(super) fn check() -> Finding {
    let path = match assets::plugin_path() {
        Ok(path) => path,
        Err(error) => return Finding::error(NAME, error),
    };
    let shown = path.display();
    match assets::on_disk(&path) {
        Ok(OnDisk::Same) => Finding::ok(NAME, texts::plugin_fits(&shown, crate::BUILD)),
        Ok(OnDisk::Missing) => Finding::warn(NAME, texts::plugin_missing(&shown), texts::plugin_up_puts()),
        Ok(OnDisk::Other) => {
            Finding::warn(NAME, texts::plugin_other_build(&shown, crate::BUILD), texts::plugin_up_replaces())
        }
        Err(error @ AssetError::NoPlugin(_)) => Finding::error(NAME, error),
        Err(error) => Finding::fail(NAME, error.to_string(), texts::plugin_readable(&shown)),
    }
}

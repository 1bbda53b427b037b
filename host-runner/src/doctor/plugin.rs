//! The plugin file: where zellij loads it from, and whether it is the one of this build.

use super::Finding;
use crate::assets::{self, AssetError, OnDisk};

const NAME: &str = "plugin";

/// Compares the file with what this build brings along.
pub(super) fn check() -> Finding {
    let path = match assets::plugin_path() {
        Ok(path) => path,
        Err(error) => return Finding::error(NAME, error),
    };
    let shown = path.display();
    match assets::on_disk(&path) {
        Ok(OnDisk::Same) => Finding::ok(NAME, format!("{shown} is of this build ({})", crate::BUILD)),
        Ok(OnDisk::Missing) => {
            Finding::warn(NAME, format!("{shown} is not there yet"), "host-runner up puts it there")
        }
        Ok(OnDisk::Other) => Finding::warn(
            NAME,
            format!("{shown} is of another build than this host-runner ({})", crate::BUILD),
            "host-runner up replaces it; open boards load it again",
        ),
        Err(error @ AssetError::NoPlugin(_)) => Finding::error(NAME, error),
        Err(error) => Finding::fail(
            NAME,
            error.to_string(),
            format!("Make {shown} readable, or remove it and run host-runner up"),
        ),
    }
}

//! The configuration: what is wrong with it.

use super::{Finding, Scene};
use crate::config::file_path;
use board_text::doctor as texts;

const NAME: &str = "configuration";

/// A line a warning.
pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    let path = file_path(|name| scene.variable(name).map(ToOwned::to_owned));
    let shown =
        path.as_ref().map_or_else(|| texts::settings_no_file().to_owned(), |path| path.display().to_string());
    let warnings = scene.config.warnings();
    if warnings.is_empty() {
        let found = match path {
            Some(path) if path.exists() => texts::settings_read(&shown),
            _ => texts::settings_missing(&shown),
        };
        return vec![Finding::ok(NAME, found)];
    }
    warnings.iter().map(|warning| Finding::warn(NAME, warning, texts::settings_mend(&shown))).collect()
}

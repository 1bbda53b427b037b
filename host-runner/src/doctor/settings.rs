//! The configuration: what is wrong with it.

use super::{Finding, Scene};
use crate::config::file_path;

const NAME: &str = "configuration";

/// A line a warning.
pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    let path = file_path(|name| scene.variable(name).map(ToOwned::to_owned));
    let shown = path.as_ref().map_or_else(|| "no file".to_owned(), |path| path.display().to_string());
    let warnings = scene.config.warnings();
    if warnings.is_empty() {
        let found = match path {
            Some(path) if path.exists() => format!("{shown} is read"),
            _ => format!("{shown} does not exist; everything has its default or its variable"),
        };
        return vec![Finding::ok(NAME, found)];
    }
    warnings
        .iter()
        .map(|warning| Finding::warn(NAME, warning, format!("Mend it in {shown} or in your environment")))
        .collect()
}

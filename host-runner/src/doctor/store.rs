//! The store: schema and integrity, read without changing a byte.

use super::{Finding, Scene, daemon::Look};
use crate::store::{Inspection, Store, StoreError};
use board_text::doctor as texts;

const NAME: &str = "store";

/// Asks SQLite whether the file is whole.
pub(super) fn check(scene: &Scene, daemon: &Look) -> Finding {
    let Some(root) = scene.root() else {
        return Finding::ok(NAME, texts::no_root_yet());
    };
    let path = root.database();
    if !path.exists() && daemon.runs() {
        return Finding::fail(NAME, texts::store_gone(path.display()), texts::store_gone_advice());
    }
    if !path.exists() {
        return Finding::ok(NAME, texts::store_not_yet(path.display()));
    }
    match Store::inspect(&path) {
        Ok(inspection) => judge(&inspection),
        Err(error @ StoreError::Newer { .. }) => Finding::error(NAME, error),
        Err(StoreError::Unfinished { .. }) => {
            Finding::unknown(NAME, texts::store_unfinished(path.display()), texts::store_recover())
        }
        Err(error) if daemon.runs() => Finding::fail(NAME, error.to_string(), texts::store_restart()),
        Err(error) => Finding::fail(NAME, error.to_string(), texts::store_kept_aside()),
    }
}

fn judge(inspection: &Inspection) -> Finding {
    let Inspection { schema, sessions, quarantined, problem } = inspection;
    let found = texts::store_found(schema, *sessions);
    if let Some(problem) = problem {
        return Finding::fail(NAME, texts::store_damaged(problem), texts::store_copy());
    }
    if *quarantined > 0 {
        return Finding::warn(
            NAME,
            texts::store_quarantined(&found, *quarantined),
            texts::store_quarantine(),
        );
    }
    Finding::ok(NAME, texts::store_whole(&found))
}

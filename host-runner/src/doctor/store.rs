//! The store: schema and integrity, read without changing a byte.

use super::{Finding, Scene, daemon::Look, finding::count};
use crate::store::{Inspection, Store, StoreError};

const NAME: &str = "store";

/// Asks SQLite whether the file is whole.
pub(super) fn check(scene: &Scene, daemon: &Look) -> Finding {
    let Some(root) = scene.root() else {
        return Finding::ok(NAME, "none: there is no root yet that could be used");
    };
    let path = root.database();
    if !path.exists() && daemon.runs() {
        return Finding::fail(
            NAME,
            format!("{} is gone although the daemon runs", path.display()),
            "The daemon writes it anew within seconds; run host-runner doctor again. If it stays away: host-runner shutdown, then host-runner ls",
        );
    }
    if !path.exists() {
        return Finding::ok(NAME, format!("{} does not exist yet", path.display()));
    }
    match Store::inspect(&path) {
        Ok(inspection) => judge(&inspection),
        Err(error @ StoreError::Newer { .. }) => Finding::error(NAME, error),
        Err(StoreError::Unfinished { .. }) => Finding::unknown(
            NAME,
            format!(
                "{} has an unfinished log: its last daemon did not end in an orderly way",
                path.display()
            ),
            "Any command starts a daemon, which recovers it: host-runner ls",
        ),
        Err(error) if daemon.runs() => Finding::fail(
            NAME,
            error.to_string(),
            "Restart the daemon: host-runner shutdown, then host-runner ls; sessions go on",
        ),
        Err(error) => Finding::fail(
            NAME,
            error.to_string(),
            "The next daemon keeps a damaged file aside and starts with an empty board; sessions go on",
        ),
    }
}

fn judge(inspection: &Inspection) -> Finding {
    let Inspection { schema, sessions, quarantined, problem } = inspection;
    let found = format!("schema {schema}, {}", count(*sessions, "session"));
    if let Some(problem) = problem {
        return Finding::fail(
            NAME,
            format!("damaged: {problem}"),
            "Copy board.db and its companions somewhere safe, then: host-runner shutdown; host-runner ls. Sessions go on",
        );
    }
    if *quarantined > 0 {
        return Finding::warn(
            NAME,
            format!("{found}; {} could not be read and is set apart", count(*quarantined, "damaged record")),
            "Nothing else is affected. The table quarantine of board.db holds what was read",
        );
    }
    Finding::ok(NAME, format!("whole; {found}"))
}

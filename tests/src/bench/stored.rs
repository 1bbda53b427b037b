//! A store with many ended sessions: one real one, copied where it lies while no daemon runs.

use crate::{World, wait::eventually};
use rusqlite::{Connection, params};

/// Fills the world's store up to `count` sessions, all of them ended. No daemon runs afterwards.
///
/// # Panics
/// The store is not as this build makes it.
pub fn fill(world: &World, count: usize) {
    let first = world.start(&["--name", "row-00000", "--", "actor", "say", "done"]);
    world.wait_state(&first, "idle");
    world.runner(&["shutdown"]).ok();
    eventually("the end of the daemon", || world.runners("daemon").is_empty().then_some(()));
    let mut store = Connection::open(world.root().join("board.db")).unwrap();
    let transaction = store.transaction().unwrap();
    for number in 1..count {
        let id = format!("{number:010x}");
        let name = format!("row-{number:05}");
        for (table, columns) in [
            ("journal", "session, at_ms, fact"),
            ("sessions", "session, record"),
            ("tokens", "session, token"),
            ("last_screens", "session, screen"),
        ] {
            let copied: Vec<String> = columns
                .split(", ")
                .map(|column| match column {
                    "at_ms" => column.to_owned(),
                    _ => format!("replace(replace({column}, ?1, ?2), 'row-00000', ?3)"),
                })
                .collect();
            let sql = format!(
                "INSERT INTO {table} ({columns}) SELECT {} FROM {table} WHERE session = ?1",
                copied.join(", ")
            );
            transaction.prepare_cached(&sql).unwrap().execute(params![first, id, name]).unwrap();
        }
    }
    transaction.commit().unwrap();
}

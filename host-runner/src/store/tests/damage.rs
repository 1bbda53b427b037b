//! Damaged pages, at the start and in the middle of work: the file is kept aside and what can be read goes on.

use super::*;
use board_protocol::daemon::{LogLevel, LogLine};
use std::os::unix::fs::FileExt;

/// A store with more than one page in every table.
fn filled(directory: &Path) -> (Store, Sessions) {
    let mut sessions = twenty(directory);
    let Opened { mut store, .. } = open(directory);
    for number in 0..20 {
        let id = id(number);
        let line = LogLine {
            at_ms: UnixMs(1),
            level: LogLevel::Warn,
            source: "service".into(),
            code: "sample".into(),
            message: "m".repeat(300),
        };
        let rename = fact(&id, 60, FactKind::SessionRenamed { name: "n".repeat(300) });
        apply(&mut sessions, &rename);
        let batch = Batch {
            facts: vec![rename],
            tokens: vec![(session(&id), Token(format!("token of {number} {}", "t".repeat(300))))],
            screens: vec![(session(&id), "s".repeat(1000))],
            notes: vec![(session(&id), line)],
            outcomes: vec![outcome_row(&format!("command {number}"), &id)],
            ..Batch::default()
        };
        store.commit(&batch, &sessions).unwrap();
    }
    commit(&mut store, &mut sessions, vec![fact(&id(19), 70, FactKind::SessionRemoved)]);
    store.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    (store, sessions)
}

fn outcome_row(id: &str, of: &str) -> CommandOutcomeRow {
    let outcome = CommandOutcome::Applied { session: session(of), notice: None };
    CommandOutcomeRow { id: CommandId(id.into()), at: UnixMs(1), command: "rename", outcome }
}

/// Where the pages of a table are, from SQLite itself.
fn root_page(store: &Store, table: &str) -> u64 {
    let page: i64 = store
        .connection
        .query_row("SELECT rootpage FROM sqlite_master WHERE name = ?1", [table], |row| row.get(0))
        .unwrap();
    u64::try_from(page).unwrap()
}

fn overwrite(directory: &Path, page: u64) {
    let file = fs::OpenOptions::new().write(true).open(directory.join("board.db")).unwrap();
    file.write_all_at(&[0x5a; 4096], (page - 1) * 4096).unwrap();
}

#[test]
fn damage_that_shows_in_a_commit_leads_to_a_new_file_with_everything_else() {
    for table in ["journal", "commands", "sessions"] {
        let directory = tempfile::tempdir().unwrap();
        let (store, mut sessions) = filled(directory.path());
        let page = root_page(&store, table);
        drop(store);
        // Opened while it was whole; then the disk went bad.
        let Opened { mut store, .. } = open(directory.path());
        overwrite(directory.path(), page);
        store.connection.execute_batch("PRAGMA shrink_memory").unwrap();
        let before = sessions.clone();
        let rename = fact(&id(3), 90, FactKind::SessionRenamed { name: "after".into() });
        apply(&mut sessions, &rename);
        let batch =
            Batch { facts: vec![rename], outcomes: vec![outcome_row("late", &id(3))], ..Batch::default() };
        let error = store.commit(&batch, &sessions).unwrap_err();
        assert!(error.is_damage(), "{table}: {error}");
        let warning = store.rebuild("now", &before, &error).unwrap();
        assert!(warning.contains("board.db.damaged-now"), "{warning}");
        assert!(directory.path().join("board.db.damaged-now").exists());
        store.commit(&batch, &sessions).unwrap();
        assert_eq!(store.token(&session(&id(3))).unwrap().unwrap().0.len(), "token of 3 ".len() + 300);
        assert_eq!(store.last_screen(&session(&id(3))).unwrap().unwrap().len(), 1000);
        assert_eq!(store.log(&session(&id(3)), 5).unwrap().len(), 1);
        if table == "commands" {
            assert!(warning.contains("which commands were carried out"), "{warning}");
        } else {
            assert!(store.outcome(&CommandId("command 7".into())).unwrap().is_some());
        }
        if table == "journal" {
            assert!(warning.contains("what happened in the last day"), "{warning}");
        } else {
            assert!(store.ever_knew(&session(&id(19))).unwrap());
        }
        drop(store);
        let Opened { store, loaded } = open(directory.path());
        assert_eq!((&loaded.sessions, loaded.warnings), (&sessions, Vec::new()), "{table}");
        assert_eq!(store.replay(None).unwrap().sessions, sessions, "{table}");
        let whole: String =
            store.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(whole, "ok");
    }
}

#[test]
fn a_file_that_cannot_be_opened_gives_what_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let (store, sessions) = filled(directory.path());
    let page = root_page(&store, "sessions");
    drop(store);
    overwrite(directory.path(), page);
    let Opened { store, loaded } = open(directory.path());
    // The journal knows them all.
    assert_eq!(loaded.sessions, sessions);
    assert!(loaded.warnings[0].contains("19 sessions were recovered"), "{:?}", loaded.warnings);
    assert!(store.token(&session(&id(3))).unwrap().is_some());
    assert_eq!(store.replay(None).unwrap().sessions, sessions);
    drop(store);
    assert_eq!(open(directory.path()).loaded.warnings, Vec::<String>::new());
}

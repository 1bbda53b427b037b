//! The store on real files: what is committed is there, what is damaged costs only itself.

use super::*;
use crate::model::{
    AgentRecord, Fact, FactKind, Sessions, apply,
    samples::{begin, exited, fact, session, started},
};
use board_protocol::{host::Exit, ids::UnixMs};
use std::{fs, os::unix::fs::PermissionsExt, path::Path};

mod damage;
mod favourites;
mod place;
mod retention;

fn open(directory: &Path) -> Opened {
    Store::open(&directory.join("board.db"), "test").unwrap()
}

/// Commits facts the way the coordinator does.
fn commit(store: &mut Store, sessions: &mut Sessions, facts: Vec<Fact>) {
    for fact in &facts {
        apply(sessions, fact);
    }
    store.commit(&Batch { facts, ..Batch::default() }, sessions).unwrap();
}

fn id(number: usize) -> String {
    format!("{number:010x}")
}

fn twenty(directory: &Path) -> Sessions {
    let Opened { mut store, .. } = open(directory);
    let mut sessions = Sessions::new();
    for number in 0..20 {
        let id = id(number);
        commit(&mut store, &mut sessions, vec![begin(&id, "sample")]);
        commit(&mut store, &mut sessions, vec![fact(&id, 20, started(1))]);
        commit(&mut store, &mut sessions, vec![fact(&id, 30, exited(2, Exit::Code(0)))]);
    }
    sessions
}

fn sql(directory: &Path, statement: &str) {
    let connection = rusqlite::Connection::open(directory.join("board.db")).unwrap();
    assert!(connection.execute(statement, []).unwrap() > 0, "{statement}");
}

#[test]
fn what_was_committed_is_there_again_and_follows_from_the_journal() {
    let directory = tempfile::tempdir().unwrap();
    let sessions = twenty(directory.path());
    let Opened { store, loaded } = open(directory.path());
    assert_eq!(loaded.sessions, sessions);
    assert_eq!(loaded.warnings, Vec::<String>::new());
    let replayed = store.replay(None).unwrap();
    assert_eq!(replayed.sessions, sessions);
    assert_eq!(replayed.unreadable, Vec::<i64>::new());
    let mode = fs::metadata(directory.path().join("board.db")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn durability_is_what_the_documentation_says() {
    let directory = tempfile::tempdir().unwrap();
    let Opened { store, .. } = open(directory.path());
    let pragma = |name: &str| -> String {
        store
            .connection
            .query_row(&format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}"), [], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(pragma("journal_mode"), "wal");
    assert_eq!(pragma("synchronous"), "2");
}

#[test]
fn a_removed_session_takes_its_secret_and_screen_with_it_but_stays_known() {
    let directory = tempfile::tempdir().unwrap();
    let Opened { mut store, .. } = open(directory.path());
    let mut sessions = Sessions::new();
    let one = session(&id(1));
    apply(&mut sessions, &begin(&id(1), "one"));
    let batch = Batch {
        facts: vec![begin(&id(1), "one")],
        tokens: vec![(one.clone(), Token("secret".into()))],
        screens: vec![(one.clone(), "bye".into())],
        ..Batch::default()
    };
    store.commit(&batch, &sessions).unwrap();
    assert_eq!(store.token(&one).unwrap(), Some(Token("secret".into())));
    assert_eq!(store.last_screen(&one).unwrap().as_deref(), Some("bye"));
    let journal: String =
        store.connection.query_row("SELECT group_concat(fact) FROM journal", [], |row| row.get(0)).unwrap();
    assert!(!journal.contains("secret"), "{journal}");

    commit(&mut store, &mut sessions, vec![fact(&id(1), 40, FactKind::SessionRemoved)]);
    assert_eq!(store.token(&one).unwrap(), None);
    assert_eq!(store.last_screen(&one).unwrap(), None);
    assert!(store.ever_knew(&one).unwrap());
    assert!(!store.ever_knew(&session(&id(2))).unwrap());
    assert_eq!(store.replay(None).unwrap().sessions, Sessions::new());
}

#[test]
fn outcomes_are_kept_for_a_second_delivery_and_forgotten_after_a_week() {
    let directory = tempfile::tempdir().unwrap();
    let Opened { mut store, .. } = open(directory.path());
    let command = CommandId("c1".into());
    let outcome = CommandOutcome::Applied { session: session(&id(1)), notice: None };
    let row = CommandOutcomeRow {
        id: command.clone(),
        at: UnixMs(1000),
        command: "stop",
        outcome: outcome.clone(),
    };
    store.commit(&Batch { outcomes: vec![row], ..Batch::default() }, &Sessions::new()).unwrap();
    assert_eq!(store.outcome(&command).unwrap(), Some(outcome));
    // A damaged one still says that the command was carried out: sent again, it is not done twice.
    sql(directory.path(), "UPDATE commands SET outcome = '{\"oops'");
    assert!(matches!(store.outcome(&command).unwrap(), Some(CommandOutcome::Refused(_))));
    store.forget_old_outcomes(UnixMs(2000)).unwrap();
    assert!(store.outcome(&command).unwrap().is_some());
    store.forget_old_outcomes(UnixMs(8 * 24 * 60 * 60 * 1000)).unwrap();
    assert_eq!(store.outcome(&command).unwrap(), None);
}

// Field report A30: one stale record emptied every view.
#[test]
fn a30_one_corrupt_journal_record_costs_one_session() {
    let directory = tempfile::tempdir().unwrap();
    let mut sessions = twenty(directory.path());
    sql(directory.path(), "UPDATE journal SET fact = '{\"oops' WHERE session = '0000000007' AND at_ms = 10");
    sql(directory.path(), "DELETE FROM sessions WHERE session = '0000000007'");
    let Opened { store, loaded } = open(directory.path());
    let replayed = store.replay(None).unwrap();
    sessions.remove(&session(&id(7)));
    assert_eq!(replayed.sessions, sessions);
    assert_eq!(replayed.unreadable.len(), 1);
    assert_eq!(loaded.sessions.len(), 19);
}

// Field reports A30 and F11: garbage in one record; the journal still knows the truth.
#[test]
fn f11_a_corrupt_record_is_rebuilt_from_the_journal_with_a_warning() {
    let directory = tempfile::tempdir().unwrap();
    let sessions = twenty(directory.path());
    sql(directory.path(), "UPDATE sessions SET record = '{\"id\":3' WHERE session = '0000000007'");
    sql(
        directory.path(),
        "UPDATE sessions SET record = (SELECT record FROM sessions WHERE session = '0000000001') WHERE session = '0000000002'",
    );
    let first = open(directory.path());
    assert_eq!(first.loaded.sessions, sessions);
    assert_eq!(first.loaded.warnings.len(), 2, "{:?}", first.loaded.warnings);
    drop(first);
    // Mended for good: the next start has nothing to say.
    let second = open(directory.path());
    assert_eq!(second.loaded.sessions, sessions);
    assert_eq!(second.loaded.warnings, Vec::<String>::new());
}

#[test]
fn f11_a_record_that_nothing_can_mend_is_quarantined_and_the_others_live() {
    let directory = tempfile::tempdir().unwrap();
    let mut sessions = twenty(directory.path());
    sql(directory.path(), "UPDATE sessions SET record = 'garbage' WHERE session = '0000000007'");
    sql(directory.path(), "UPDATE journal SET fact = 'garbage' WHERE session = '0000000007'");
    let Opened { store, loaded } = open(directory.path());
    sessions.remove(&session(&id(7)));
    assert_eq!(loaded.sessions, sessions);
    assert!(loaded.warnings[0].contains("quarantine"), "{:?}", loaded.warnings);
    let body: Vec<u8> =
        store.connection.query_row("SELECT body FROM quarantine", [], |row| row.get(0)).unwrap();
    assert_eq!(body, b"garbage");
}

#[test]
fn a_file_that_is_no_database_is_kept_aside() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("board.db"), "this is no database, whatever its name says".repeat(100))
        .unwrap();
    let Opened { loaded, .. } = open(directory.path());
    assert!(loaded.sessions.is_empty());
    assert!(loaded.warnings[0].contains("board.db.damaged-test"), "{:?}", loaded.warnings);
    let kept = fs::read_to_string(directory.path().join("board.db.damaged-test")).unwrap();
    assert!(kept.starts_with("this is no database"));
}

#[test]
fn a_newer_schema_is_refused_and_not_touched() {
    let directory = tempfile::tempdir().unwrap();
    twenty(directory.path());
    let path = directory.path().join("board.db");
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let before = fs::read(&path).unwrap();
    let error = Store::open(&path, "test").unwrap_err();
    assert!(matches!(error, StoreError::Newer { theirs: 999, .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

// A store of the first release: its sessions had no agents that report, and no field for what these told.
#[test]
fn an_older_store_opens_whole() {
    let directory = tempfile::tempdir().unwrap();
    let sessions = twenty(directory.path());
    sql(directory.path(), "UPDATE sessions SET record = json_remove(record, '$.agent_record')");
    let Opened { loaded, .. } = open(directory.path());
    assert_eq!(loaded.warnings, Vec::<String>::new());
    assert_eq!(loaded.sessions.len(), sessions.len());
    for (id, record) in loaded.sessions {
        let before = &sessions[&id];
        assert_eq!(
            (record.state, &record.ending, &record.words),
            (before.state, &before.ending, &before.words)
        );
        assert_eq!(record.agent_record, AgentRecord::default());
    }
}

#[test]
fn a_batch_that_cannot_be_written_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let Opened { mut store, .. } = open(directory.path());
    store.connection.execute_batch("DROP TABLE last_screens").unwrap();
    let mut sessions = Sessions::new();
    apply(&mut sessions, &begin(&id(1), "one"));
    let batch = Batch {
        facts: vec![begin(&id(1), "one")],
        screens: vec![(session(&id(1)), "x".into())],
        ..Batch::default()
    };
    store.commit(&batch, &sessions).unwrap_err();
    assert!(!store.ever_knew(&session(&id(1))).unwrap());
    assert_eq!(store.replay(None).unwrap().sessions, Sessions::new());
}

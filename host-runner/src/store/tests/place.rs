//! Files that somebody deletes, replaces or cuts while they are open: it is noticed before the next commit, and nothing
//! is lost.

use super::*;
use board_protocol::ids::Token;

/// A store with one session and its secret, and the state.
fn one(directory: &Path) -> (Store, Sessions) {
    let Opened { mut store, .. } = open(directory);
    store.claim().unwrap();
    let mut sessions = Sessions::new();
    let facts = vec![begin(&id(1), "sample")];
    facts.iter().for_each(|fact| apply(&mut sessions, fact));
    let tokens = vec![(session(&id(1)), Token("secret".into()))];
    store.commit(&Batch { facts, tokens, ..Batch::default() }, &sessions).unwrap();
    (store, sessions)
}

fn delete(directory: &Path) {
    for name in ["board.db", "board.db-wal", "board.db-shm"] {
        fs::remove_file(directory.join(name)).unwrap();
    }
}

fn delete_only_the_database(directory: &Path) {
    fs::remove_file(directory.join("board.db")).unwrap();
}

fn replace(directory: &Path) {
    fs::write(directory.join("other"), "something else").unwrap();
    fs::rename(directory.join("other"), directory.join("board.db")).unwrap();
}

fn cut_the_log(directory: &Path) {
    fs::OpenOptions::new().write(true).truncate(true).open(directory.join("board.db-wal")).unwrap();
}

type Harm = (&'static str, fn(&Path), &'static str);

#[test]
fn a_file_that_is_taken_away_from_an_open_store_is_noticed_and_written_anew() {
    let table: [Harm; 4] = [
        ("everything deleted", delete, "was deleted"),
        ("the database deleted", delete_only_the_database, "was deleted"),
        ("another file in its place", replace, "was replaced"),
        ("an emptied log", cut_the_log, "lost its log"),
    ];
    for (what, harm, told) in table {
        let directory = tempfile::tempdir().unwrap();
        let (mut store, mut sessions) = one(directory.path());
        store.check_place().unwrap();
        harm(directory.path());
        assert!(store.check_place().is_err(), "{what}");
        let committed = sessions.clone();
        let next = fact(&id(1), 20, started(1));
        apply(&mut sessions, &next);
        let batch = Batch { facts: vec![next], ..Batch::default() };
        let error = store.commit(&batch, &sessions).unwrap_err();
        assert!(error.to_string().contains(told) && error.is_damage(), "{what}: {error}");
        let warning = store.rebuild("now", &committed, &error).unwrap();
        assert!(warning.contains(told), "{what}: {warning}");
        store.check_place().unwrap();
        store.commit(&batch, &sessions).unwrap();
        drop(store);
        let Opened { store, loaded } = open(directory.path());
        assert_eq!((&loaded.sessions, &loaded.warnings), (&sessions, &Vec::new()), "{what}");
        assert_eq!(store.token(&session(&id(1))).unwrap(), Some(Token("secret".into())), "{what}");
        let mode = fs::metadata(directory.path().join("board.db")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{what}");
    }
}

#[test]
fn a_store_that_nobody_touches_stays_in_its_place_whatever_it_writes() {
    let directory = tempfile::tempdir().unwrap();
    let (mut store, mut sessions) = one(directory.path());
    for step in 0..2_000 {
        let rename =
            fact(&id(1), step, FactKind::SessionRenamed { name: format!("{step} {}", "n".repeat(2_000)) });
        commit(&mut store, &mut sessions, vec![rename]);
        store.check_place().unwrap();
    }
    while store.prune(UnixMs(u64::MAX / 2), &sessions).unwrap().more {}
    store.check_place().unwrap();
    commit(&mut store, &mut sessions, vec![fact(&id(1), 9, FactKind::SessionVisited)]);
}

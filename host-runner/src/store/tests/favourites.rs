//! Favourites and what the last dialog chose (reference A.13, I.6).

use super::*;
use board_protocol::{
    command::{Command, Launch, Remember, StartSession},
    daemon::LaunchPreferences,
};

fn start(cwd: &str) -> StartSession {
    StartSession {
        name: None,
        agent: "pi".into(),
        launch: Launch::Task("fix it".into()),
        cwd: cwd.into(),
        size: None,
        model: Some("m".into()),
        thinking: None,
        tags: Vec::new(),
        remember: Remember::Nothing,
    }
}

fn count(store: &mut Store, start: StartSession, at: u64) {
    let started = Started::by(&Command::Start(start), UnixMs(at)).unwrap();
    let batch = Batch { starts: vec![started], ..Batch::default() };
    store.commit(&batch, &Sessions::new()).unwrap();
}

fn paths(preferences: &LaunchPreferences) -> Vec<(&str, u64)> {
    preferences.directories.iter().map(|favourite| (favourite.path.as_str(), favourite.uses)).collect()
}

#[test]
fn a13_favourites_rank_by_count_then_by_last_use_and_home_is_always_there() {
    let directory = tempfile::tempdir().unwrap();
    let Opened { mut store, .. } = open(directory.path());
    for (at, cwd) in [(1, "/a"), (2, "/b"), (3, "/b/"), (4, "/c"), (5, "/")] {
        count(&mut store, start(cwd), at);
    }
    let preferences = store.launch_preferences(Some("/home/me")).unwrap();
    assert_eq!(paths(&preferences), [("/b", 2), ("/", 1), ("/c", 1), ("/a", 1), ("/home/me", 0)]);
    assert_eq!(preferences.directories[0].last_used_ms, Some(UnixMs(3)));
    assert_eq!(paths(&store.launch_preferences(Some("/c")).unwrap()).len(), 4, "home is not there twice");
    for number in 0..20 {
        count(&mut store, start(&format!("/many/{number}")), 10 + number);
    }
    let many = store.launch_preferences(Some("/home/me")).unwrap();
    assert_eq!(many.directories.len(), MAX_FAVOURITES + 1);
    let batch = Batch { forgotten: vec!["/b".into()], ..Batch::default() };
    store.commit(&batch, &Sessions::new()).unwrap();
    drop(store);
    let Opened { store, .. } = open(directory.path());
    let after = store.launch_preferences(None).unwrap();
    assert!(!paths(&after).iter().any(|(path, _)| *path == "/b"), "{after:?}");
}

#[test]
fn a13_only_a_dialog_is_remembered_and_what_it_left_away_is_forgotten() {
    let directory = tempfile::tempdir().unwrap();
    let Opened { mut store, .. } = open(directory.path());
    count(&mut store, start("/a"), 1);
    assert_eq!(store.launch_preferences(None).unwrap().agent, None);
    count(
        &mut store,
        StartSession { thinking: Some("low".into()), remember: Remember::Choices, ..start("/a") },
        2,
    );
    let chosen =
        |preferences: LaunchPreferences| (preferences.agent, preferences.model, preferences.thinking);
    let words = |agent: &str, model: Option<&str>, thinking: Option<&str>| {
        (Some(agent.to_owned()), model.map(str::to_owned), thinking.map(str::to_owned))
    };
    assert_eq!(chosen(store.launch_preferences(None).unwrap()), words("pi", Some("m"), Some("low")));
    let generic =
        StartSession { agent: "generic".into(), model: None, remember: Remember::Choices, ..start("/a") };
    count(&mut store, generic, 3);
    assert_eq!(chosen(store.launch_preferences(None).unwrap()), words("generic", None, None));
    assert_eq!(Started::by(&Command::Stop { session: session(&id(1)) }, UnixMs(1)), None);
}

// The rows that a board has when it learns to count are counted once, whatever is wrong with one of them.
#[test]
fn a13_a_store_of_the_schema_before_is_filled_once_from_its_rows() {
    let directory = tempfile::tempdir().unwrap();
    let sessions = twenty(directory.path());
    let cwd = sessions.values().next().unwrap().cwd.clone();
    {
        let connection = rusqlite::Connection::open(directory.path().join("board.db")).unwrap();
        connection
            .execute_batch(
                "DROP TABLE work; DROP TABLE reviews; DROP TABLE code_refs; DROP TABLE directories; DROP TABLE preferences;
                 PRAGMA user_version = 2;",
            )
            .unwrap();
        connection.execute("UPDATE sessions SET record = '{' WHERE session = ?1", [id(3)]).unwrap();
    }
    for _ in 0..2 {
        let Opened { store, .. } = open(directory.path());
        let preferences = store.launch_preferences(None).unwrap();
        assert_eq!(
            paths(&preferences),
            [(cwd.trim_end_matches('/'), 19)]
                .map(|(path, uses)| { (if path.is_empty() { "/" } else { path }, uses) })
        );
    }
}

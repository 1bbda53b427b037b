//! Reference I.5, A7 to A9: one writer, whose every change has an id and a revision, and what becomes of another one.

use super::*;
use board_protocol::command::Pin;
use std::collections::BTreeMap;

#[test]
fn i5_a7_every_change_has_a_command_id_and_a_higher_revision() {
    let mut play = Play::new();
    let (launch, _) = play.start("start");
    play.host_comes(&launch, 50, 1);
    let session = launch.session.clone();
    let mut revision = play.show(&session).row.revision;
    let commands = [
        ("rename", Command::Rename { session: session.clone(), name: "other".into() }, true),
        ("pin", Command::SetPin { session: session.clone(), pin: Pin::Pinned }, true),
        ("tag", Command::Tag { session: session.clone(), add: vec!["t".into()], remove: vec![] }, true),
        ("pin again", Command::SetPin { session: session.clone(), pin: Pin::Pinned }, false),
        ("stop", Command::Stop { session: session.clone() }, true),
        ("nobody", Command::Stop { session: SessionId("00000000ff".into()) }, false),
    ];
    for (id, command, changes) in commands {
        let name = command.name();
        let input = play.command(id, command);
        let said = outcome(&play.coordinator.handle(vec![input]));
        // Refusals, too.
        assert_eq!(play.coordinator.store.outcome(&CommandId(id.into())).unwrap(), Some(said), "{id}");
        let beside = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
        let kept: String = beside
            .query_row("SELECT command FROM commands WHERE command_id = ?1", [id], |row| row.get(0))
            .unwrap();
        assert_eq!(kept, name);
        let now = play.show(&session).row.revision;
        assert_eq!(now > revision, changes, "{id}: {revision} to {now}");
        revision = now;
    }
    // What a host reports is a change, too.
    play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    assert!(play.show(&session).row.revision > revision);
}

#[test]
fn i5_a7b_the_next_owner_repeats_no_command_and_heals_from_the_journal() {
    let mut play = Play::new();
    let mut said = BTreeMap::new();
    let (launch, outputs) = play.start("start");
    said.insert("start", outcome(&outputs));
    let rename = Command::Rename { session: launch.session.clone(), name: "other".into() };
    let input = play.command("rename", rename.clone());
    said.insert("rename", outcome(&play.coordinator.handle(vec![input])));
    let before = play.coordinator.sessions().clone();
    for _ in 0..3 {
        (play, _) = play.restart();
        for (id, earlier) in &said {
            // The id decides, whatever comes with it.
            let input = play.command(id, rename.clone());
            let outputs = play.coordinator.handle(vec![input]);
            assert_eq!(&outcome(&outputs), earlier);
            assert!(!outputs.iter().any(|output| matches!(output, Output::Spawn(_))));
        }
        assert_eq!(play.coordinator.sessions(), &before);
        assert_eq!(play.coordinator.store.replay(None).unwrap().sessions, before);
    }
}

// The lock file was deleted, and a second daemon has the board: the first one may not write a byte any more.
#[test]
fn i5_a9_a_stale_instance_cannot_write_and_says_so() {
    let mut play = Play::new();
    let (launch, _) = play.start("start");
    let rename = |name: &str| Command::Rename { session: launch.session.clone(), name: name.into() };
    let mut successor = open(play.directory.path(), &play.stage);
    successor.boot();
    let journal = |play: &Play| -> i64 {
        let beside = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
        beside
            .query_row("SELECT (SELECT count(*) FROM journal) + (SELECT count(*) FROM commands)", [], |row| {
                row.get(0)
            })
            .unwrap()
    };
    let before = journal(&play);
    let input = play.command("stale", rename("stale"));
    let outputs = play.coordinator.handle(vec![input]);
    assert!(matches!(
        outputs.as_slice(),
        [Output::Answer { answer: Err(refusal), .. }, ..]
            if refusal.text.contains("nothing was changed") && refusal.text.contains("another daemon")
    ));
    assert!(play.coordinator.lost().is_some(), "it ends");
    assert_eq!(journal(&play), before);
    let input = play.command("fresh", rename("fresh"));
    let outputs = successor.handle(vec![input]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }));
    assert_eq!(successor.sessions()[&launch.session].name, "fresh");
}

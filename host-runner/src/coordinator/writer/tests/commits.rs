//! A turn of the coordinator is one commit, however many commands came with it.
//!
//! Counted in the write-ahead log itself: `PRAGMA data_version` tells another connection that something was committed
//! since it last looked, and not how often.

use super::*;
use board_protocol::daemon::Answer;

/// How many renames come at once.
const COMMANDS: usize = 32;
/// Bytes of the header of a write-ahead log, and of each frame in it (<https://sqlite.org/fileformat2.html#walformat>).
const WAL_HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// The commits in the write-ahead log: frames with the log's own salts that give the size of the database after them.
fn commits(play: &Play) -> usize {
    let log = std::fs::read(play.directory.path().join("board.db-wal")).unwrap();
    let page = usize::try_from(number(&log, 8)).unwrap();
    let salts = &log[16..24];
    let frames = log[WAL_HEADER..].chunks_exact(FRAME_HEADER + page);
    frames.filter(|frame| &frame[8..16] == salts && number(frame, 4) != 0).count()
}

fn renames(play: &mut Play, session: &SessionId, round: &str) -> Vec<Input> {
    (0..COMMANDS)
        .map(|n| {
            let (id, name) = (format!("{round} {n}"), format!("{round} {n}"));
            play.command(&id, Command::Rename { session: session.clone(), name })
        })
        .collect()
}

#[test]
fn what_comes_at_once_is_one_commit_and_every_command_has_its_answer() {
    let mut play = Play::new();
    let (launch, _) = play.start("start");
    let before = commits(&play);
    let together = renames(&mut play, &launch.session, "together");
    let outputs = play.coordinator.handle(together);
    assert_eq!(commits(&play) - before, 1);
    let applied = outputs.iter().filter(|output| {
        matches!(output, Output::Answer { answer: Ok(Answer::Outcome(CommandOutcome::Applied { .. })), .. })
    });
    assert_eq!(applied.count(), COMMANDS);
    assert_eq!(play.show(&launch.session).row.name, format!("together {}", COMMANDS - 1));

    // One by one they are as many commits: the count can tell.
    let before = commits(&play);
    for input in renames(&mut play, &launch.session, "apart") {
        play.coordinator.handle(vec![input]);
    }
    assert_eq!(commits(&play) - before, COMMANDS);
    // What is in the one commit is all of it.
    let (mut play, _) = play.restart();
    assert_eq!(play.show(&launch.session).row.name, format!("apart {}", COMMANDS - 1));
}

//! What a session's state is explained with, what its diagnostics keep, and when its silence is told.

use super::*;
use crate::{
    agents::AgentKind,
    coordinator::{Question, Ticket},
    store::{Batch, Story},
};
use board_protocol::{
    daemon::{Answer, EvidenceLine, Explanation, LogLevel, LogLine},
    host::{AgentReport, HostFact, HostLaunch},
};

const HOST: ConnectionId = ConnectionId(1);
const MINUTE: u64 = 60_000;

fn running(play: &mut Play) -> HostLaunch {
    let (launch, _) = play.start("start");
    play.host_comes(&launch, 50, HOST.0);
    launch
}

fn passes(play: &Play, ms: u64) {
    play.stage.0.uptime.set(play.stage.0.uptime.get() + ms);
}

fn rows(outputs: &[Output]) -> Vec<(Option<u64>, SemanticState)> {
    let boards = outputs.iter().filter_map(|output| match output {
        Output::BoardChanged { upserted, .. } => Some(upserted),
        _ => None,
    });
    boards.flatten().map(|row| (row.stalled_ms, row.state)).collect()
}

fn asks(play: &mut Play, question: Question) -> Answer {
    play.tickets += 1;
    let outputs = play.coordinator.handle(vec![Input::Asked { ticket: Ticket(play.tickets), question }]);
    match outputs.into_iter().next() {
        Some(Output::Answer { answer: Ok(answer), .. }) => answer,
        other => panic!("{other:?}"),
    }
}

fn log(play: &mut Play, launch: &HostLaunch) -> Vec<LogLine> {
    let session = launch.session.0.clone();
    match asks(play, Question::Log { session, limit: 500 }) {
        Answer::Log(lines) => lines,
        other => panic!("{other:?}"),
    }
}

fn codes(play: &mut Play, launch: &HostLaunch) -> Vec<String> {
    log(play, launch).into_iter().map(|line| line.code).collect()
}

fn explained(play: &mut Play, launch: &HostLaunch) -> Explanation {
    match asks(play, Question::Explain { session: launch.session.0.clone() }) {
        Answer::Explanation(explanation) => *explanation,
        other => panic!("{other:?}"),
    }
}

fn unknown_event(launch: &HostLaunch, seq: u64) -> Input {
    let payload = format!("{{\"n\":{seq},\"api_key\":\"sk-{seq}\"}}").into_bytes();
    let adapter = AgentKind::Generic.name().to_owned();
    let report = AgentReport { token: launch.token.clone(), adapter, at_ms: UnixMs(1), payload };
    reported(HOST, seq, HostFact::AgentReported(report))
}

// Field report A4: a turn that died after a tool looked like one that works, and was taken for done by a timer.
#[test]
fn a4_five_minutes_of_silence_are_told_and_never_move_the_row() {
    let mut play = Play::new();
    play.stage.0.stalled_after.set(5 * MINUTE);
    let launch = running(&mut play);
    passes(&play, 5 * MINUTE - 1);
    assert_eq!(rows(&play.coordinator.handle(vec![Input::Tick])), []);
    passes(&play, 1);
    let outputs = play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(rows(&outputs), [(Some(5 * MINUTE), SemanticState::Working)]);
    assert_eq!(codes(&mut play, &launch), ["provider_stall"]);
    // The next minute is another badge, and no second diagnostic.
    passes(&play, MINUTE);
    assert_eq!(
        rows(&play.coordinator.handle(vec![Input::Tick])),
        [(Some(6 * MINUTE), SemanticState::Working)]
    );
    passes(&play, 1);
    assert_eq!(rows(&play.coordinator.handle(vec![Input::Tick])), []);
    // One printed byte is a sign of life.
    let outputs = play.coordinator.handle(vec![Input::HostActive { connection: HOST, at: UnixMs(1) }]);
    assert_eq!(rows(&outputs), [(None, SemanticState::Working)]);
    assert_eq!(codes(&mut play, &launch), ["provider_stall", "provider_stall_resolved"]);
    // So is an event that nobody knows.
    passes(&play, 5 * MINUTE);
    play.coordinator.handle(vec![Input::Tick]);
    play.coordinator.handle(vec![unknown_event(&launch, 2)]);
    assert_eq!(play.show(&launch.session).row.stalled_ms, None);
    let said = codes(&mut play, &launch);
    assert_eq!(&said[2..], ["provider_stall", "unread_event", "provider_stall_resolved"]);
}

#[test]
fn a4_neither_a_wall_clock_that_jumps_nor_a_host_that_is_away_stalls_anybody() {
    let mut play = Play::new();
    play.stage.0.stalled_after.set(5 * MINUTE);
    let launch = running(&mut play);
    play.stage.0.now.set(play.stage.0.now.get() + 8 * 60 * MINUTE);
    play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(play.show(&launch.session).row.stalled_ms, None);
    // Nobody can tell whether a session prints whose host is not connected.
    play.coordinator.handle(vec![Input::HostLeft { connection: HOST }]);
    passes(&play, 6 * MINUTE);
    play.coordinator.handle(vec![Input::Tick]);
    let row = play.show(&launch.session).row;
    assert_eq!((row.stalled_ms, row.state), (None, SemanticState::Working));
    assert!(row.doubt.is_some() && codes(&mut play, &launch).is_empty());
}

#[test]
fn a4_what_works_no_more_is_not_stalled_and_0_switches_it_off() {
    let mut play = Play::new();
    play.stage.0.stalled_after.set(5 * MINUTE);
    let launch = running(&mut play);
    passes(&play, 5 * MINUTE);
    play.coordinator.handle(vec![Input::Tick]);
    let outputs = play.coordinator.handle(vec![reported(HOST, 2, exit(0))]);
    assert_eq!(rows(&outputs), [(None, SemanticState::Idle)]);
    assert_eq!(codes(&mut play, &launch), ["provider_stall", "provider_stall_resolved"]);
    let mut play = Play::new();
    let launch = running(&mut play);
    passes(&play, 600 * MINUTE);
    play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(play.show(&launch.session).row.stalled_ms, None);
}

// Field report F8: logs that grow with every event of a loop, to 88 MB and more.
#[test]
fn f8_a_flood_of_events_that_nobody_knows_costs_a_few_rows_and_commits() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let path = play.directory.path().join("board.db");
    let watcher = rusqlite::Connection::open(&path).unwrap();
    // A number that changes with every commit of another connection.
    let version = || watcher.query_row("PRAGMA data_version", [], |row| row.get::<_, i64>(0)).unwrap();
    let mut commits = 0;
    let mut last = version();
    for batch in 0..200 {
        let events = (0..100).map(|n| unknown_event(&launch, 2 + batch * 100 + n));
        let outputs = play.coordinator.handle(events.collect());
        assert!(!orders(&outputs).is_empty(), "every event is acknowledged");
        passes(&play, 250);
        let now = version();
        commits += usize::from(now != last);
        last = now;
    }
    assert_eq!(commits, 1, "50 seconds of it are one commit");
    passes(&play, MINUTE);
    play.coordinator.handle(vec![Input::Tick]);
    let lines = log(&mut play, &launch);
    assert_eq!(lines.len(), 11);
    assert_eq!(lines.last().unwrap().message, "… and 19990 more");
    assert!(lines.iter().all(|line| !line.message.contains("sk-")), "no secret is kept: {lines:?}");
}

#[test]
fn errors_are_counted_until_somebody_looks_or_clears_them() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let session = launch.session.clone();
    let error = |at: u64| {
        let line = LogLine {
            at_ms: UnixMs(at),
            level: LogLevel::Error,
            source: "queue".into(),
            code: "accepted_unknown".into(),
            message: "x".into(),
        };
        (session.clone(), line)
    };
    // As a daemon before this one left them.
    let batch = Batch { notes: vec![error(10), error(20)], ..Batch::default() };
    let sessions = play.coordinator.sessions().clone();
    play.coordinator.store.commit(&batch, &sessions).unwrap();
    let (mut play, _) = play.restart();
    assert_eq!(play.show(&session).row.errors, 2);
    play.stage.0.now.set(15);
    let registration = registration(&launch, 50);
    play.coordinator.handle(vec![
        Input::HostRegistered { connection: HOST, version: 5, registration },
        reported(HOST, 2, exit(3)),
    ]);
    let visit = play.command("visit", Command::Visit { session: session.clone() });
    play.coordinator.handle(vec![visit]);
    assert_eq!(play.show(&session).row.errors, 1, "the later one was not there when somebody looked");
    let clear = play.command("clear", Command::ClearLog { session: session.clone() });
    let outputs = play.coordinator.handle(vec![clear]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }));
    assert_eq!(rows(&outputs).len(), 1, "the board learns of it");
    assert_eq!(play.show(&session).row.errors, 0);
    assert!(log(&mut play, &launch).is_empty());
    let (mut play, _) = play.restart();
    assert_eq!(play.show(&session).row.errors, 0);
}

#[test]
fn every_change_of_a_day_is_explained_also_after_a_restart() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let stop = play.command("stop", Command::Stop { session: launch.session.clone() });
    play.coordinator.handle(vec![stop, reported(HOST, 2, exit(143))]);
    let (mut play, _) = play.restart();
    let explanation = explained(&mut play, &launch);
    let changes: Vec<_> =
        explanation.changes.iter().map(|change| (change.to, change.event.as_str())).collect();
    assert_eq!(
        changes,
        [
            (SemanticState::Queued, "person: started it"),
            (SemanticState::Working, "process start: pid 51"),
            (SemanticState::Stopped, "process exit: exit code 143"),
        ]
    );
    assert_eq!(explanation.known_since_ms, None);
    let said: Vec<_> =
        explanation.evidence.iter().map(|line| (line.source.as_str(), line.what.as_str())).collect();
    assert_eq!(said.first(), Some(&("process exit", "exit code 143")));
    assert!(said.contains(&("person", "asked it to end")), "{said:?}");
    // Folding the journal tells the same as what was kept with the commits.
    let by_time = |mut story: Story| {
        story.evidence.sort_by_key(|line: &EvidenceLine| line.source.clone());
        story
    };
    let kept = play.coordinator.store.story(&launch.session).unwrap();
    let beside = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
    beside.execute_batch("DELETE FROM state_changes; DELETE FROM evidence").unwrap();
    assert_eq!(by_time(play.coordinator.store.story(&launch.session).unwrap()), by_time(kept));
}

#[test]
fn the_story_of_a_session_is_bounded_and_goes_with_it() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let sessions = play.coordinator.sessions().clone();
    let told = |n: u64| crate::model::Told {
        session: launch.session.clone(),
        at: UnixMs(n * 1000),
        voice: crate::model::Voice::Person,
        what: n.to_string(),
        change: Some(board_protocol::daemon::StateChange {
            at_ms: UnixMs(n * 1000),
            from: Some(SemanticState::Idle),
            to: SemanticState::Working,
            event: n.to_string(),
            rule: String::new(),
        }),
    };
    let batch = Batch { told: (0..3_000).map(told).collect(), ..Batch::default() };
    play.coordinator.store.commit(&batch, &sessions).unwrap();
    let story = play.coordinator.store.story(&launch.session).unwrap();
    assert_eq!(story.changes.len(), 2_000);
    assert_eq!(story.changes.last().unwrap().event, "2999");
    // Four days later only the last of these still says where it stood.
    let batch = Batch { told: vec![told(4 * 86_400)], ..Batch::default() };
    play.coordinator.store.commit(&batch, &sessions).unwrap();
    let story = play.coordinator.store.story(&launch.session).unwrap();
    let events: Vec<_> = story.changes.iter().map(|change| change.event.as_str()).collect();
    assert_eq!(events, ["2999", "345600"]);
    play.kill(50);
    let remove = play.command("rm", Command::Remove { session: launch.session.clone() });
    play.coordinator.handle(vec![remove, reported(HOST, 2, exit(0))]);
    assert!(play.coordinator.sessions().is_empty());
    let beside = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
    for table in ["state_changes", "evidence", "diagnostics"] {
        let left: i64 =
            beside.query_row(&format!("SELECT COUNT(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        assert_eq!(left, 0, "{table}");
    }
}

//! A session of pi on a real store: what its reports do to row and journal, over daemons and over lives.

use super::*;
use crate::{
    agents::{AgentKind, Prepared},
    coordinator::Preflight,
    model::is_busy,
};
use board_protocol::{
    command::{Launch, StartSession},
    host::{AgentReport, HostFact, HostLaunch},
    ids::Token,
    state::ProcessState,
};
use serde_json::json;

pub(super) const HOST: ConnectionId = ConnectionId(1);

pub(super) fn prepared(input: Input) -> Input {
    let Input::Command { ticket, envelope, environment, .. } = input else { panic!("a command") };
    let found = Prepared { program: "/bin/pi".into(), extension: "/e.ts".into(), terminals: None };
    let preflight = Some(Preflight::Passed { prepared: Some(found), worktree: None });
    Input::Command { ticket, envelope, environment, preflight }
}

pub(super) fn spawned(outputs: &[Output]) -> HostLaunch {
    let launch = outputs.iter().find_map(|output| match output {
        Output::Spawn(launch) => Some((**launch).clone()),
        _ => None,
    });
    launch.expect("a host is started")
}

fn start(play: &mut Play, prompt: &str) -> HostLaunch {
    let start = StartSession {
        name: None,
        agent: AgentKind::Pi.name().into(),
        launch: Launch::Task(prompt.into()),
        cwd: "/".into(),
        size: None,
        model: Some("fake/m".into()),
        thinking: None,
        tags: Vec::new(),
        remember: Default::default(),
    };
    let input = prepared(play.command("start", Command::Start(start)));
    spawned(&play.coordinator.handle(vec![input]))
}

fn report(launch: &HostLaunch, payload: serde_json::Value) -> AgentReport {
    let (token, payload) = (launch.token.clone(), payload.to_string().into_bytes());
    AgentReport { token, adapter: "pi".into(), at_ms: UnixMs(1), payload }
}

/// What pi says, as the event with this number of its process and of its host.
pub(super) fn says(launch: &HostLaunch, seq: u64, mut event: serde_json::Value) -> Input {
    event["boot"] = json!("b");
    event["seq"] = json!(seq);
    reported(HOST, seq, HostFact::AgentReported(report(launch, event)))
}

fn tool(launch: &HostLaunch, seq: u64, path: &str) -> Input {
    let call = format!("c{seq}");
    let event = json!({"type": "tool_execution_start", "toolCallId": call, "toolName": "edit", "args": {"path": path}});
    says(launch, seq, event)
}

/// A session whose turn runs; the next number is 4.
pub(super) fn running(play: &mut Play) -> HostLaunch {
    let launch = start(play, "fix it");
    play.host_comes(&launch, 50, HOST.0);
    play.coordinator.handle(vec![
        says(&launch, 2, json!({"type": "input", "source": "interactive", "launch": true})),
        says(&launch, 3, json!({"type": "agent_start"})),
    ]);
    launch
}

pub(super) fn journal(play: &Play) -> i64 {
    let replayed = play.coordinator.store.replay(None).unwrap();
    assert_eq!(&replayed.sessions, play.coordinator.sessions(), "replay gives the same records");
    let database = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
    database.query_row("SELECT COUNT(*) FROM journal", [], |row| row.get(0)).unwrap()
}

fn shown(outputs: &[Output]) -> Vec<String> {
    let boards = outputs.iter().filter_map(|output| match output {
        Output::BoardChanged { upserted, .. } => Some(upserted),
        _ => None,
    });
    boards.flatten().map(|row| row.summary.clone()).collect()
}

#[test]
fn a_turn_is_facts_and_what_goes_on_inside_it_is_not() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let id = launch.session.clone();
    assert_eq!(
        launch.argv,
        [
            "/bin/pi",
            "-e",
            "/e.ts",
            "--session",
            &format!("/root/sessions/{id}.jsonl"),
            "--model",
            "fake/m",
            "fix it"
        ]
    );
    let before = journal(&play);
    let outputs = play.coordinator.handle(vec![tool(&launch, 4, "src/a.rs")]);
    assert_eq!(shown(&outputs), ["Editing a.rs"], "the first is shown at once");
    assert_eq!(orders(&outputs), [&HostOrder::Acknowledge { seq: FactSeq(4) }]);
    // Ten more within the same moment: one picture, later, of the newest.
    let mut later = 0;
    for seq in 5..15 {
        play.stage.0.uptime.set(play.stage.0.uptime.get() + 10);
        let outputs = play.coordinator.handle(vec![tool(&launch, seq, &format!("src/{seq}.rs"))]);
        assert!(shown(&outputs).is_empty(), "{outputs:?}");
        later += outputs
            .iter()
            .filter(|output| matches!(output, Output::ShowLater { after_ms: 1..=250, .. }))
            .count();
    }
    assert_eq!(later, 1);
    let outputs = play.coordinator.handle(vec![Input::ShowDue { session: id.clone() }]);
    assert_eq!(shown(&outputs), ["Editing 14.rs"]);
    play.stage.0.uptime.set(play.stage.0.uptime.get() + 250);
    assert_eq!(shown(&play.coordinator.handle(vec![tool(&launch, 15, "src/z.rs")])), ["Editing z.rs"]);
    assert_eq!(journal(&play), before, "the journal does not grow with what goes on");
    play.coordinator.handle(vec![says(
        &launch,
        16,
        json!({"type": "agent_settled", "text": "Everything is green."}),
    )]);
    let row = play.show(&id).row;
    assert_eq!((row.state, row.process_state), (SemanticState::Idle, ProcessState::Exited));
    assert_eq!(row.summary, "Everything is green.");
    // The end, and what the classifier makes of the last words.
    assert_eq!(journal(&play), before + 2);
}

#[test]
fn what_a_host_says_again_after_a_daemon_restart_moves_nothing_twice() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let ask = says(
        &launch,
        4,
        json!({"type": "tool_execution_start", "toolCallId": "q", "toolName": "question", "args": {"question": "Which?"}}),
    );
    let answer = says(
        &launch,
        5,
        json!({"type": "tool_execution_end", "toolCallId": "q", "toolName": "question", "isError": false}),
    );
    play.coordinator.handle(vec![ask.clone()]);
    assert_eq!(play.show(&launch.session).row.question.as_deref(), Some("Which?"));
    let (mut play, _) = play.restart();
    let registered =
        Input::HostRegistered { connection: HOST, version: 5, registration: registration(&launch, 50) };
    play.coordinator.handle(vec![registered, ask.clone(), answer.clone()]);
    let before = journal(&play);
    play.coordinator.handle(vec![ask, answer]);
    assert_eq!(journal(&play), before);
    let detail = play.show(&launch.session);
    assert_eq!((detail.row.state, detail.row.question), (SemanticState::Working, None));
    assert_eq!(detail.agent.diagnostics, [], "a second delivery is nothing to worry about");
}

#[test]
fn a29_an_event_from_the_disk_needs_the_secret_and_a_session_that_runs() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let spooled = |session: &SessionId, token: &Token, seq: u64| {
        let event = json!({"boot": "b", "seq": seq, "type": "agent_settled", "text": "Everything is green."});
        let report = AgentReport { token: token.clone(), ..report(&launch, event) };
        let fact = HostFact::AgentReported(report);
        SpooledFact { session: session.clone(), generation: None, seq: None, at_ms: UnixMs(60), fact }
    };
    let put = |play: &Play, fact: SpooledFact| {
        play.stage.0.spool.borrow_mut().push((PathBuf::from("/spool/1"), fact));
    };
    let before = journal(&play);
    put(&play, spooled(&launch.session, &Token("guessed".into()), 9));
    put(&play, spooled(&SessionId("ffffffffff".into()), &launch.token, 9));
    play.coordinator.handle(vec![Input::Tick]);
    let detail = play.show(&launch.session);
    let codes: Vec<_> = detail.agent.diagnostics.iter().map(|line| line.code.as_str()).collect();
    assert_eq!((detail.row.state, codes), (SemanticState::Working, vec!["wrong_token"]));
    assert_eq!(journal(&play), before);
    assert!(play.stage.0.spool.borrow().is_empty(), "what was refused does not wait for ever");
    put(&play, spooled(&launch.session, &launch.token, 9));
    play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(play.show(&launch.session).row.state, SemanticState::Idle);
    play.coordinator.handle(vec![reported(HOST, 4, exit(0))]);
    put(&play, spooled(&launch.session, &launch.token, 10));
    play.coordinator.handle(vec![Input::HostEnded { session: launch.session.clone() }]);
    let detail = play.show(&launch.session);
    assert_eq!(detail.row.host_state, HostState::Exited);
    assert_eq!(detail.agent.diagnostics.last().map(|line| line.code.as_str()), Some("late_event"));
    journal(&play);
}

#[test]
fn h15_an_ended_session_resumes_once_on_its_transcript_without_its_prompt() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let id = launch.session.clone();
    play.coordinator.handle(vec![
        says(&launch, 4, json!({"type": "agent_settled", "text": "Everything is green."})),
        reported(HOST, 5, exit(0)),
    ]);
    let resume = |play: &mut Play, name: &str| {
        let input = prepared(play.command(name, Command::Resume { session: id.clone() }));
        play.coordinator.handle(vec![input])
    };
    let outputs = resume(&mut play, "r1");
    let second = spawned(&outputs);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }));
    assert_ne!((&second.generation, &second.token), (&launch.generation, &launch.token));
    let argv =
        ["/bin/pi", "-e", "/e.ts", "--session", &format!("/root/sessions/{id}.jsonl"), "--model", "fake/m"];
    assert_eq!(second.argv, argv);
    assert_eq!(second.prompt, None);
    let record = &play.coordinator.sessions()[&id];
    assert_eq!(
        (record.state, record.host.state, is_busy(record)),
        (SemanticState::Idle, HostState::Starting, false)
    );
    // Whoever comes second finds the host of whoever came first.
    let again = resume(&mut play, "r2");
    assert!(matches!(outcome(&again), CommandOutcome::Applied { .. }));
    assert!(!again.iter().any(|output| matches!(output, Output::Spawn(_))));
    // A report of the earlier life is none of this one's.
    play.coordinator.handle(vec![says(&launch, 6, json!({"type": "agent_start"}))]);
    assert_eq!(play.show(&id).row.state, SemanticState::Idle);
    play.host_comes(&second, 60, 2);
    let row = play.show(&id).row;
    assert_eq!(
        (row.state, row.process_state, row.host_state),
        (SemanticState::Idle, ProcessState::Exited, HostState::Alive)
    );
    journal(&play);
}

#[test]
fn a_long_prompt_travels_with_the_launch_until_the_agent_has_it() {
    let mut play = Play::new();
    let prompt = "x".repeat(100_000);
    let launch = start(&mut play, &prompt);
    let file = launch.prompt.clone().unwrap();
    assert_eq!((file.text.len(), file.path), (100_000, format!("/root/sessions/{}.prompt", launch.session)));
    play.host_comes(&launch, 50, HOST.0);
    play.coordinator.handle(vec![reported(HOST, 2, exit(1))]);
    // It never arrived, so it goes along once more.
    let session = launch.session.clone();
    let resume = prepared(play.command("r1", Command::Resume { session: session.clone() }));
    let second = spawned(&play.coordinator.handle(vec![resume]));
    assert_eq!(second.prompt.unwrap().text.len(), 100_000);
    assert_eq!(play.show(&session).row.state, SemanticState::Queued);
    journal(&play);
}

// Field report A4: a turn that died after a tool, without a word: no end of the turn, no failure, no prompt.
#[test]
fn a4_a_turn_that_dies_after_a_tool_is_shown_as_silent_and_never_as_done() {
    let mut play = Play::new();
    play.stage.0.stalled_after.set(300_000);
    let launch = running(&mut play);
    play.coordinator.handle(vec![tool(&launch, 4, "src/a.rs")]);
    let end = json!({"type": "tool_execution_end", "toolCallId": "c4", "toolName": "edit", "isError": false});
    play.coordinator.handle(vec![says(&launch, 5, end)]);
    let facts = journal(&play);
    for minute in 1..60_u64 {
        play.stage.0.uptime.set(play.stage.0.uptime.get() + 60_000);
        play.coordinator.handle(vec![Input::Tick]);
        let row = play.show(&launch.session).row;
        assert_eq!((row.state, row.process_state), (SemanticState::Working, ProcessState::Alive));
        assert_eq!(row.stalled_ms, (minute >= 5).then_some(minute * 60_000), "after {minute} minutes");
    }
    assert_eq!(journal(&play), facts, "silence is no fact");
    let row = play.show(&launch.session).row;
    assert!(row.busy && !row.unread, "{row:?}");
}

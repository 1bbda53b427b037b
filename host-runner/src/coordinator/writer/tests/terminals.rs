//! Terminals of agents on a real store: who may open and close them, what their hosts are told, and when they end (reference G).

use super::*;
use crate::coordinator::{Environment, Ticket, warm::WarmSettings};
use board_protocol::{
    command::{EnvVar, Pin},
    daemon::Answer,
    host::{HostFact, HostLaunch, HostRegistration},
    ids::{Size, Token},
    refusal::Refusal,
    terminals::{AgentAsk, AgentTerminal, MAX_TERMINALS, MAX_TERMINALS_PER_SESSION, OpenTerminal, Parent},
};

/// What a terminal is opened with when nothing is said about it.
pub(super) fn plain(command: &str) -> OpenTerminal {
    OpenTerminal { command: Some(command.into()), cwd: None, size: None, title: None }
}

pub(super) fn ask(play: &mut Play, session: &SessionId, token: &Token, ask: AgentAsk) -> Vec<Output> {
    play.tickets += 1;
    let shell = EnvVar { name: b"SHELL".to_vec().into(), value: b"/bin/zsh".to_vec().into() };
    let environment = Some(Environment { variables: vec![shell], taken_at: UnixMs(1) });
    play.coordinator.handle(vec![Input::AgentAsked {
        ticket: Ticket(play.tickets),
        session: session.clone(),
        token: token.clone(),
        ask,
        environment,
        preflight: None,
    }])
}

pub(super) fn answer(outputs: &[Output]) -> Result<Vec<AgentTerminal>, Refusal> {
    let mut answers = outputs.iter().filter_map(|output| match output {
        Output::Answer { answer: Ok(Answer::AgentTerminals(all)), .. } => Some(Ok(all.clone())),
        Output::Answer { answer: Err(refusal), .. } => Some(Err(refusal.clone())),
        _ => None,
    });
    answers.next_back().expect("an answer")
}

fn opening(id: &str, open: OpenTerminal) -> AgentAsk {
    AgentAsk::Open { command_id: CommandId(id.into()), open, environment: Vec::new() }
}

pub(super) fn open_as(play: &mut Play, parent: &HostLaunch, id: &str, open: OpenTerminal) -> Vec<Output> {
    ask(play, &parent.session, &parent.token, opening(id, open))
}

/// A terminal whose program runs in a host with this pid, on the connection of the same number.
pub(super) fn opened(play: &mut Play, parent: &HostLaunch, id: &str, pid: u32) -> HostLaunch {
    let launch = agent::spawned(&open_as(play, parent, id, plain("npm run dev")));
    runs(play, &launch, pid);
    launch
}

fn runs(play: &mut Play, launch: &HostLaunch, pid: u32) {
    play.stage.0.running.borrow_mut().insert(pid);
    let connection = ConnectionId(pid.into());
    let (session, generation) = (launch.session.clone(), launch.generation.clone());
    play.coordinator.handle(vec![
        Input::HostSpawned { session, generation, process: process(pid) },
        Input::HostRegistered { connection, version: 7, registration: registration(launch, pid) },
        reported(connection, 1, HostFact::ChildStarted { child: process(pid + 1) }),
    ]);
}

/// A session that runs, with a host on connection 1.
pub(super) fn parent(play: &mut Play) -> HostLaunch {
    let (launch, _) = play.start("parent");
    play.host_comes(&launch, 50, 1);
    launch
}

fn list(play: &mut Play, parent: &HostLaunch) -> Result<Vec<AgentTerminal>, Refusal> {
    answer(&ask(play, &parent.session, &parent.token, AgentAsk::List))
}

fn close(play: &mut Play, parent: &HostLaunch, id: &str, terminal: &SessionId) -> Vec<Output> {
    let close = AgentAsk::Close { command_id: CommandId(id.into()), terminal: terminal.clone() };
    ask(play, &parent.session, &parent.token, close)
}

/// A person's command, which is carried out.
pub(super) fn applied(play: &mut Play, id: &str, command: Command) -> Vec<Output> {
    let input = play.command(id, command);
    let outputs = play.coordinator.handle(vec![input]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }), "{:?}", outcome(&outputs));
    outputs
}

/// The connections of the hosts that are told to end.
pub(super) fn stopped(outputs: &[Output]) -> Vec<u64> {
    let mut told: Vec<u64> = outputs
        .iter()
        .filter_map(|output| match output {
            Output::Order { connection, order: HostOrder::Stop } => Some(connection.0),
            _ => None,
        })
        .collect();
    told.sort_unstable();
    told
}

#[test]
fn g1_an_agent_opens_a_terminal_below_its_session() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let open = OpenTerminal {
        command: Some("npm run dev".into()),
        cwd: Some("/srv".into()),
        size: Some(Size { cols: 5, rows: 9999 }),
        title: Some("dev".into()),
    };
    let outputs = open_as(&mut play, &owner, "open", open.clone());
    // What is answered is recorded and on the board, and the host is started last.
    let kinds: Vec<&str> = outputs
        .iter()
        .filter_map(|output| match output {
            Output::BoardChanged { .. } => Some("board"),
            Output::Answer { .. } => Some("answer"),
            Output::Spawn(_) => Some("spawn"),
            Output::LookForReferences(_) => panic!("nobody looks for what a terminal is about"),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, ["board", "answer", "spawn"]);
    let terminal = answer(&outputs).unwrap().remove(0);
    let launch = agent::spawned(&outputs);
    assert_eq!(launch.parent, Some(Parent { session: owner.session.clone(), token: owner.token.clone() }));
    assert_ne!(launch.token, owner.token);
    assert_eq!(launch.argv, ["/bin/zsh", "-c", "npm run dev"]);
    assert_eq!((launch.cwd.as_str(), launch.size), ("/srv", Size { cols: 20, rows: 500 }));
    assert_eq!((&terminal.id, terminal.title.as_str()), (&launch.session, "dev"));
    assert_eq!((terminal.host_state, terminal.socket.as_ref()), (HostState::Starting, Some(&launch.socket)));
    // The same again is the same terminal, also with another daemon.
    let again = open_as(&mut play, &owner, "open", open.clone());
    assert_eq!(answer(&again).unwrap(), std::slice::from_ref(&terminal));
    let (mut play, _) = play.restart();
    assert_eq!(answer(&open_as(&mut play, &owner, "open", open)).unwrap(), [terminal]);
    assert_eq!(play.coordinator.sessions().len(), 2);
    runs(&mut play, &launch, 60);
    let row = play.show(&launch.session).row;
    assert_eq!((row.parent, row.state), (Some(owner.session.clone()), SemanticState::Working));
    assert_eq!(play.show(&owner.session).row.parent, None);
    agent::journal(&play);
}

#[test]
fn g1_what_is_not_said_is_the_sessions_own() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let bare = OpenTerminal { command: None, cwd: None, size: None, title: None };
    let shell = agent::spawned(&open_as(&mut play, &owner, "one", bare.clone()));
    assert_eq!(shell.argv, ["/bin/zsh"]);
    assert_eq!((shell.cwd, shell.size, shell.name.as_str()), (owner.cwd.clone(), owner.size, "shell"));
    // Names stay apart, whatever an agent calls its terminals.
    let titled = OpenTerminal { title: Some(owner.name.clone()), ..bare };
    let second = agent::spawned(&open_as(&mut play, &owner, "two", titled));
    assert_eq!(second.name, format!("{}-2", owner.name));
}

#[test]
fn g2_a_foreign_terminal_and_a_wrong_secret_look_like_none() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let (stranger, _) = play.start("stranger");
    play.host_comes(&stranger, 70, 2);
    let terminal = opened(&mut play, &owner, "open", 60);
    let nowhere = SessionId("00000000aa".into());
    let before = play.coordinator.sessions().clone();
    let wrong = Token("guessed".into());
    // With the secret of another session, too.
    for token in [&wrong, &stranger.token, &terminal.token] {
        let open = answer(&ask(&mut play, &owner.session, token, opening("x", plain("true")))).unwrap_err();
        let unknown = answer(&ask(&mut play, &nowhere, token, AgentAsk::List)).unwrap_err();
        let list = answer(&ask(&mut play, &owner.session, token, AgentAsk::List)).unwrap_err();
        assert_eq!(open.kind, RefusalKind::UnknownSession);
        assert_eq!((&open.text, &list.text), (&unknown.text, &unknown.text));
        let close = AgentAsk::Close { command_id: CommandId("y".into()), terminal: terminal.session.clone() };
        let closed = answer(&ask(&mut play, &owner.session, token, close)).unwrap_err();
        let foreign = answer(&close_of(&mut play, &stranger, &terminal.session)).unwrap_err();
        let missing = answer(&close_of(&mut play, &stranger, &nowhere)).unwrap_err();
        assert_eq!(closed, foreign);
        let words = |refusal: &Refusal, id: &SessionId| refusal.text.replace(id.as_str(), "ID");
        assert_eq!(words(&foreign, &terminal.session), words(&missing, &nowhere));
    }
    assert_eq!(*play.coordinator.sessions(), before);
    assert_eq!(list(&mut play, &stranger).unwrap(), []);
    // A session is no terminal of its own.
    assert!(answer(&close(&mut play, &owner, "self", &owner.session)).is_err());
    // Knowing the id of somebody's command tells nothing.
    let spied = answer(&ask(&mut play, &stranger.session, &stranger.token, opening("open", plain("x"))));
    assert_eq!(spied.unwrap_err().kind, RefusalKind::UnknownSession);
}

fn close_of(play: &mut Play, parent: &HostLaunch, terminal: &SessionId) -> Vec<Output> {
    let id = format!("close {}", play.tickets);
    close(play, parent, &id, terminal)
}

#[test]
fn g2_only_the_daemon_makes_the_command() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let command = Command::OpenTerminal { parent: owner.session, open: plain("true") };
    let input = play.command("smuggled", command);
    let outputs = play.coordinator.handle(vec![input]);
    assert_eq!(answer(&outputs).unwrap_err().kind, RefusalKind::Forbidden);
    assert_eq!(play.coordinator.sessions().len(), 1);
}

#[test]
fn g2_closing_ends_a_terminal_and_takes_its_row() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let terminal = opened(&mut play, &owner, "open", 60);
    let outputs = close(&mut play, &owner, "close", &terminal.session);
    assert_eq!((answer(&outputs).unwrap(), stopped(&outputs)), (Vec::new(), vec![60]));
    assert_eq!(list(&mut play, &owner).unwrap(), [], "one that is being closed is no terminal any more");
    play.coordinator.handle(vec![reported(ConnectionId(60), 2, exit(0))]);
    assert!(!play.coordinator.sessions().contains_key(&terminal.session));
    assert_eq!(answer(&close(&mut play, &owner, "close", &terminal.session)).unwrap(), []);
    assert!(answer(&close(&mut play, &owner, "late", &terminal.session)).is_err());
    // What a person keeps is theirs to end; once it has ended, it is the agent's again.
    let kept = opened(&mut play, &owner, "kept", 80);
    applied(&mut play, "pin", Command::SetPin { session: kept.session.clone(), pin: Pin::Pinned });
    let refusal = answer(&close(&mut play, &owner, "no", &kept.session)).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Forbidden);
    play.coordinator.handle(vec![reported(ConnectionId(80), 2, exit(3))]);
    let ended = list(&mut play, &owner).unwrap().remove(0);
    assert_eq!((ended.ended.as_deref(), ended.socket), (Some("exit code 3"), None));
    assert_eq!(answer(&close(&mut play, &owner, "yes", &kept.session)).unwrap(), []);
    assert!(!play.coordinator.sessions().contains_key(&kept.session));
}

#[test]
fn g_limits_a_session_has_eight_terminals_and_the_board_sixty_four() {
    let mut play = Play::quick();
    let owner = parent(&mut play);
    let mut first = None;
    for number in 0..MAX_TERMINALS_PER_SESSION {
        let launch = agent::spawned(&open_as(&mut play, &owner, &format!("{number}"), plain("sh")));
        first.get_or_insert(launch);
    }
    let refusal = answer(&open_as(&mut play, &owner, "more", plain("sh"))).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Limit);
    assert!(refusal.text.contains("8 terminals"), "{refusal}");
    // Those that have ended do not count, and those that are being closed do.
    let first = first.unwrap();
    runs(&mut play, &first, 60);
    close(&mut play, &owner, "close", &first.session);
    assert!(answer(&open_as(&mut play, &owner, "early", plain("sh"))).is_err());
    play.coordinator.handle(vec![reported(ConnectionId(60), 2, exit(0))]);
    assert!(answer(&open_as(&mut play, &owner, "now", plain("sh"))).is_ok());
    for session in 1..MAX_TERMINALS / MAX_TERMINALS_PER_SESSION {
        let (other, _) = play.start(&format!("other {session}"));
        for number in 0..MAX_TERMINALS_PER_SESSION {
            let id = format!("{session} {number}");
            assert!(answer(&open_as(&mut play, &other, &id, plain("sh"))).is_ok(), "{id}");
        }
    }
    let (last, _) = play.start("last");
    let refusal = answer(&open_as(&mut play, &last, "one too many", plain("sh"))).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Limit);
    assert!(refusal.text.contains("64 terminals"), "{refusal}");
}

#[test]
fn g_limits_only_an_agent_that_runs_has_terminals() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let terminal = opened(&mut play, &owner, "open", 60);
    let nested = answer(&open_as(&mut play, &terminal, "nested", plain("sh"))).unwrap_err();
    assert_eq!(nested.kind, RefusalKind::Forbidden);
    applied(&mut play, "stop", Command::Stop { session: owner.session.clone() });
    let stopping = answer(&open_as(&mut play, &owner, "stopping", plain("sh"))).unwrap_err();
    play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    let ended = answer(&open_as(&mut play, &owner, "ended", plain("sh"))).unwrap_err();
    assert_eq!((stopping.kind, ended.kind), (RefusalKind::WrongState, RefusalKind::WrongState));
}

#[test]
fn g4_terminals_end_with_their_session_unless_a_person_keeps_them() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let ends = opened(&mut play, &owner, "ends", 60);
    let kept = opened(&mut play, &owner, "kept", 70);
    applied(&mut play, "pin", Command::SetPin { session: kept.session.clone(), pin: Pin::Pinned });
    let outputs = play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    assert_eq!(stopped(&outputs), [60]);
    play.coordinator.handle(vec![reported(ConnectionId(60), 2, exit(0))]);
    // It stays below its session.
    let row = play.show(&ends.session).row;
    assert_eq!((row.parent.as_ref(), row.host_state), (Some(&owner.session), HostState::Exited));
    assert!(!row.unread, "what it says is said to its agent");
    assert_eq!(play.show(&kept.session).row.host_state, HostState::Alive);
    // Whoever does not keep it any more ends it.
    let unpin = Command::SetPin { session: kept.session.clone(), pin: Pin::Unpinned };
    let outputs = applied(&mut play, "unpin", unpin);
    assert_eq!(stopped(&outputs), [70]);
    assert!(
        matches!(outcome(&outputs), CommandOutcome::Applied { notice: Some(notice), .. } if notice.contains("nobody keeps it"))
    );
    agent::journal(&play);
}

#[test]
fn g4_a_session_that_is_stopped_stops_its_terminals_with_it() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    opened(&mut play, &owner, "open", 60);
    let outputs = applied(&mut play, "stop", Command::Stop { session: owner.session });
    assert_eq!(stopped(&outputs), [1, 60]);
}

#[test]
fn g4_removing_a_session_takes_its_terminals_and_leaves_what_is_kept_as_a_row_of_its_own() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let ended = opened(&mut play, &owner, "ended", 60);
    let runs = opened(&mut play, &owner, "runs", 70);
    let kept = opened(&mut play, &owner, "kept", 80);
    play.coordinator.handle(vec![reported(ConnectionId(60), 2, exit(0))]);
    applied(&mut play, "pin", Command::SetPin { session: kept.session.clone(), pin: Pin::Pinned });
    let outputs = applied(&mut play, "rm", Command::Remove { session: owner.session.clone() });
    assert_eq!(stopped(&outputs), [1, 70]);
    let outputs = play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    let gone = outputs.iter().find_map(|output| match output {
        Output::BoardChanged { removed, upserted, .. } => Some((removed, upserted)),
        _ => None,
    });
    let (removed, upserted) = gone.expect("the board changes");
    assert!(removed.contains(&owner.session) && removed.contains(&ended.session), "{removed:?}");
    let own = upserted.iter().find(|row| row.id == kept.session).expect("its row is another now");
    assert_eq!(own.parent, None);
    play.coordinator.handle(vec![reported(ConnectionId(70), 2, exit(0))]);
    let left: Vec<&SessionId> = play.coordinator.sessions().keys().collect();
    assert_eq!(left, [&kept.session], "{:?}", runs.session);
    // As such it may be unpinned, put on hold, and run again once it has ended.
    let session = kept.session.clone();
    let outputs =
        applied(&mut play, "unpin", Command::SetPin { session: session.clone(), pin: Pin::Unpinned });
    assert_eq!(stopped(&outputs), [0; 0]);
    applied(&mut play, "aside", Command::MarkHolding { session: session.clone() });
    play.coordinator.handle(vec![reported(ConnectionId(80), 2, exit(0)), Input::Tick]);
    let outputs = applied(&mut play, "again", Command::Rerun { session });
    assert_eq!(agent::spawned(&outputs).parent, None);
    agent::journal(&play);
}

#[test]
fn g4_a_daemon_that_comes_back_ends_what_has_lost_its_session_meanwhile() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let terminal = opened(&mut play, &owner, "open", 60);
    play.kill(50);
    play.kill(51);
    let (mut play, _) = play.restart();
    assert_eq!(play.show(&owner.session).row.host_state, HostState::Failed);
    let outputs = play.coordinator.handle(vec![Input::HostRegistered {
        connection: ConnectionId(60),
        version: 7,
        registration: HostRegistration { child: Some(process(61)), ..registration(&terminal, 60) },
    }]);
    assert_eq!(stopped(&outputs), [60]);
}

#[test]
fn g4_a_kept_terminal_goes_on_knowing_its_session_in_the_next_life() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let kept = opened(&mut play, &owner, "kept", 60);
    applied(&mut play, "pin", Command::SetPin { session: kept.session.clone(), pin: Pin::Pinned });
    play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    let again = applied(&mut play, "again", Command::Rerun { session: owner.session.clone() });
    assert_eq!(agent::spawned(&again).token, owner.token);
    assert_eq!(list(&mut play, &owner).unwrap().len(), 1);
    // Without one, another life has another secret.
    let (other, _) = play.start("other");
    play.host_comes(&other, 90, 9);
    play.coordinator.handle(vec![reported(ConnectionId(9), 2, exit(0))]);
    let again = applied(&mut play, "other again", Command::Rerun { session: other.session });
    assert_ne!(agent::spawned(&again).token, other.token);
}

#[test]
fn g3_a_terminal_has_no_verdict_and_is_not_run_again_by_a_person() {
    let mut play = Play::new();
    let owner = parent(&mut play);
    let terminal = opened(&mut play, &owner, "open", 60).session;
    for (id, command) in [
        ("done", Command::MarkCompleted { session: terminal.clone() }),
        ("aside", Command::MarkHolding { session: terminal.clone() }),
    ] {
        let input = play.command(id, command);
        let CommandOutcome::Refused(refusal) = outcome(&play.coordinator.handle(vec![input])) else {
            panic!("{id}")
        };
        assert_eq!(refusal.kind, RefusalKind::WrongState);
        assert!(refusal.text.contains(&owner.name) && refusal.text.contains("pin it"), "{refusal}");
    }
    play.coordinator.handle(vec![reported(ConnectionId(60), 2, exit(0))]);
    let input = play.command("again", Command::Rerun { session: terminal });
    let CommandOutcome::Refused(refusal) = outcome(&play.coordinator.handle(vec![input])) else { panic!() };
    assert_eq!(refusal.kind, RefusalKind::WrongState);
}

#[test]
fn g3_nobody_is_told_about_a_terminal_and_none_of_it_is_collected() {
    use crate::coordinator::notify::{NoticeSettings, Wanted};
    let mut play = Play::new();
    play.stage.0.notices.set(NoticeSettings { wanted: Wanted::Yes, quiet: None });
    play.stage.0.stalled_after.set(10_000);
    let owner = parent(&mut play);
    let terminal = opened(&mut play, &owner, "open", 60);
    play.stage.0.uptime.set(600_000);
    play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(play.show(&terminal.session).row.stalled_ms, None);
    assert!(play.show(&owner.session).row.stalled_ms.is_some(), "the session itself may stall");
    let outputs = play.coordinator.handle(vec![reported(ConnectionId(60), 2, exit(1))]);
    let told = |output: &Output| matches!(output, Output::NoticeLater { .. } | Output::LookForReferences(_));
    assert!(!outputs.iter().any(told), "{outputs:?}");
    let preferences = play.coordinator.store.launch_preferences(None).unwrap();
    assert_eq!(preferences.directories.iter().map(|directory| directory.uses).sum::<u64>(), 1);
}

#[test]
fn g4_neither_a_terminal_nor_a_session_that_has_one_gives_its_process_back() {
    use serde_json::json;
    let mut play = Play::new();
    play.stage.0.now.set(1_000_000);
    let owner = agent::running(&mut play);
    play.stage.0.warm.set(Some(WarmSettings { max: 4, ttl_ms: 600_000, grace_ms: 0 }));
    // Opening one from inside a session is no occasion to end others.
    opened(&mut play, &owner, "open", 60);
    play.coordinator.handle(vec![
        agent::says(&owner, 4, json!({"type": "message_end", "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}], "usage": {"input": 1, "output": 1}}})),
        agent::says(&owner, 5, json!({"type": "agent_settled"})),
        agent::says(&owner, 6, json!({"type": "editor", "state": "empty"})),
    ]);
    play.stage.0.now.set(9_000_000);
    let reclaims = |outputs: &[Output]| {
        orders(outputs).into_iter().filter(|order| **order == HostOrder::Reclaim).count()
    };
    assert_eq!(reclaims(&play.coordinator.handle(vec![Input::Sweep])), 0);
    // Without it, this very session is one that gives it back.
    play.coordinator.handle(vec![reported(ConnectionId(60), 2, exit(0))]);
    assert_eq!(reclaims(&play.coordinator.handle(vec![Input::Sweep])), 1);
}

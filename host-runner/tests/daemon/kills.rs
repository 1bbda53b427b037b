//! SIGKILL of a real daemon at 500 random points of a random command load, over its real socket.
//!
//! It proves what a crash of the process may not cost: every command that was answered is there, none is there twice, the
//! records are what the journal folds into, and no row claims to run what does not. That a commit survives a power cut it
//! cannot show, because the kernel keeps what a killed process wrote; `tests/faults` does that below SQLite.

use crate::support::{Board, PATIENCE, end};
use board_protocol::{
    command::{Command, CommandEnvelope, CommandOutcome, Launch, Pin, ReplyDelivery, StartSession},
    daemon::{Answer, FromDaemon, Request, ToDaemon},
    hello::{COORDINATOR_PROTOCOL, Role},
    ids::{CommandId, SessionId, Size, UnixMs},
    state::{CommandSource, HostState, SemanticState},
};
use host_runner::{
    client::{DaemonClient, StartPolicy},
    model::{Fact, FactKind, apply},
    process,
    store::{Batch, Store},
    wire::Connection,
};
use rustix::process::Signal;
use std::{
    cell::Cell,
    collections::BTreeMap,
    process::{Child, Stdio},
    sync::{Arc, Mutex, mpsc},
    time::{Duration, Instant},
};

/// Kills in all, over boards that work at the same time.
const POINTS: u64 = 500;
/// Boards at the same time.
const BOARDS: u64 = 4;
/// Clients that command at the same time.
const CLIENTS: u64 = 3;
/// Most answers before a kill.
const MOST_ANSWERS: u64 = 24;
/// Longest wait between the last of these answers and the kill: longer than a commit takes.
const MOST_MICROS: u64 = 6_000;
/// Sessions of a board at once.
const SESSIONS: usize = 8;
/// After so many kills old facts are put into the journal, so that kills hit its shortening, too.
const REFILL_EVERY: u64 = 50;

/// Random numbers that a seed repeats.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }
}

/// A command and what was said about it.
#[derive(Debug, Clone)]
struct Sent {
    id: CommandId,
    command: Command,
    outcome: Option<CommandOutcome>,
}

/// Facts of one command carry a name of its own.
fn mark(seed: u64, client: u64, n: u64) -> String {
    format!("m{seed}-{client}-{n}")
}

fn random_command(dice: &mut Dice, sessions: &[SessionId], mark: String) -> Command {
    // A third of them stays, so that rows run while their daemon is killed.
    let program: &[&str] = if dice.below(3) == 0 { &["sleep", "1000"] } else { &["true"] };
    let start = |name| {
        Command::Start(StartSession {
            name: Some(name),
            agent: "generic".into(),
            launch: Launch::Argv(program.iter().map(|&word| word.to_owned()).collect()),
            cwd: "/".into(),
            size: Some(Size::DEFAULT),
            model: None,
            thinking: None,
        })
    };
    let Some(session) = sessions.get(dice.below(sessions.len().max(1) as u64) as usize).cloned() else {
        return start(mark);
    };
    match dice.below(100) {
        0..4 if sessions.len() < SESSIONS => start(mark),
        4..7 if sessions.len() > SESSIONS / 2 => Command::Remove { session },
        7..10 => Command::Stop { session },
        10..20 => {
            Command::SetPin { session, pin: if dice.below(2) == 0 { Pin::Pinned } else { Pin::Unpinned } }
        }
        20..25 => Command::Visit { session },
        25..28 => Command::MarkHolding { session },
        28..30 => Command::MarkCompleted { session },
        30..33 => Command::ClearHolding { session },
        33..48 => {
            let delivery = if dice.below(2) == 0 { ReplyDelivery::Auto } else { ReplyDelivery::Queue };
            Command::Reply { session, text: mark, delivery }
        }
        48..51 => Command::ClearQueue { session },
        51..60 => Command::Tag { session, add: vec![mark], remove: Vec::new() },
        _ => Command::Rename { session, name: mark },
    }
}

fn request(sent: &Sent) -> Request {
    Request::Command(Box::new(CommandEnvelope {
        command_id: sent.id.clone(),
        command: sent.command.clone(),
        environment: Some(Vec::new()),
        source: CommandSource::Person,
        expected_revision: None,
    }))
}

/// Commands until the daemon is gone; gives everything that was sent, and says so at each answer.
fn client(
    mut connection: Connection,
    mut dice: Dice,
    (seed, number): (u64, u64),
    known: &Mutex<Vec<SessionId>>,
    answered: &mpsc::Sender<()>,
) -> Vec<Sent> {
    let mut all = Vec::new();
    for n in 0.. {
        let sessions = known.lock().unwrap().clone();
        let command = random_command(&mut dice, &sessions, mark(seed, number, n));
        let mut sent = Sent { id: CommandId(mark(seed, number, n)), command, outcome: None };
        let asked = ToDaemon::Ask { id: n, request: request(&sent) };
        let answer = connection.send(&asked).and_then(|()| connection.receive(PATIENCE));
        match answer {
            Ok(FromDaemon::Answer { answer: Ok(Answer::Outcome(outcome)), .. }) => {
                if let (Command::Start(_), CommandOutcome::Applied { session, .. }) =
                    (&sent.command, &outcome)
                {
                    known.lock().unwrap().push(session.clone());
                }
                if let (Command::Remove { session }, CommandOutcome::Applied { .. }) =
                    (&sent.command, &outcome)
                {
                    known.lock().unwrap().retain(|id| id != session);
                }
                sent.outcome = Some(outcome);
                all.push(sent);
                let _ = answered.send(());
            }
            Ok(other) => panic!("{other:?}"),
            Err(_) => {
                all.push(sent);
                return all;
            }
        }
    }
    all
}

/// The marks in facts of the journal behind `after`, each as often as it is there, and the newest number.
fn marks(board: &Board, after: i64) -> (BTreeMap<String, u32>, i64) {
    let connection = rusqlite::Connection::open(board.root.database()).unwrap();
    let mut statement =
        connection.prepare("SELECT seq, fact FROM journal WHERE seq > ?1 ORDER BY seq").unwrap();
    let mut rows = statement.query([after]).unwrap();
    let (mut found, mut newest) = (BTreeMap::new(), after);
    while let Some(row) = rows.next().unwrap() {
        newest = row.get(0).unwrap();
        let fact: Fact = serde_json::from_str(&row.get::<_, String>(1).unwrap()).unwrap();
        match fact.kind {
            FactKind::SessionRenamed { name } => *found.entry(name).or_default() += 1,
            FactKind::ReplyQueued { text, .. } => *found.entry(text).or_default() += 1,
            FactKind::SessionBegun(begun) => *found.entry(begun.name).or_default() += 1,
            _ => {}
        }
    }
    (found, newest)
}

/// Old facts of one old session, so many that the journal is shortened in several steps.
fn refill(board: &Board) {
    let _still = board.lock();
    let mut opened = Store::open(&board.root.database(), "test").unwrap();
    let mut sessions = opened.loaded.sessions;
    let Some(session) = sessions.keys().next().cloned() else { return };
    for batch in 0..4 {
        let facts: Vec<Fact> = (0..600)
            .map(|n| Fact {
                session: session.clone(),
                at: UnixMs(1000),
                kind: FactKind::SessionRenamed { name: format!("old {batch} {n} {}", "x".repeat(60)) },
            })
            .collect();
        facts.iter().for_each(|fact| apply(&mut sessions, fact));
        opened.store.commit(&Batch { facts, ..Batch::default() }, &sessions).unwrap();
    }
}

/// Kills a daemon, and keeps every other one from the store, which is looked at next, while the result lives.
fn kill(board: &Board, daemon: &mut Child) -> std::fs::File {
    // Hosts must not start the next daemon.
    std::fs::write(board.root.shutdown_marker(), "").unwrap();
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    board.lock()
}

/// A daemon that is a child of this test. A host may have missed the last one and started its own in the moment in which
/// the marker was gone: that one is ended, and it is tried again.
fn daemon(board: &Board) -> Child {
    loop {
        let mut child = board.command(&["daemon"]).stderr(Stdio::null()).spawn().unwrap();
        let pid = child.id();
        let serving = Cell::new(None);
        board.until("a daemon answers", || {
            serving.set(Connection::connect(&board.root.daemon_socket()).ok().and_then(|mut connection| {
                let welcome = connection.greet(COORDINATOR_PROTOCOL, Role::Cli, None).ok()?;
                Some(welcome.process)
            }));
            serving.get().is_some()
        });
        match serving.get() {
            Some(process) if process.pid == pid => return child,
            Some(other) => {
                std::fs::write(board.root.shutdown_marker(), "").unwrap();
                if process::is_running(other) {
                    end(other, Signal::KILL);
                }
                let _ = child.kill();
                child.wait().unwrap();
            }
            None => unreachable!("it answered"),
        }
    }
}

/// One kill, and everything that must hold after it.
fn point(board: &Board, seed: u64, known: &Arc<Mutex<Vec<SessionId>>>, newest: &mut i64) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut daemon = daemon(board);
    nobody_claims_to_run(board, seed);
    let (answered, answers) = mpsc::channel();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let (connection, answered) = (board.connection(Role::Cli), answered.clone());
            let (dice, known) = (Dice(dice.below(1 << 40) << 8 | number << 1 | 1), Arc::clone(known));
            std::thread::spawn(move || client(connection, dice, (seed, number), &known, &answered))
        })
        .collect();
    for _ in 0..dice.below(MOST_ANSWERS) {
        answers.recv_timeout(PATIENCE).unwrap();
    }
    let end = Instant::now() + Duration::from_micros(dice.below(MOST_MICROS));
    while Instant::now() < end {
        std::hint::spin_loop();
    }
    let still = kill(board, &mut daemon);
    let sent: Vec<Sent> = clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
    let (answered, lost): (Vec<_>, Vec<_>) = sent.into_iter().partition(|sent| sent.outcome.is_some());

    let opened = Store::open(&board.root.database(), "test").unwrap();
    assert_eq!(opened.loaded.warnings, Vec::<String>::new(), "seed {seed}");
    let replayed = opened.store.replay(None).unwrap();
    assert_eq!(replayed.sessions, opened.loaded.sessions, "seed {seed}: the records are the journal's fold");
    assert_eq!(replayed.unreadable, Vec::<i64>::new());
    for Sent { id, outcome, .. } in &answered {
        assert_eq!(&opened.store.outcome(id).unwrap(), outcome, "seed {seed}: {id:?} was answered");
    }
    let (found, now) = marks(board, *newest);
    *newest = now;
    for Sent { id, command, outcome } in &answered {
        let leaves_a_mark =
            matches!(command, Command::Rename { .. } | Command::Reply { .. } | Command::Start(_))
                && matches!(outcome, Some(CommandOutcome::Applied { .. }));
        if leaves_a_mark {
            assert_eq!(found.get(&id.0), Some(&1), "seed {seed}: {id:?} is there once");
        }
    }
    for Sent { id, .. } in &lost {
        let kept = opened.store.outcome(id).unwrap();
        let times = found.get(&id.0).copied().unwrap_or(0);
        assert!(times <= 1, "seed {seed}: {id:?} {times} times");
        // Its facts and its outcome commit together, or not at all.
        assert!(times == 0 || matches!(kept, Some(CommandOutcome::Applied { .. })), "seed {seed}: {id:?}");
    }
    drop(opened);
    learn(board, known);
    drop(still);
    // Not after every kill: the next one has its turn sooner.
    if seed.is_multiple_of(5) {
        say_again(board, seed, &answered, &lost, known, newest);
    }
}

/// What was sent before is sent again to the next daemon: answered as it was, and nothing happens twice.
fn say_again(
    board: &Board,
    seed: u64,
    answered: &[Sent],
    lost: &[Sent],
    known: &Mutex<Vec<SessionId>>,
    newest: &mut i64,
) {
    let mut daemon = daemon(board);
    let mut connection = board.connection(Role::Cli);
    for sent in answered.iter().chain(lost) {
        connection.send(&ToDaemon::Ask { id: 1, request: request(sent) }).unwrap();
        match connection.receive(PATIENCE).unwrap() {
            FromDaemon::Answer { answer: Ok(Answer::Outcome(outcome)), .. } => {
                assert_eq!(sent.outcome.as_ref().unwrap_or(&outcome), &outcome, "seed {seed}: {sent:?}");
            }
            other => panic!("{other:?}"),
        }
    }
    let still = kill(board, &mut daemon);
    let (found, now) = marks(board, *newest);
    *newest = now;
    let again = answered.iter().filter(|sent| found.contains_key(&sent.id.0)).count();
    assert_eq!(again, 0, "seed {seed}: an answered command left its mark once more");
    learn(board, known);
    drop(still);
}

/// The sessions that there are: a start whose answer was lost may have made one all the same.
fn learn(board: &Board, known: &Mutex<Vec<SessionId>>) {
    let opened = Store::open(&board.root.database(), "test").unwrap();
    *known.lock().unwrap() = opened.loaded.sessions.keys().cloned().collect();
}

/// A daemon that has just started: what it shows as running has a process that runs.
fn nobody_claims_to_run(board: &Board, seed: u64) {
    let client = || DaemonClient::connect(&board.root, Role::Cli, StartPolicy::Never).unwrap();
    let rows = client().board().unwrap().rows;
    for (session, row) in rows {
        if row.state != SemanticState::Working {
            continue;
        }
        // A reply lifts a row from hold whose host has not reported yet; that host comes, or the row fails.
        let has_host = matches!(row.host_state, HostState::Starting | HostState::Alive | HostState::Stopping);
        assert!(has_host, "seed {seed}: {row:?}");
        // A program that ends just now leaves its row a moment later.
        board.until(&format!("seed {seed}: {session} runs, or does not say so"), || {
            let Ok(Answer::Session(detail)) = client().ask(Request::Show { session: session.0.clone() })
            else {
                return true;
            };
            let alive = |process: Option<_>| process.is_some_and(process::is_running);
            detail.row.state != SemanticState::Working
                || alive(detail.child)
                || alive(detail.host.map(|host| host.process))
        });
    }
}

// Reference C.10, flows 6 and 7, and I.5 A7b: ids are not repeated, replay heals.
#[test]
fn a_daemon_that_is_killed_at_500_points_loses_and_repeats_nothing() {
    let boards: Vec<_> = (0..BOARDS)
        .map(|number| {
            std::thread::spawn(move || {
                // On a disk most kills hit a commit that waits for it, in memory what comes before and after.
                let board = if number % 2 == 0 { Board::new() } else { Board::in_memory() };
                let (known, mut newest) = (Arc::default(), 0);
                for n in 0..POINTS / BOARDS {
                    let seed = number * 1_000_000 + n + 1;
                    if n % REFILL_EVERY == REFILL_EVERY / 2 {
                        refill(&board);
                    }
                    // Shown when it fails.
                    println!("board {number}, seed {seed}");
                    point(&board, seed, &known, &mut newest);
                }
            })
        })
        .collect();
    for board in boards {
        board.join().unwrap();
    }
}

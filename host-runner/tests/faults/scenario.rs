//! One life of a board on a disk that fails at its n-th operation, for every n.
//!
//! Two daemons one after the other start sessions, hear of their hosts, name, tag, stop and remove them, and shorten the
//! journal. Whatever the disk does: what was answered is there, and what was not is there whole or not at all.

use super::{
    disk::{self, Left, Plan},
    stage::{Stage, input},
    vfs,
};
use board_protocol::{
    command::{Command, CommandOutcome, Launch, StartSession},
    daemon::Answer,
    hello::COORDINATOR_PROTOCOL,
    host::{Exit, HostFact, HostLaunch, HostOrder, HostRegistration},
    ids::{CommandId, FactSeq, ProcessIdentity, SessionId, UnixMs},
};
use host_runner::{
    coordinator::{ConnectionId, Coordinator, Input, Output, World},
    model::{Fact, FactKind},
    store::{KEPT_MS, Store},
};
use std::{
    collections::BTreeMap,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

/// What was promised to somebody.
#[derive(Debug, Default)]
struct Promises {
    /// Every command that was sent, with its outcome if it was answered.
    commands: BTreeMap<String, Option<CommandOutcome>>,
    /// The newest fact that each host was told is kept.
    acknowledged: BTreeMap<SessionId, FactSeq>,
    /// Rows that the board showed, at their newest revision.
    shown: BTreeMap<SessionId, u64>,
}

struct Life<'a> {
    path: &'a Path,
    stage: Stage,
    promises: Promises,
}

impl Life<'_> {
    /// A daemon starts; the disk may keep it from that, and then the next one tries.
    fn daemon(&self) -> Option<Coordinator<Stage>> {
        let opened = (0..60).find_map(|_| Store::open(&self.path.join("board.db"), "aside").ok())?;
        assert_eq!(opened.loaded.warnings, Vec::<String>::new());
        let mut coordinator = Coordinator::new(self.stage.clone(), opened, Vec::new());
        coordinator.boot();
        Some(coordinator)
    }

    fn hear(&mut self, outputs: &[Output], ids: &[&str], hosts: &[(ConnectionId, SessionId)]) {
        let mut ids = ids.iter();
        for output in outputs {
            match output {
                Output::Answer { answer: Ok(Answer::Outcome(outcome)), .. } => {
                    let id = ids.next().unwrap();
                    self.promises.commands.insert((*id).to_owned(), Some(outcome.clone()));
                }
                Output::Answer { .. } => {
                    ids.next().unwrap();
                }
                Output::Order { connection, order: HostOrder::Acknowledge { seq } } => {
                    let (_, session) = hosts.iter().find(|(known, _)| known == connection).unwrap();
                    self.promises.acknowledged.insert(session.clone(), *seq);
                }
                Output::BoardChanged { upserted, .. } => {
                    self.promises.shown.extend(upserted.iter().map(|row| (row.id.clone(), row.revision)));
                }
                _ => {}
            }
        }
    }

    fn command(&mut self, coordinator: &mut Coordinator<Stage>, id: &str, command: Command) -> Vec<Output> {
        self.promises.commands.entry(id.to_owned()).or_default();
        let outputs = coordinator.handle(vec![input(id, command)]);
        self.hear(&outputs, &[id], &[]);
        outputs
    }

    /// A session that begins, and its host.
    fn start(
        &mut self,
        coordinator: &mut Coordinator<Stage>,
        id: &str,
        connection: u64,
    ) -> Option<HostLaunch> {
        let start = StartSession {
            name: Some(id.into()),
            agent: "generic".into(),
            launch: Launch::Task("make ".repeat(60)),
            cwd: "/".into(),
            size: None,
            model: None,
            thinking: None,
            tags: Vec::new(),
            remember: Default::default(),
        };
        let outputs = self.command(coordinator, id, Command::Start(start));
        let launch = outputs.into_iter().find_map(|output| match output {
            Output::Spawn(launch) => Some(*launch),
            _ => None,
        })?;
        let process = |pid| ProcessIdentity { pid, start_ticks: 1 };
        let (session, generation) = (launch.session.clone(), launch.generation.clone());
        let hosts = [(ConnectionId(connection), session.clone())];
        let registration = HostRegistration {
            session: session.clone(),
            generation: generation.clone(),
            token: launch.token.clone(),
            process: process(50),
            child: None,
            socket: launch.socket.clone(),
            size: launch.size,
            attached: Vec::new(),
            text_field: None,
            waits: Vec::new(),
        };
        let connection = ConnectionId(connection);
        let outputs = coordinator.handle(vec![
            Input::HostSpawned { session, generation, process: process(50) },
            Input::HostRegistered { connection, version: COORDINATOR_PROTOCOL.newest, registration },
            Input::HostReported {
                connection,
                seq: FactSeq(1),
                at: UnixMs(5),
                fact: HostFact::ChildStarted { child: process(51) },
            },
        ]);
        self.hear(&outputs, &[], &hosts);
        Some(launch)
    }

    /// The first daemon's time, and the second one's two days later.
    fn live(&mut self) {
        let Some(mut coordinator) = self.daemon() else { return };
        let one = self.start(&mut coordinator, "start one", 1);
        let two = self.start(&mut coordinator, "start two", 2);
        if let Some(launch) = &one {
            self.use_it(&mut coordinator, launch);
        }
        drop(coordinator);
        self.stage.now.fetch_add(2 * KEPT_MS, Ordering::Relaxed);
        self.shorten();
        let Some(mut coordinator) = self.daemon() else { return };
        if let Some(launch) = &two {
            let session = launch.session.clone();
            self.command(
                &mut coordinator,
                "late name",
                Command::Rename { session, name: "late name".into() },
            );
        }
        if let Some(launch) = &one {
            let session = launch.session.clone();
            self.command(&mut coordinator, "remove one", Command::Remove { session });
        }
        self.start(&mut coordinator, "start three", 3);
    }

    fn use_it(&mut self, coordinator: &mut Coordinator<Stage>, launch: &HostLaunch) {
        let session = launch.session.clone();
        let name = |name: &str| Command::Rename { session: session.clone(), name: name.into() };
        self.command(coordinator, "name a", name("name a"));
        // Two commands and a fact that share one commit.
        let tag = Command::Tag { session: session.clone(), add: vec!["tag".into()], remove: Vec::new() };
        for id in ["name b", "tag"] {
            self.promises.commands.entry(id.to_owned()).or_default();
        }
        let exited = HostFact::ChildExited {
            exit: Exit::Code(3),
            last_screen: "the end".repeat(400),
            strays: Vec::new(),
        };
        let hosts = [(ConnectionId(1), session.clone())];
        let outputs = coordinator.handle(vec![
            input("name b", name("name b")),
            input("tag", tag),
            Input::HostReported { connection: ConnectionId(1), seq: FactSeq(2), at: UnixMs(9), fact: exited },
        ]);
        self.hear(&outputs, &["name b", "tag"], &hosts);
        // Refused, and that is remembered, too.
        self.command(coordinator, "stop", Command::Stop { session });
    }

    /// What the coordinator does in a quiet moment, without the growth that it waits for.
    fn shorten(&self) {
        let Some(mut opened) = (0..60).find_map(|_| Store::open(&self.path.join("board.db"), "aside").ok())
        else {
            return;
        };
        let _ = opened.store.prune(self.stage.now(), &opened.loaded.sessions);
    }

    /// The disk is whole again: everything that was promised is there.
    fn check(&self, what: &str) {
        let opened = Store::open(&self.path.join("board.db"), "aside").unwrap();
        assert_eq!(opened.loaded.warnings, Vec::<String>::new(), "{what}");
        assert!(!self.path.join("board.db.damaged-aside").exists(), "{what}");
        let replayed = opened.store.replay(None).unwrap();
        assert_eq!(replayed.unreadable, Vec::<i64>::new(), "{what}");
        assert_eq!(replayed.sessions, opened.loaded.sessions, "{what}: the records are the fold");
        for (id, promised) in &self.promises.commands {
            let kept = opened.store.outcome(&CommandId(id.clone())).unwrap();
            if promised.is_some() {
                assert_eq!(&kept, promised, "{what}: \"{id}\" was answered");
            }
        }
        for (session, seq) in &self.promises.acknowledged {
            match opened.loaded.sessions.get(session) {
                Some(record) => {
                    assert!(record.host.last_fact >= *seq, "{what}: a host was told that {seq:?} is kept")
                }
                None => assert!(opened.store.ever_knew(session).unwrap(), "{what}"),
            }
        }
        for (session, revision) in &self.promises.shown {
            match opened.loaded.sessions.get(session) {
                Some(record) => {
                    assert!(record.revision >= *revision, "{what}: the board showed more than is kept")
                }
                None => assert!(opened.store.ever_knew(session).unwrap(), "{what}"),
            }
        }
        self.check_whole(what, &opened.store);
    }

    /// Names that commands gave are in the journal or the records exactly if the command has an outcome.
    fn check_whole(&self, what: &str, store: &Store) {
        let connection = rusqlite::Connection::open(self.path.join("board.db")).unwrap();
        let whole: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(whole, "ok", "{what}");
        let mut statement = connection.prepare("SELECT fact FROM journal").unwrap();
        let facts = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let mut names: BTreeMap<String, u32> = BTreeMap::new();
        for fact in facts {
            match serde_json::from_str::<Fact>(&fact.unwrap()).unwrap().kind {
                FactKind::SessionRenamed { name } => *names.entry(name).or_default() += 1,
                FactKind::SessionBegun(begun) => *names.entry(begun.name).or_default() += 1,
                _ => {}
            }
        }
        for (name, times) in &names {
            assert_eq!(*times, 1, "{what}: \"{name}\" happened twice");
            let outcome = store.outcome(&CommandId(name.clone())).unwrap();
            assert!(
                matches!(outcome, Some(CommandOutcome::Applied { .. })),
                "{what}: \"{name}\" is half applied"
            );
        }
        // Nothing is shortened before the second daemon's time, so the first one's must all be there until then.
        if !names.is_empty() && names.contains_key("start one") {
            for id in ["name a", "name b"] {
                let applied = store.outcome(&CommandId(id.into())).unwrap().is_some();
                assert_eq!(names.contains_key(id), applied, "{what}: \"{id}\"");
            }
        }
    }
}

/// One life on a fresh disk with a plan; gives how many operations there were, and how much was promised.
fn run(plan: Plan, left: Left, what: &str) -> (u64, usize) {
    vfs::install();
    // What is durable is what the test's disk says: where there is memory for it, no real disk is kept busy.
    let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let disk = disk::insert(directory.path(), plan);
    let mut life = Life { path: directory.path(), stage: Stage::default(), promises: Promises::default() };
    life.live();
    let operations = {
        let mut disk = disk.lock().unwrap();
        let operations = disk.operations();
        // Without a cut the power stays on, and everything reaches the disk in the end.
        let left = if disk.is_dead() { left } else { Left::All };
        disk.recover(left);
        operations
    };
    // The index of the log is memory, and a machine that lost its power has none.
    let _ = std::fs::remove_file(directory.path().join("board.db-shm"));
    life.check(what);
    disk::eject(directory.path());
    (operations, life.promises.commands.values().filter(|outcome| outcome.is_some()).count())
}

/// The same for every operation of the life.
fn run_all(plan: impl Fn(u64) -> Plan + Sync, left: impl Fn(u64) -> Left + Sync) {
    let (operations, promised) = run(Plan::Nothing, Left::All, "nothing fails");
    assert_eq!(promised, 9, "every command of the scenario is answered on a healthy disk");
    assert!(operations > 100, "{operations} operations are no scenario");
    let (next, fewest) = (AtomicU64::new(1), AtomicU64::new(u64::MAX));
    // Both cores: each life has a disk of its own.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at > operations {
                        return;
                    }
                    let (_, promised) = run(plan(at), left(at), &format!("{:?}, {:?}", plan(at), left(at)));
                    fewest.fetch_min(promised as u64, Ordering::Relaxed);
                }
            });
        }
    });
    assert!(fewest.into_inner() < promised as u64, "no operation that failed cost an answer: was one tried?");
}

#[test]
fn one_operation_fails_and_the_daemon_goes_on() {
    run_all(|at| Plan::Fail { at, times: 1 }, |_| Left::All);
}

#[test]
fn the_disk_is_full_for_a_while() {
    run_all(|at| Plan::Fail { at, times: 40 }, |_| Left::All);
}

#[test]
fn the_power_is_cut_and_everything_that_was_not_synced_is_lost() {
    run_all(|at| Plan::Cut { at }, |_| Left::Nothing);
}

#[test]
fn the_power_is_cut_and_the_last_write_is_torn() {
    run_all(|at| Plan::Cut { at }, |_| Left::All);
}

#[test]
fn the_power_is_cut_and_any_part_of_what_was_not_synced_is_there() {
    run_all(|at| Plan::Cut { at }, |at| Left::Some { seed: at });
}

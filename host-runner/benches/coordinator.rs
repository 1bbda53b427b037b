//! How fast the coordinator decides, commits and answers, and how fast it starts: the real coordinator on a real store,
//! without sockets. `cargo bench -p host-runner --bench coordinator`; budgets in `docs/state-core.md`.

#![expect(missing_docs, reason = "criterion's macro makes public functions without docs")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on has to fail")]

#[path = "../tests/faults/stage.rs"]
mod stage;

use board_protocol::{
    command::{Command, Launch, StartSession},
    hello::COORDINATOR_PROTOCOL,
    host::{AgentReport, HostFact, HostLaunch, HostRegistration},
    ids::{FactSeq, Generation, ProcessIdentity, SessionId, Size, UnixMs},
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use host_runner::{
    agents::{AgentKind, Prepared},
    coordinator::{ConnectionId, Coordinator, Input, Output, Preflight, Quiet, Ticket},
    model::{Fact, FactKind, Live, Medium, SessionBegun, Sessions, apply, row},
    store::{Batch, Store},
};
use stage::{Stage, input};
use std::{
    collections::HashMap,
    hint::black_box,
    sync::mpsc,
    time::{Duration, Instant},
};

/// Inputs that share one commit in the daemon.
const MAX_BATCH: usize = 512;
/// Sessions on the disk when a daemon starts.
const STORED: u64 = 10_000;
/// Rows of a large board.
const LIVE: u64 = 1_000;

fn session(n: u64) -> SessionId {
    SessionId(format!("{n:010x}"))
}

fn process(pid: u32) -> ProcessIdentity {
    ProcessIdentity { pid, start_ticks: 1 }
}

/// The facts of a session that runs.
fn running(n: u64) -> Vec<Fact> {
    let generation = Generation("11111111-2222-4333-8444-555555555555".into());
    let begun = SessionBegun {
        name: format!("session {n}"),
        agent: AgentKind::Generic,
        launch: Launch::Task("cargo test --workspace".into()),
        argv: ["/bin/sh", "-c", "cargo test --workspace"].map(str::to_owned).to_vec(),
        words: "cargo test --workspace".into(),
        cwd: "/srv/project/of/somebody".into(),
        worktree: None,
        size: Size::DEFAULT,
        generation: generation.clone(),
        environment_at: UnixMs(1),
        model: None,
        thinking: None,
        transcript: None,
        tools: None,
        medium: Medium::Terminal,
        parent: None,
    };
    let started = FactKind::ChildStarted { generation, seq: FactSeq(1), child: process(77) };
    [FactKind::SessionBegun(Box::new(begun)), started]
        .map(|kind| Fact { session: session(n), at: UnixMs(n), kind })
        .to_vec()
}

fn fill(store: &mut Store, count: u64) -> Sessions {
    let mut sessions = Sessions::new();
    for first in (0..count).step_by(500) {
        let facts: Vec<Fact> = (first..count.min(first + 500)).flat_map(running).collect();
        facts.iter().for_each(|fact| apply(&mut sessions, fact));
        store.commit(&Batch { facts, ..Batch::default() }, &sessions).unwrap();
    }
    sessions
}

fn coordinator(directory: &std::path::Path, sessions: u64) -> Coordinator<Stage> {
    let mut opened = Store::open(&directory.join("board.db"), "bench").unwrap();
    opened.loaded.sessions = fill(&mut opened.store, sessions);
    let mut coordinator = Coordinator::new(Stage::default(), opened, Vec::new());
    coordinator.boot();
    coordinator
}

/// The coordinator's thread as the daemon has it, answering each ticket through its own channel.
fn serve(
    mut coordinator: Coordinator<Stage>,
    inbox: &mpsc::Receiver<(Input, mpsc::Sender<()>)>,
) -> Coordinator<Stage> {
    let mut number = 0;
    while let Ok(first) = inbox.recv() {
        let mut waiting = HashMap::new();
        let mut batch = Vec::new();
        let more = std::iter::from_fn(|| inbox.try_recv().ok());
        for (mut command, back) in std::iter::once(first).chain(more).take(MAX_BATCH) {
            number += 1;
            if let Input::Command { ticket, .. } = &mut command {
                *ticket = Ticket(number);
            }
            waiting.insert(Ticket(number), back);
            batch.push(command);
        }
        for output in coordinator.handle(batch) {
            if let Output::Answer { ticket, answer } = output {
                answer.unwrap();
                waiting[&ticket].send(()).unwrap();
            }
        }
        coordinator.tidy_up(Quiet::No);
    }
    coordinator
}

/// So many commands in all by so many clients, each waiting for its answer; gives the time of each.
fn commands(
    coordinator: Coordinator<Stage>,
    clients: u64,
    each: u64,
    round: u64,
) -> (Coordinator<Stage>, Vec<Duration>) {
    let (inbox, waiting) = mpsc::channel();
    let server = std::thread::spawn(move || serve(coordinator, &waiting));
    let clients: Vec<_> = (0..clients)
        .map(|client| {
            let inbox = inbox.clone();
            std::thread::spawn(move || {
                let (back, answers) = mpsc::channel();
                let mut times = Vec::new();
                for n in 0..each {
                    let id = format!("{round}-{client}-{n}");
                    let command = Command::Rename { session: session(client), name: id.clone() };
                    let began = Instant::now();
                    inbox.send((input(&id, command), back.clone())).unwrap();
                    answers.recv().unwrap();
                    times.push(began.elapsed());
                }
                times
            })
        })
        .collect();
    drop(inbox);
    let times = clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
    (server.join().unwrap(), times)
}

fn durable_commands(criterion: &mut Criterion) {
    for clients in [1, 32] {
        let directory = tempfile::tempdir().unwrap();
        let mut kept = Some(coordinator(directory.path(), 100));
        let (mut all, mut round) = (Vec::new(), 0);
        let mut group = criterion.benchmark_group("durable commands");
        group.throughput(Throughput::Elements(1)).sample_size(20);
        group.bench_function(format!("{clients} clients"), |bencher| {
            bencher.iter_custom(|count| {
                round += 1;
                let began = Instant::now();
                let each = count.div_ceil(clients);
                let (after, times) = commands(kept.take().unwrap(), clients, each, round);
                let took = began.elapsed();
                kept = Some(after);
                all.extend(times);
                // What was asked for may be less than one for each client.
                took.mul_f64(count as f64 / (each * clients) as f64)
            });
        });
        group.finish();
        all.sort_unstable();
        let at = |part: f64| all[((all.len() - 1) as f64 * part) as usize];
        println!(
            "durable commands, {clients} clients: p50 {:?}, p99 {:?}, longest {:?} of {} commands\n",
            at(0.5),
            at(0.99),
            at(1.0),
            all.len()
        );
    }
}

fn start(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("board.db");
    drop(fill(&mut Store::open(&path, "bench").unwrap().store, STORED));
    let mut group = criterion.benchmark_group("start");
    group.sample_size(20);
    group.bench_function("10,000 stored sessions, to the first board", |bencher| {
        bencher.iter_custom(|count| {
            (0..count)
                .map(|_| {
                    let began = Instant::now();
                    let opened = Store::open(&path, "bench").unwrap();
                    let mut coordinator = Coordinator::new(Stage::default(), opened, Vec::new());
                    black_box(coordinator.boot());
                    let took = began.elapsed();
                    assert_eq!(coordinator.sessions().len() as u64, STORED);
                    took
                })
                .sum()
        });
    });
    group.finish();
}

fn projection(criterion: &mut Criterion) {
    let mut sessions = Sessions::new();
    for fact in (0..LIVE).flat_map(running) {
        apply(&mut sessions, &fact);
    }
    let live = Live::default();
    let mut group = criterion.benchmark_group("board");
    group.throughput(Throughput::Elements(LIVE));
    group.bench_function("projection of 1,000 live rows", |bencher| {
        bencher.iter(|| sessions.values().map(|record| row(black_box(record), &live)).collect::<Vec<_>>());
    });
    group.finish();
}

/// A session of pi with its host on connection 1.
fn pi(coordinator: &mut Coordinator<Stage>) -> HostLaunch {
    let start = StartSession {
        name: None,
        agent: "pi".into(),
        launch: Launch::Task("fix it".into()),
        cwd: "/".into(),
        size: None,
        model: None,
        thinking: None,
        tags: Vec::new(),
        remember: Default::default(),
    };
    let Input::Command { ticket, envelope, environment, .. } = input("pi", Command::Start(start)) else {
        unreachable!("it is a command")
    };
    let prepared = Prepared { program: "/bin/pi".into(), extension: "/e.ts".into(), terminals: None };
    let preflight = Some(Preflight::Passed { prepared: Some(prepared), worktree: None });
    let outputs = coordinator.handle(vec![Input::Command { ticket, envelope, environment, preflight }]);
    let launch = outputs.into_iter().find_map(|output| match output {
        Output::Spawn(launch) => Some(*launch),
        _ => None,
    });
    let launch = launch.unwrap();
    let registration = HostRegistration {
        session: launch.session.clone(),
        generation: launch.generation.clone(),
        token: launch.token.clone(),
        process: process(50),
        child: Some(process(51)),
        socket: launch.socket.clone(),
        size: launch.size,
        attached: Vec::new(),
        text_field: None,
        waits: Vec::new(),
    };
    coordinator.handle(vec![Input::HostRegistered {
        connection: ConnectionId(1),
        version: COORDINATOR_PROTOCOL.newest,
        registration,
    }]);
    launch
}

fn event_to_delta(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().unwrap();
    let mut coordinator = coordinator(directory.path(), LIVE);
    let launch = pi(&mut coordinator);
    let mut seq = 0;
    let mut group = criterion.benchmark_group("event to delta");
    group.sample_size(20);
    group.bench_function("a turn begins or ends, on a board of 1,000 rows", |bencher| {
        bencher.iter_custom(|count| {
            let mut took = Duration::ZERO;
            for _ in 0..count {
                seq += 1;
                let what = if seq % 2 == 1 { "agent_start" } else { "agent_settled" };
                let payload =
                    format!("{{\"type\":\"{what}\",\"boot\":\"b\",\"seq\":{seq},\"aborted\":false}}");
                let report = AgentReport {
                    token: launch.token.clone(),
                    adapter: "pi".into(),
                    at_ms: UnixMs(1),
                    payload: payload.into_bytes(),
                };
                let fact = HostFact::AgentReported(report);
                let began = Instant::now();
                let outputs = coordinator.handle(vec![Input::HostReported {
                    connection: ConnectionId(1),
                    seq: FactSeq(seq),
                    at: UnixMs(seq),
                    fact,
                }]);
                took += began.elapsed();
                assert!(
                    outputs.iter().any(|output| matches!(output, Output::BoardChanged { .. })),
                    "{outputs:?}"
                );
            }
            took
        });
    });
    group.finish();
}

criterion_group!(benches, durable_commands, start, projection, event_to_delta);
criterion_main!(benches);

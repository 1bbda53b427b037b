//! Waits on a terminal of an agent: how soon a needle is told, what open waits cost while nothing happens, and what a
//! flood with a pattern that is slow to look for does to the keys of another session.

use super::{
    Effort,
    cpu::Cpu,
    echo, pass,
    report::{Line, Unit},
    stats::Samples,
    way::Way,
};
use crate::{World, processes::Process, socket::Wire, wait::eventually, world::SIZE};
use board_protocol::{
    frame,
    hello::{HOST_PROTOCOL, HelloReply, Role},
    host::{FromHost, HostLaunch, HostSettings, ToHost},
    ids::Token,
    terminals::{MAX_WAITS_PER_TERMINAL, Parent, TerminalAnswer, TerminalAsk, WaitEnd},
};
use host_runner::{fresh, root::BoardRoot};
use std::{
    fs,
    io::Write,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

/// It may match from every character on, and whether it does is known only 150 characters later: the engine has to
/// follow all of them at once, and no shortcut applies.
const PATHOLOGICAL: &str = r"[a-z0-9].{150}[\x{e000}-\x{e0ff}]";
/// The longest that a wait may last: longer than any measurement.
const LONG_MS: u64 = 24 * 60 * 60 * 1000;
/// Megabytes of the flood.
const FLOOD: &str = "100";

/// A terminal of an agent, and its agent's connection.
struct Terminal {
    host: Child,
    wire: Wire,
    last: u64,
}

impl Terminal {
    /// Starts one that plays the actor's part with these words, in a root of its own: no daemon has a part in this.
    fn start(world: &World, words: &[&str]) -> Self {
        let directory = world.path("agent-terminals");
        fs::create_dir_all(&directory).expect("a directory of the world");
        let root = BoardRoot::open(&directory).expect("a board root");
        fs::write(root.shutdown_marker(), "").expect("a file of the root");
        let (session, generation) = (fresh::session_id(), fresh::generation());
        let socket = root.host_socket(&session, &generation);
        let actor = world.path("bin/actor").display().to_string();
        let launch = HostLaunch {
            session,
            name: "a terminal".to_owned(),
            generation,
            token: Token("own".to_owned()),
            root: directory.display().to_string(),
            socket: socket.display().to_string(),
            argv: std::iter::once(actor).chain(words.iter().map(ToString::to_string)).collect(),
            cwd: directory.display().to_string(),
            environment: Vec::new(),
            size: SIZE,
            settings: HostSettings::default(),
            prompt: None,
            parent: Some(Parent { session: fresh::session_id(), token: Token("owner".to_owned()) }),
        };
        let mut host =
            world.runner_command(&["host"]).stdin(Stdio::piped()).spawn().expect("a host can be started");
        let encoded = frame::encode(&launch).expect("a launch fits into a frame");
        host.stdin.take().expect("it is piped").write_all(&encoded).expect("the host reads its launch");
        eventually("the host listens", || std::os::unix::net::UnixStream::connect(&socket).ok());
        let mut wire = Wire::connect(&socket);
        let reply = wire.greet(HOST_PROTOCOL, Role::Agent);
        assert!(matches!(reply, HelloReply::Welcome(_)), "{reply:?}");
        Self { host, wire, last: 0 }
    }

    fn ask(&mut self, ask: TerminalAsk) {
        self.last += 1;
        self.wire.send(&ToHost::Terminal { id: self.last, token: Token("owner".to_owned()), ask });
    }

    fn wait_for(&mut self, needle: &str) {
        self.ask(TerminalAsk::WaitFor { needle: needle.to_owned(), timeout_ms: LONG_MS });
    }

    fn send(&mut self, data: &[u8]) {
        self.ask(TerminalAsk::Send { data: data.to_vec() });
    }

    /// When a wait has found its needle.
    fn found(&mut self) -> Instant {
        loop {
            match self.wire.receive() {
                Some(FromHost::Terminal { answer: Ok(TerminalAnswer::Done), .. }) => {}
                Some(FromHost::Terminal {
                    answer: Ok(TerminalAnswer::Waited { end: WaitEnd::Found { .. }, .. }),
                    ..
                }) => return Instant::now(),
                other => panic!("a wait that finds nothing: {other:?}"),
            }
        }
    }

    fn see(&mut self, needle: &str) {
        self.wait_for(needle);
        self.found();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.host.kill();
        let _ = self.host.wait();
    }
}

/// Measures it.
pub fn measure(effort: Effort) -> Vec<Line> {
    let world = World::new();
    vec![latency(&world, effort), idle(&world, effort)].into_iter().chain(flood(&world)).collect()
}

/// From the order to print a needle until the wait's answer: a byte's way into the program is part of it.
fn latency(world: &World, effort: Effort) -> Line {
    let mut terminal = Terminal::start(world, &["say", "echo-ready", "echo"]);
    terminal.see("echo-ready");
    let times: Vec<Duration> = (0..effort.pick(1_000, 200))
        .map(|number| {
            terminal.wait_for(&format!("<{number}>"));
            pass(Duration::from_millis(2));
            let start = Instant::now();
            terminal.send(format!("<{number}>").as_bytes());
            terminal.found() - start
        })
        .collect();
    Line::new("needle to answer", Unit::Milliseconds, &Samples::of_times(&times), "p95 10 ms")
        .note("with the way of the needle's bytes into the program that prints them")
}

/// What waits cost while nothing is printed.
fn idle(world: &World, effort: Effort) -> Line {
    let mut terminal = Terminal::start(world, &["say", "ready", "wait"]);
    terminal.see("ready");
    for number in 0..MAX_WAITS_PER_TERMINAL {
        terminal.wait_for(&format!(r"needle {number}: (\w+)"));
    }
    pass(Duration::from_secs(1));
    let process = host(world, &terminal);
    let time = Duration::from_secs(if effort == Effort::Full { 30 } else { 10 });
    let before = Cpu::of(&process);
    pass(time);
    let share = Cpu::of(&process).since(before) / time.as_secs_f64() / 10.0;
    let name = format!("processor time of {MAX_WAITS_PER_TERMINAL} idle waits");
    Line::rate(&name, Unit::PercentOfCore, &Samples::new([share]), "1 %")
        .note(format!("the whole host, over {} s", time.as_secs()))
}

fn host(world: &World, terminal: &Terminal) -> Process {
    let pid = terminal.host.id();
    eventually("the host's process", || {
        world.processes().into_iter().find(|process| process.identity.pid == pid)
    })
}

/// Keys of another session, at rest and while a terminal is flooded with such a wait on it.
fn flood(world: &World) -> Vec<Line> {
    let mut other = Way::Ours.enter(world, "echo", &["say", "echo-ready", "echo"]);
    other.until(b"echo-ready");
    other.settle(Duration::from_millis(200));
    echo::keys(&mut other, 100);
    let rest = Samples::of_times(&echo::keys(&mut other, 500));
    let mut terminal = Terminal::start(world, &["pour", "plain", FLOOD]);
    terminal.see("pour:");
    terminal.wait_for(PATHOLOGICAL);
    terminal.wait_for("poured-0");
    let start = Instant::now();
    terminal.send(b"x");
    let done = std::sync::atomic::AtomicBool::new(false);
    let (times, took) = std::thread::scope(|scope| {
        let flood = scope.spawn(|| {
            let took = terminal.found() - start;
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            took
        });
        let mut times = Vec::new();
        while !done.load(std::sync::atomic::Ordering::Relaxed) {
            times.extend(echo::keys(&mut other, 10));
        }
        (times, flood.join().expect("the flood ends"))
    });
    let times = Samples::of_times(&times);
    let note = format!(
        "{FLOOD} MB in {:.1} s, {:.3} ms without it (p99 {:.3} ms)",
        took.as_secs_f64(),
        rest.median(),
        rest.percentile(99)
    );
    vec![
        Line::new(
            "another session's echo in a flood with a slow pattern",
            Unit::Milliseconds,
            &times,
            "20 ms",
        )
        .note(note),
    ]
}

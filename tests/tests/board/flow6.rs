//! Flow 6: panes are closed, permissions denied, the daemon is away or of another version: the board says what to do,
//! and recovers without a restart of zellij.

use crate::support::{EMPTY, enter, is_board, kinds_of_processes, leave, up, wait_row};
use board_protocol::{
    frame,
    hello::{Hello, HelloReply, Refused, Versions},
    ids::ProcessIdentity,
    refusal::{Refusal, RefusalKind},
    state::SemanticState::Working,
};
use e2e::{
    World, keys,
    wait::{eventually, readable},
    world::Grant,
};
use std::{
    fs,
    io::{Read, Write},
    os::unix::net::{UnixListener, UnixStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

#[test]
fn flow6_closing_the_board_pane_takes_the_status_pane_along() {
    let world = World::new();
    let mut terminal = up(&world);
    world.start_actor("stays", &["lines"]);
    wait_row(&terminal, "stays", Working);
    // A second tab keeps the session alive.
    terminal.send(keys::ctrl('t')).send("n");
    terminal.wait("a shell", |screen| !is_board(screen) && screen.has("$"));
    terminal.send(keys::alt('h'));
    terminal.wait("the board", is_board);
    terminal.send(keys::ctrl('p')).send("x");
    terminal.wait("no board", |screen| !is_board(screen));
    world.wait_runners("link", 0);
    world.wait_tabs("agent-board", 1);
    assert!(
        !world.processes().iter().any(e2e::processes::Process::is_zellij_pipe),
        "{}",
        kinds_of_processes(&world)
    );
    assert_eq!(world.row("stays").unwrap()["state"], "working");
    // And the board can be opened again.
    terminal.line("host-runner up");
    wait_row(&terminal, "stays", Working);
    terminal.send(keys::ctrl('q'));
    terminal.wait_ended();
}

#[test]
fn flow6_without_the_status_pane_the_plugin_starts_a_link_itself() {
    let world = World::new();
    let terminal = up(&world);
    terminal.wait_for(EMPTY);
    let link = eventually("a link", || world.runners("link").pop());
    // Ctrl+C in the status pane, or its end for any reason: the pane goes with its process.
    world.kill(&link);
    let next = eventually("another link", || {
        world.runners("link").into_iter().find(|process| process.identity != link.identity)
    });
    world.start_actor("seen", &["lines"]);
    wait_row(&terminal, "seen", Working);
    enter(&terminal, "seen", "lines:");
    leave(&terminal);
    // And again, though this one has no terminal.
    world.kill(&next);
    world.start_actor("again", &["lines"]);
    wait_row(&terminal, "again", Working);
    world.wait_runners("link", 1);
    // It goes with the server all the same.
    world.kill(&world.zellij_servers()[0]);
    world.wait_runners("link", 0);
}

#[test]
fn flow6_a_denied_permission_is_said_and_can_be_given_later() {
    let world = World::with(Grant::Unasked, "");
    let terminal = world.terminal("denied", &["host-runner", "up"]);
    terminal.wait("zellij's question", |screen| screen.has("(y/n)"));
    terminal.send("n");
    let screen = terminal.wait("what is missing and what to do", |screen| {
        let text = screen.text().to_lowercase();
        !screen.has("(y/n)") && text.contains("permission") && text.contains("press")
    });
    assert!(!is_board(&screen), "{screen}");
    world.start_actor("waits", &["lines"]);
    // A key asks again.
    terminal.send(keys::ENTER);
    terminal.wait("the question again", |screen| screen.has("(y/n)"));
    terminal.send("y");
    wait_row(&terminal, "waits", Working);
}

#[test]
fn flow6_a_daemon_that_is_shut_down_is_said_and_its_return_noticed() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("kept", &["lines"]);
    wait_row(&terminal, "kept", Working);
    world.runner(&["shutdown"]).ok();
    let line = terminal.wait("a line with what to do", |screen| screen.has("host-runner"));
    assert!(line.row_of("kept").is_some(), "{line}");
    world.wait_runners("daemon", 0);
    world.rows();
    wait_row(&terminal, "kept", Working);
    world.start_actor("new", &["lines"]);
    wait_row(&terminal, "new", Working);
}

#[test]
fn flow6_a_daemon_of_another_protocol_is_said_and_recovered_from() {
    let world = World::new();
    let terminal = up(&world);
    world.start_actor("before", &["lines"]);
    wait_row(&terminal, "before", Working);
    world.runner(&["shutdown"]).ok();
    world.wait_runners("daemon", 0);
    let newer = Impostor::start(&world);
    // A person's command lifts the shutdown, and is told which side has to change.
    let refused = world.runner(&["ls"]);
    assert!(matches!(refused.code, Some(1 | 3)), "{refused:?}");
    assert!(refused.stderr.contains("newer") && refused.stderr.contains(FOREIGN), "{refused:?}");
    let mut late = world.terminal("late", &["host-runner", "up"]);
    assert!(!late.wait_ended().success(), "{}", late.screen());
    let screen = terminal.wait("a line about the other version", |screen| screen.has(FOREIGN));
    assert!(newer.asked() > 0, "{screen}");
    assert!(screen.row_of("before").is_some(), "the last known rows stay:\n{screen}");
    newer.end();
    eventually("the daemon answers", || (world.runner(&["ls"]).code == Some(0)).then_some(()));
    world.start_actor("after", &["lines"]);
    wait_row(&terminal, "after", Working);
    terminal.wait_gone(FOREIGN);
}

/// What nobody here speaks. Long enough that no build's own number, which stands on every board, has it in it: with 99,
/// one build in thirty did.
const FOREIGN_VERSION: u32 = 7_770_777;
/// The same as it stands on the screen.
const FOREIGN: &str = "7770777";

/// A daemon of a later release: it holds lock and socket, and speaks versions that nobody here knows.
struct Impostor {
    asked: Arc<AtomicU32>,
    over: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<()>,
    _lock: fs::File,
}

impl Impostor {
    fn start(world: &World) -> Self {
        let lock = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(world.root().join("daemon.lock"))
            .unwrap();
        lock.lock().unwrap();
        let socket = world.root().join("run/daemon.sock");
        let _ = fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).unwrap();
        let (asked, over) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let thread = {
            let (asked, over) = (Arc::clone(&asked), Arc::clone(&over));
            std::thread::spawn(move || {
                while !over.load(Ordering::Acquire) {
                    if readable(&listener, Duration::from_millis(50)) {
                        let (stream, _) = listener.accept().unwrap();
                        refuse(stream);
                        asked.fetch_add(1, Ordering::Relaxed);
                    }
                }
                fs::remove_file(socket).unwrap();
            })
        };
        Self { asked, over, thread, _lock: lock }
    }

    fn asked(&self) -> u32 {
        self.asked.load(Ordering::Relaxed)
    }

    fn end(self) {
        self.over.store(true, Ordering::Release);
        self.thread.join().unwrap();
    }
}

fn refuse(mut stream: UnixStream) {
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut reader = frame::FrameReader::new();
    let mut chunk = [0; 4096];
    let hello: Hello = loop {
        if let Ok(Some(hello)) = reader.next_message() {
            break hello;
        }
        match stream.read(&mut chunk) {
            // Somebody only looked whether anybody listens.
            Ok(0) | Err(_) => return,
            Ok(count) => reader.push(&chunk[..count]),
        }
    };
    assert!(hello.versions.newest < FOREIGN_VERSION);
    let refused = HelloReply::Refused(Refused {
        versions: Versions { oldest: FOREIGN_VERSION, newest: FOREIGN_VERSION + 1 },
        build: format!("{FOREIGN}.0.0"),
        // Nobody: whoever wants to end this daemon finds nothing to signal.
        process: ProcessIdentity { pid: 0, start_ticks: 0 },
        refusal: Refusal::new(RefusalKind::Version, format!("this daemon speaks version {FOREIGN}")),
    });
    let _ = stream.write_all(&frame::encode(&refused).unwrap());
}

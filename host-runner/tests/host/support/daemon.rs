//! A daemon in the test: takes hosts, acknowledges what they report, and answers commands from what it was told.

use super::PATIENCE;
use board_protocol::{
    board::{BoardUpdate, Revival, Row},
    daemon::{Answer, FromDaemon, HostEndpoint, Request, SessionDetail, ToDaemon},
    frame::{self, FrameReader},
    hello::{Hello, HelloReply, Role, Welcome},
    host::{HostFact, HostOrder, HostRegistration},
    ids::{BoardSeq, FactSeq, Generation, ProcessIdentity, UnixMs},
    refusal::{Refusal, RefusalKind},
    state::{HostState, ProcessState, SemanticState},
};
use host_runner::root::BoardRoot;
use serde::Serialize;
use std::{
    fs,
    io::{Read, Write},
    net::Shutdown,
    os::unix::net::{UnixListener, UnixStream},
    path::PathBuf,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Instant,
};

/// What the daemon knows.
#[derive(Default)]
struct Shared {
    /// Every connection, to cut them all at once.
    streams: Vec<UnixStream>,
    /// The newest host's.
    host: Option<UnixStream>,
    registration: Option<HostRegistration>,
    ended: Option<String>,
    last_screen: Option<String>,
    state: Option<SemanticState>,
    subscribers: Vec<UnixStream>,
    silent: bool,
    closed: bool,
    /// The newest version that it speaks, if it is an old one.
    newest: Option<u32>,
}

pub(crate) struct FakeDaemon {
    socket: PathBuf,
    shared: Arc<Mutex<Shared>>,
    messages: Receiver<ToDaemon>,
    /// Messages that a wait for another one passed over.
    pub(crate) passed: Vec<ToDaemon>,
}

impl FakeDaemon {
    pub(crate) fn start(root: &BoardRoot) -> Self {
        Self::start_speaking(root, None)
    }

    /// One that speaks no newer version than this.
    pub(crate) fn start_speaking(root: &BoardRoot, newest: Option<u32>) -> Self {
        let socket = root.daemon_socket();
        let _ = fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).unwrap();
        let shared = Arc::new(Mutex::new(Shared { newest, ..Shared::default() }));
        let (sender, messages) = channel();
        let ours = shared.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                if ours.lock().unwrap().closed {
                    return;
                }
                ours.lock().unwrap().streams.push(stream.try_clone().unwrap());
                let (shared, sender) = (ours.clone(), sender.clone());
                thread::spawn(move || serve(stream, &shared, &sender));
            }
        });
        Self { socket, shared, messages, passed: Vec::new() }
    }

    /// Facts are taken, but not acknowledged.
    pub(crate) fn stay_silent(&self) {
        self.shared.lock().unwrap().silent = true;
    }

    /// From here on, questions about the session are answered by this end of it.
    pub(crate) fn session_ended(&self, how: &str, last_screen: &str) {
        let mut shared = self.shared.lock().unwrap();
        shared.ended = Some(how.into());
        shared.last_screen = Some(last_screen.into());
    }

    /// The session's state, told to every subscriber.
    pub(crate) fn publish(&self, state: SemanticState) {
        let mut shared = self.shared.lock().unwrap();
        shared.state = Some(state);
        let update = board(&shared);
        for stream in &shared.subscribers {
            send(stream, &update);
        }
    }

    /// As SIGKILL would: the socket file stays, nobody listens, every connection breaks.
    pub(crate) fn kill(self) {}

    pub(crate) fn order(&self, order: HostOrder) {
        let shared = self.shared.lock().unwrap();
        send(shared.host.as_ref().expect("a host is connected"), &FromDaemon::Order(order));
    }

    /// The next message for which `pick` gives something.
    pub(crate) fn wait<T>(&mut self, what: &str, pick: impl Fn(&ToDaemon) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(message) = self.messages.recv_timeout(left) else {
                panic!("no {what} within {PATIENCE:?}; before it came: {:?}", self.passed)
            };
            if let Some(found) = pick(&message) {
                return found;
            }
            self.passed.push(message);
        }
    }

    pub(crate) fn wait_for_registration(&mut self) -> HostRegistration {
        self.wait("registration", |message| match message {
            ToDaemon::HostRegistered(registration) => Some(registration.clone()),
            _ => None,
        })
    }

    pub(crate) fn wait_for_fact<T>(
        &mut self,
        what: &str,
        pick: impl Fn(&HostFact) -> Option<T>,
    ) -> (FactSeq, T) {
        self.wait(what, |message| match message {
            ToDaemon::HostReported { seq, fact, .. } => pick(fact).map(|found| (*seq, found)),
            _ => None,
        })
    }

    pub(crate) fn wait_for_child(&mut self) -> ProcessIdentity {
        let started = |fact: &HostFact| match fact {
            HostFact::ChildStarted { child } => Some(*child),
            _ => None,
        };
        self.wait_for_fact("start of the program", started).1
    }
}

impl Drop for FakeDaemon {
    fn drop(&mut self) {
        let mut shared = self.shared.lock().unwrap();
        shared.closed = true;
        for stream in &shared.streams {
            let _ = stream.shutdown(Shutdown::Both);
        }
        drop(shared);
        // Wakes the accepting thread, which then lets go of the listener.
        let _ = UnixStream::connect(&self.socket);
    }
}

fn send<T: Serialize>(mut stream: &UnixStream, message: &T) {
    // A client that is gone is no fault of the daemon.
    let _ = stream.write_all(&frame::encode(message).unwrap());
}

fn serve(mut stream: UnixStream, shared: &Mutex<Shared>, sender: &Sender<ToDaemon>) {
    let mut reader = FrameReader::new();
    let mut greeted = false;
    let mut chunk = [0; 64 * 1024];
    loop {
        let Ok(count) = stream.read(&mut chunk) else { return };
        if count == 0 {
            return;
        }
        reader.push(&chunk[..count]);
        if !greeted {
            let Some(hello) = reader.next_message::<Hello>().unwrap() else { continue };
            greeted = true;
            let process = host_runner::process::own_identity();
            let generation = Generation("daemon".into());
            let newest = shared.lock().unwrap().newest.unwrap_or(u32::MAX);
            let welcome = Welcome {
                version: hello.versions.newest.min(newest),
                build: "test".into(),
                generation,
                process,
            };
            send(&stream, &HelloReply::Welcome(welcome));
            if hello.role == Role::Host {
                shared.lock().unwrap().host = Some(stream.try_clone().unwrap());
            }
        }
        while let Some(message) = reader.next_message::<ToDaemon>().unwrap() {
            react(&stream, &message, &mut shared.lock().unwrap());
            if sender.send(message).is_err() {
                return;
            }
        }
    }
}

fn react(stream: &UnixStream, message: &ToDaemon, shared: &mut Shared) {
    match message {
        ToDaemon::HostRegistered(registration) => {
            shared.registration = Some(registration.clone());
            send(stream, &FromDaemon::Order(HostOrder::Adopted));
        }
        ToDaemon::HostReported { seq, .. } if !shared.silent => {
            send(stream, &FromDaemon::Order(HostOrder::Acknowledge { seq: *seq }));
        }
        ToDaemon::Ask { id, request } => {
            send(stream, &FromDaemon::Answer { id: *id, answer: answer(request, shared) });
            if *request == Request::Subscribe {
                send(stream, &board(shared));
                shared.subscribers.push(stream.try_clone().unwrap());
            }
        }
        _ => {}
    }
}

/// The whole board, as a subscriber gets it.
fn board(shared: &Shared) -> FromDaemon {
    let row = shared.registration.as_ref().map(|registration| detail(registration, shared).row);
    let (rows, warnings) = (row.into_iter().collect(), Vec::new());
    FromDaemon::Board(BoardUpdate::Full { seq: BoardSeq(1), rows, warnings })
}

fn answer(request: &Request, shared: &Shared) -> Result<Answer, Refusal> {
    match request {
        Request::Ping | Request::Subscribe => Ok(Answer::Ready),
        Request::Show { .. } | Request::Locate { .. } => match &shared.registration {
            Some(registration) => Ok(Answer::Session(Box::new(detail(registration, shared)))),
            None => Err(Refusal::new(RefusalKind::UnknownSession, "no such session")),
        },
        Request::LastScreen { .. } => Ok(Answer::Screen { text: shared.last_screen.clone() }),
        other => panic!("the test's daemon does not answer {other:?}"),
    }
}

fn detail(registration: &HostRegistration, shared: &Shared) -> SessionDetail {
    let ended = shared.ended.clone();
    let alive = ended.is_none();
    let row = Row {
        id: registration.session.clone(),
        name: "a session".into(),
        agent: "generic".into(),
        state: shared.state.unwrap_or(if alive { SemanticState::Working } else { SemanticState::Failed }),
        process_state: if alive { ProcessState::Alive } else { ProcessState::Exited },
        host_state: if alive { HostState::Alive } else { HostState::Exited },
        busy: alive,
        summary: String::new(),
        question: None,
        error: None,
        cwd: "/".into(),
        pinned: false,
        unread: false,
        created_at_ms: UnixMs(1),
        last_activity_at_ms: UnixMs(1),
        revival: Revival::RunsAgain,
        ended,
        attached: 0,
        places: Vec::new(),
        strays: 0,
        doubt: None,
        revision: 0,
        tags: Vec::new(),
        queued: 0,
        stalled_ms: None,
        errors: 0,
        background: 0,
        headless: false,
        resumes_on_attach: false,
        review: None,
        plan: board_protocol::plan::PlanStatus::None,
        references: Vec::new(),
        worktree: None,
        parent: None,
        waiting: None,
    };
    let host = alive.then(|| HostEndpoint {
        socket: registration.socket.clone(),
        generation: registration.generation.clone(),
        process: registration.process,
    });
    let child = registration.child;
    SessionDetail {
        row,
        argv: Vec::new(),
        host,
        child,
        environment_at_ms: None,
        strays: Vec::new(),
        agent: Default::default(),
        queue: Vec::new(),
        classification: None,
        plan: None,
        diagnostics: None,
        waits: Vec::new(),
    }
}

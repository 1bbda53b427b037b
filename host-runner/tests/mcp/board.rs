//! The daemon and the hosts that a test plays: they take the real messages and answer what the test told them.

use crate::PATIENCE;
use board_protocol::{
    daemon::{Answer, FromDaemon, Request, ToDaemon},
    frame::{self, FrameReader},
    hello::{COORDINATOR_PROTOCOL, HOST_PROTOCOL, Hello, HelloReply, Role, Versions, Welcome},
    host::{FromHost, ToHost},
    ids::{Generation, ProcessIdentity, SessionId, Size, Token},
    refusal::{Refusal, RefusalKind},
    state::HostState,
    terminals::{AgentAsk, AgentTerminal, CursorKeys, TerminalAnswer, TerminalAsk, TextPage, WaitEnd},
};
use host_runner::root::BoardRoot;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    net::Shutdown,
    os::unix::net::{UnixListener, UnixStream},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Instant,
};
use tempfile::TempDir;

pub(crate) const SESSION: &str = "0123456789";
pub(crate) const TOKEN: &str = "5ec2e7";

/// What the test sees.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Seen {
    /// Asked of the daemon.
    Daemon(AgentAsk),
    /// Asked of a terminal's host.
    Host(TerminalAsk),
    /// A connection to a host closed.
    Left,
}

/// A daemon's and its hosts' truth.
#[derive(Default)]
struct Truth {
    terminals: Vec<AgentTerminal>,
    last_screens: BTreeMap<String, String>,
    /// Open waits: who waits, and the id of the question.
    waits: Vec<(UnixStream, u64)>,
    streams: Vec<UnixStream>,
    opened: u32,
    cursor_keys: CursorKeys,
}

/// What every thread shares.
struct Stage {
    truth: Mutex<Truth>,
    seen: Sender<Seen>,
    hosts: PathBuf,
}

/// See the head of this file.
pub(crate) struct Board {
    directory: TempDir,
    root: BoardRoot,
    stage: Arc<Stage>,
    seen: Receiver<Seen>,
}

impl Board {
    /// A board whose daemon listens.
    pub(crate) fn start() -> Self {
        let board = Self::without_daemon();
        board.begin();
        board
    }

    /// One whose daemon does not.
    pub(crate) fn without_daemon() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = BoardRoot::open(&directory.path().join("root")).unwrap();
        let (sender, seen) = channel();
        let stage = Stage { truth: Mutex::default(), seen: sender, hosts: directory.path().to_owned() };
        Self { directory, root, stage: Arc::new(stage), seen }
    }

    /// The daemon listens from now on.
    pub(crate) fn begin(&self) {
        listen(&self.root.daemon_socket(), &self.stage, Stage::daemon);
    }

    /// The daemon is gone; hosts go on.
    pub(crate) fn end(&self) {
        fs::remove_file(self.root.daemon_socket()).unwrap();
    }

    /// What an agent's process finds in its environment.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        vec![
            ("AGENT_BOARD_ROOT", self.root.directory().display().to_string()),
            ("AGENT_BOARD_SESSION", SESSION.to_owned()),
            ("AGENT_BOARD_TOKEN", TOKEN.to_owned()),
            ("HOME", self.directory.path().display().to_string()),
        ]
    }

    /// The next thing that was asked for which `pick` gives something.
    pub(crate) fn wait<T>(&self, what: &str, pick: impl Fn(&Seen) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        let mut passed = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(seen) = self.seen.recv_timeout(left) else { panic!("no {what}; before: {passed:?}") };
            if let Some(found) = pick(&seen) {
                return found;
            }
            passed.push(seen);
        }
    }

    /// The next question to a host.
    pub(crate) fn asked(&self) -> TerminalAsk {
        self.wait("question to a host", |seen| match seen {
            Seen::Host(ask) => Some(ask.clone()),
            _ => None,
        })
    }

    /// The programs in the terminals ask for these from now on.
    pub(crate) fn programs_want(&self, cursor_keys: CursorKeys) {
        self.stage.truth.lock().unwrap().cursor_keys = cursor_keys;
    }

    /// Ends every open wait like this.
    pub(crate) fn end_waits(&self, end: &WaitEnd, literal: Option<&str>) {
        for (mut stream, id) in self.stage.truth.lock().unwrap().waits.drain(..) {
            let answer = Ok(TerminalAnswer::Waited { end: end.clone(), literal: literal.map(str::to_owned) });
            send(&mut stream, &FromHost::Terminal { id, answer });
        }
    }

    /// Every host is gone, as by SIGKILL, and the daemon knows how the programs ended.
    pub(crate) fn hosts_end(&self, ended: &str, last_screen: &str) {
        let mut truth = self.stage.truth.lock().unwrap();
        let ids: Vec<_> = truth.terminals.iter().map(|terminal| terminal.id.as_str().to_owned()).collect();
        truth.last_screens.extend(ids.into_iter().map(|id| (id, last_screen.to_owned())));
        for terminal in &mut truth.terminals {
            if let Some(socket) = terminal.socket.take() {
                fs::remove_file(socket).unwrap();
            }
            terminal.host_state = HostState::Exited;
            terminal.ended = Some(ended.to_owned());
        }
        for stream in truth.streams.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Takes connections, each on a thread of its own.
fn listen(socket: &Path, stage: &Arc<Stage>, serve: fn(&Arc<Stage>, UnixStream)) {
    let listener = UnixListener::bind(socket).unwrap();
    let stage = Arc::clone(stage);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let stage = Arc::clone(&stage);
            thread::spawn(move || serve(&stage, stream));
        }
    });
}

fn send<T: Serialize>(stream: &mut UnixStream, message: &T) {
    // Whoever asked may have gone.
    let _ = stream.write_all(&frame::encode(message).unwrap());
}

/// The next message; `None` once the other side is gone.
fn receive<T: DeserializeOwned>(stream: &mut UnixStream, reader: &mut FrameReader) -> Option<T> {
    let mut chunk = [0; 4096];
    loop {
        if let Some(message) = reader.next_message().unwrap() {
            return Some(message);
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return None,
            Ok(count) => reader.push(&chunk[..count]),
        }
    }
}

fn greet(stream: &mut UnixStream, reader: &mut FrameReader, versions: Versions) -> Option<()> {
    let hello: Hello = receive(stream, reader)?;
    assert_eq!((hello.role, hello.versions), (Role::Agent, versions));
    let welcome = Welcome {
        version: versions.newest,
        build: "test".into(),
        generation: Generation("g".into()),
        process: ProcessIdentity { pid: 1, start_ticks: 1 },
    };
    send(stream, &HelloReply::Welcome(welcome));
    Some(())
}

fn unknown() -> Refusal {
    Refusal::new(RefusalKind::UnknownSession, "no such terminal")
}

impl Stage {
    fn daemon(self: &Arc<Self>, mut stream: UnixStream) {
        let mut reader = FrameReader::new();
        if greet(&mut stream, &mut reader, COORDINATOR_PROTOCOL).is_none() {
            return;
        }
        while let Some(ToDaemon::Ask { id, request }) = receive(&mut stream, &mut reader) {
            let answer = match request {
                Request::AgentTerminals { session, token, ask } => {
                    assert_eq!((session.as_str(), token.as_str()), (SESSION, TOKEN));
                    let _ = self.seen.send(Seen::Daemon(ask.clone()));
                    self.terminals(ask).map(Answer::AgentTerminals)
                }
                Request::LastScreen { session } => {
                    let text = self.truth.lock().unwrap().last_screens.get(session.as_str()).cloned();
                    Ok(Answer::Screen { text })
                }
                other => panic!("an agent's server does not ask {other:?}"),
            };
            send(&mut stream, &FromDaemon::Answer { id, answer });
        }
    }

    fn terminals(self: &Arc<Self>, ask: AgentAsk) -> Result<Vec<AgentTerminal>, Refusal> {
        let mut truth = self.truth.lock().unwrap();
        match ask {
            AgentAsk::Open { open, .. } => {
                truth.opened += 1;
                let id = SessionId::parse(&format!("{:010x}", truth.opened)).unwrap();
                let socket = self.hosts.join(format!("host-{}", id.as_str()));
                listen(&socket, self, Self::host);
                let terminal = AgentTerminal {
                    id,
                    title: open.title.unwrap_or_else(|| "shell".into()),
                    cwd: open.cwd.unwrap_or_else(|| "/work".into()),
                    command: open.command.unwrap_or_else(|| "/bin/sh".into()),
                    host_state: HostState::Alive,
                    socket: Some(socket.display().to_string()),
                    ended: None,
                    size: open.size.unwrap_or(Size::DEFAULT),
                };
                truth.terminals.push(terminal.clone());
                Ok(vec![terminal])
            }
            AgentAsk::List => Ok(truth.terminals.clone()),
            AgentAsk::Close { terminal, .. } => {
                let at = truth.terminals.iter().position(|known| known.id == terminal).ok_or_else(unknown)?;
                truth.terminals.remove(at);
                Ok(Vec::new())
            }
        }
    }

    fn host(self: &Arc<Self>, mut stream: UnixStream) {
        let mut reader = FrameReader::new();
        self.truth.lock().unwrap().streams.push(stream.try_clone().unwrap());
        if greet(&mut stream, &mut reader, HOST_PROTOCOL).is_none() {
            return;
        }
        while let Some(ToHost::Terminal { id, token, ask }) = receive(&mut stream, &mut reader) {
            let answer = match &ask {
                _ if token != Token(TOKEN.into()) => Some(Err(unknown())),
                TerminalAsk::WaitFor { .. } => {
                    self.truth.lock().unwrap().waits.push((stream.try_clone().unwrap(), id));
                    None
                }
                TerminalAsk::Cancel { .. } => None,
                TerminalAsk::Read { from, lines } => Some(Ok(TerminalAnswer::Text(TextPage {
                    from: from.unwrap_or(400),
                    lines: (0..*lines).map(|line| format!("line {line}")).collect(),
                    total_lines: 1_000,
                    oldest_line: 10,
                }))),
                TerminalAsk::Screen => Some(Ok(TerminalAnswer::Screen {
                    lines: vec!["$ top".into()],
                    cursor: [5, 0],
                    size: Size::DEFAULT,
                    cursor_keys: self.truth.lock().unwrap().cursor_keys,
                })),
                TerminalAsk::Send { .. } | TerminalAsk::Signal { .. } | TerminalAsk::Resize(_) => {
                    Some(Ok(TerminalAnswer::Done))
                }
            };
            let _ = self.seen.send(Seen::Host(ask));
            if let Some(answer) = answer {
                send(&mut stream, &FromHost::Terminal { id, answer });
            }
        }
        let _ = self.seen.send(Seen::Left);
    }
}

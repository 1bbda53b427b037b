//! A client of a host's socket that speaks the raw protocol, checks its order, and keeps a screen.

use super::{Host, PATIENCE, SIZE};
use board_protocol::{
    board::AttachPlace,
    hello::{HOST_PROTOCOL, Role},
    host::{
        AttachMode, AttachRequest, FromHost, ScreenFormat, ScrollbackOwner, SnapshotCause, TerminalLook,
        ToHost,
    },
    ids::{OutputSeq, Size},
};
use host_runner::wire::{Connection, WireError};
use std::{
    collections::VecDeque,
    num::NonZero,
    path::Path,
    time::{Duration, Instant},
};

pub(crate) struct Client {
    pub(crate) connection: Connection,
    screen: vt100::Parser,
    /// How much of `raw` the screen has parsed: only what a test looks at is parsed, so that reading is quick.
    parsed: usize,
    /// The number of the chunk that must come next.
    pub(crate) next: Option<OutputSeq>,
    collecting: bool,
    /// What came before the answer to `Reconcile`.
    early: VecDeque<FromHost>,
    /// Every snapshot's cause, in order.
    pub(crate) causes: Vec<SnapshotCause>,
    /// Every byte that was shown since the last snapshot began.
    pub(crate) raw: Vec<u8>,
}

impl Client {
    /// Connects as soon as the host listens.
    pub(crate) fn connect(host: &Host, role: Role) -> Self {
        let end = Instant::now() + PATIENCE;
        let mut connection = loop {
            match Connection::connect(Path::new(&host.launch.socket)) {
                Ok(connection) => break connection,
                Err(error) => assert!(Instant::now() < end, "the host does not listen: {error}"),
            }
            std::thread::yield_now();
        };
        let welcome = connection.greet(HOST_PROTOCOL, role, None).unwrap();
        assert_eq!(welcome.generation, host.launch.generation);
        assert_eq!(welcome.process.pid, host.pid());
        Self {
            connection,
            screen: parser(SIZE),
            parsed: 0,
            next: None,
            collecting: false,
            early: VecDeque::new(),
            causes: Vec::new(),
            raw: Vec::new(),
        }
    }

    pub(crate) fn attach_as(host: &Host, size: Size, mode: AttachMode, since: Option<OutputSeq>) -> Self {
        Self::begin(host, size, mode, None, since)
    }

    /// In a pane of zellij.
    pub(crate) fn attach_in(host: &Host, place: Option<AttachPlace>) -> Self {
        Self::begin(host, SIZE, AttachMode::Interactive, place, None)
    }

    fn begin(
        host: &Host,
        size: Size,
        mode: AttachMode,
        place: Option<AttachPlace>,
        since: Option<OutputSeq>,
    ) -> Self {
        let mut client = Self::connect(host, Role::Attach);
        let (look, scrollback) = (TerminalLook::default(), ScrollbackOwner::Session);
        client.send(&ToHost::Attach(AttachRequest { size, mode, place, look, scrollback }));
        client.send(&ToHost::Reconcile);
        let generation = loop {
            match client.receive() {
                FromHost::Reconciled { generation, .. } => break generation,
                // What is printed before the subscription comes without numbers, for clients that never subscribe.
                FromHost::Unnumbered { .. } => {}
                waiting @ FromHost::Waiting(_) => client.early.push_back(waiting),
                other => panic!("reconcile comes first, not {other:?}"),
            }
        };
        assert_eq!(generation, host.launch.generation);
        client.send(&ToHost::Subscribe { since });
        client.next = since.map(OutputSeq::next);
        client
    }

    pub(crate) fn attach(host: &Host) -> Self {
        Self::attach_as(host, SIZE, AttachMode::Interactive, None)
    }

    pub(crate) fn send(&mut self, message: &ToHost) {
        self.connection.send(message).unwrap();
    }

    pub(crate) fn type_in(&mut self, text: &str) {
        self.send(&ToHost::Input { data: text.into() });
    }

    pub(crate) fn receive(&mut self) -> FromHost {
        self.connection.receive(PATIENCE).unwrap()
    }

    /// Reads one message and shows what it brings; the order of the protocol is checked on the way.
    pub(crate) fn step(&mut self) -> FromHost {
        let message = self.early.pop_front().unwrap_or_else(|| self.receive());
        match &message {
            FromHost::SnapshotBegin { snapshot_seq, size, cause, .. } => {
                self.screen = parser(*size);
                self.raw.clear();
                self.parsed = 0;
                self.collecting = true;
                self.causes.push(*cause);
                self.next = Some(snapshot_seq.unwrap_or_default().next());
            }
            FromHost::SnapshotFrame { data } => {
                assert!(self.collecting, "a frame outside a snapshot");
                self.show(data);
            }
            FromHost::SnapshotEnd { next_seq } => {
                assert!(self.collecting, "an end outside a snapshot");
                self.collecting = false;
                assert_eq!(
                    Some(*next_seq),
                    self.next,
                    "the snapshot's end does not follow from its beginning"
                );
            }
            FromHost::Output { seq, data } => {
                assert!(!self.collecting, "output inside a snapshot");
                assert_eq!(Some(*seq), self.next, "a gap in the stream");
                self.next = Some(seq.next());
                self.show(data);
            }
            _ => {}
        }
        message
    }

    fn show(&mut self, data: &[u8]) {
        self.raw.extend_from_slice(data);
    }

    pub(crate) fn contents(&mut self) -> String {
        self.screen.process(&self.raw[self.parsed..]);
        self.parsed = self.raw.len();
        self.screen.screen().contents()
    }

    /// Reads until the screen shows this.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        while self.collecting || !self.contents().contains(text) {
            assert!(Instant::now() < end, "{text:?} is not on the screen:\n{}", self.contents());
            self.step();
        }
    }

    /// Reads until these bytes came, without looking at the screen.
    pub(crate) fn wait_for_raw(&mut self, bytes: &[u8]) {
        let mut from = 0;
        while !self.raw[from..].windows(bytes.len()).any(|part| part == bytes) {
            from = self.raw.len().saturating_sub(bytes.len());
            self.step();
            // A snapshot begins anew.
            from = from.min(self.raw.len());
        }
    }

    /// Reads until a message for which `pick` gives something.
    pub(crate) fn wait_for_message<T>(&mut self, pick: impl Fn(&FromHost) -> Option<T>) -> T {
        loop {
            if let Some(found) = pick(&self.step()) {
                return found;
            }
        }
    }

    /// Nothing is said for this long.
    pub(crate) fn stays_silent(&mut self, time: Duration) -> bool {
        matches!(self.connection.receive::<FromHost>(time), Err(WireError::TimedOut(_)))
    }
}

/// The screen as a viewer reads it.
pub(crate) fn read_screen(host: &Host, scrollback: u32) -> String {
    let mut viewer = Client::connect(host, Role::Viewer);
    viewer.send(&ToHost::ReadScreen { format: ScreenFormat::Text, scrollback });
    match viewer.receive() {
        FromHost::Screen { text } => text,
        other => panic!("no screen: {other:?}"),
    }
}

fn parser(size: Size) -> vt100::Parser {
    vt100::Parser::new(NonZero::new(size.rows).unwrap(), NonZero::new(size.cols).unwrap(), 0)
}

//! One connection on the host's socket: what it may do, what it has been shown, and the bytes that wait for it.
//!
//! A client that does not read loses its place in the stream, never its connection, and gets a fresh snapshot when it
//! reads again; nobody waits for it.

use super::queue::SendQueue;
use board_protocol::{
    board::AttachPlace,
    frame::{self, FrameError, FrameReader},
    hello::{Hello, Role},
    host::{AttachMode, FromHost, ScrollbackOwner, SnapshotCause, TerminalLook, ToHost},
    ids::OutputSeq,
};
use std::{
    io::{self, Read},
    os::unix::net::UnixStream,
    time::Instant,
};

/// Most live output that waits for one client; over it, it gets a snapshot once it has read what waits.
pub(super) const MAX_WAITING_OUTPUT: usize = 1024 * 1024;
/// Most bytes that wait for a client that asks and never reads; over it, it is dropped. Room for a snapshot.
pub(super) const MAX_WAITING_BYTES: usize = 16 * 1024 * 1024;
/// The first version of the host's protocol that has [`FromHost::Unnumbered`].
const KNOWS_UNNUMBERED: u32 = 3;
/// How much one wake reads from one client, so that a paste does not keep others waiting.
const READ_BYTES: usize = 64 * 1024;

/// A connection's number, never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ClientId(pub(super) u64);

/// What was said before the connection may be used.
#[derive(Debug)]
pub(super) enum Phase {
    /// No hello yet.
    Greeting {
        /// By when it must come.
        deadline: Instant,
    },
    /// Welcome was said.
    Ready {
        /// As what it came.
        role: Role,
        /// The version of the protocol that both sides speak.
        version: u32,
    },
    /// What waits is written, then it is closed.
    Leaving {
        /// By when at the latest.
        deadline: Instant,
    },
}

/// What an attach client said about itself.
#[derive(Debug, Clone)]
pub(super) struct Attached {
    /// Whether it may type.
    pub(super) mode: AttachMode,
    /// Where it is in zellij.
    pub(super) place: Option<AttachPlace>,
    /// Its colours.
    pub(super) look: TerminalLook,
    /// Whose scrollback its terminal has.
    pub(super) scrollback: ScrollbackOwner,
}

/// What a client has been shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feed {
    /// It did not subscribe.
    Off,
    /// Everything up to here; the next chunk follows.
    Live,
    /// It missed something: a snapshot is due when nothing waits any more.
    Behind(SnapshotCause),
}

/// A message of a client.
#[derive(Debug)]
pub(super) enum Message {
    /// Its first.
    Hello(Hello),
    /// Any other.
    Request(ToHost),
}

/// One connection.
#[derive(Debug)]
pub(super) struct Client {
    /// Its number.
    pub(super) id: ClientId,
    /// Its socket.
    pub(super) stream: UnixStream,
    /// How far it is.
    pub(super) phase: Phase,
    /// What it said with `Attach`.
    pub(super) attached: Option<Attached>,
    /// What it has been shown.
    pub(super) feed: Feed,
    /// Bytes that go in front of its next live output, in one write: a sequence that a snapshot cut.
    unfinished: Vec<u8>,
    reader: FrameReader,
    out: SendQueue,
}

impl Client {
    /// A connection that has to say hello by `deadline`.
    pub(super) fn new(id: ClientId, stream: UnixStream, deadline: Instant) -> Self {
        Self {
            id,
            stream,
            phase: Phase::Greeting { deadline },
            attached: None,
            feed: Feed::Off,
            unfinished: Vec::new(),
            reader: FrameReader::new(),
            out: SendQueue::default(),
        }
    }

    /// Reads what is there. `false`: the other side closed.
    pub(super) fn read(&mut self) -> io::Result<bool> {
        let mut chunk = [0; 16 * 1024];
        let mut total = 0;
        while total < READ_BYTES {
            match self.stream.read(&mut chunk) {
                Ok(0) => return Ok(false),
                Ok(count) => {
                    self.reader.push(chunk.get(..count).unwrap_or_default());
                    total += count;
                    // A short read has taken everything that was there.
                    if count < chunk.len() {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// The next whole message that was read.
    pub(super) fn next_message(&mut self) -> Result<Option<Message>, FrameError> {
        match self.phase {
            Phase::Greeting { .. } => Ok(self.reader.next_message()?.map(Message::Hello)),
            Phase::Ready { .. } => Ok(self.reader.next_message()?.map(Message::Request)),
            Phase::Leaving { .. } => Ok(None),
        }
    }

    /// Queues a message. An error means that the connection is lost.
    pub(super) fn send<T: serde::Serialize>(&mut self, message: &T) -> io::Result<()> {
        self.out.push(message).map_err(io::Error::other)?;
        if self.out.len() > MAX_WAITING_BYTES {
            return Err(io::Error::other("it asks and does not read"));
        }
        Ok(())
    }

    /// Passes one chunk of live output on. `encoded` is its frame, made once for everybody.
    pub(super) fn show(&mut self, seq: OutputSeq, data: &[u8], encoded: &[u8]) -> io::Result<()> {
        if self.feed != Feed::Live {
            return Ok(());
        }
        if self.out.len() + encoded.len() > MAX_WAITING_OUTPUT && !self.out.is_empty() {
            self.feed = Feed::Behind(SnapshotCause::Resync);
            return Ok(());
        }
        if self.unfinished.is_empty() {
            return self.out.push_encoded(encoded, &self.stream);
        }
        let mut whole = std::mem::take(&mut self.unfinished);
        whole.extend_from_slice(data);
        let encoded = frame::encode(&FromHost::Output { seq, data: whole }).map_err(io::Error::other)?;
        self.out.push_encoded(&encoded, &self.stream)
    }

    /// Whether it is attached and has not subscribed: a client that wants no snapshots, or one that is about to ask.
    pub(super) fn takes_unnumbered(&self) -> bool {
        let knows = matches!(self.phase, Phase::Ready { version, .. } if version >= KNOWS_UNNUMBERED);
        knows && self.feed == Feed::Off && self.attached.is_some()
    }

    /// Passes live output on to such a client. One that does not read misses some: nothing promises it the whole.
    pub(super) fn show_unnumbered(&mut self, encoded: &[u8]) -> io::Result<()> {
        if self.out.len() + encoded.len() > MAX_WAITING_OUTPUT && !self.out.is_empty() {
            return Ok(());
        }
        self.out.push_encoded(encoded, &self.stream)
    }

    /// The snapshot was queued: live output follows, with these bytes in front.
    pub(super) fn go_live(&mut self, unfinished: Vec<u8>) {
        self.unfinished = unfinished;
        self.feed = Feed::Live;
    }

    /// It must not get anything but a snapshot any more.
    pub(super) fn fall_behind(&mut self, cause: SnapshotCause) {
        self.feed = Feed::Behind(cause);
    }

    /// What waits is written, then the connection closes.
    pub(super) fn leave(&mut self, deadline: Instant) {
        self.feed = Feed::Off;
        if !matches!(self.phase, Phase::Leaving { .. }) {
            self.phase = Phase::Leaving { deadline };
        }
    }

    /// The connection is lost or not worth keeping: it is removed at the end of this turn.
    pub(super) fn drop_at_once(&mut self, now: Instant, why: &dyn std::fmt::Display) {
        tracing::debug!("client {} is dropped: {why}", self.id.0);
        self.feed = Feed::Off;
        self.out = SendQueue::default();
        self.phase = Phase::Leaving { deadline: now };
    }

    /// Whether it can be removed.
    pub(super) fn is_over(&self, now: Instant) -> bool {
        match self.phase {
            Phase::Greeting { deadline } => now >= deadline,
            Phase::Ready { .. } => false,
            Phase::Leaving { deadline } => self.out.is_empty() || now >= deadline,
        }
    }

    /// Whether a snapshot is due and there is room for it.
    pub(super) fn snapshot_due(&self) -> Option<SnapshotCause> {
        match self.feed {
            Feed::Behind(cause) if self.out.is_empty() => Some(cause),
            _ => None,
        }
    }

    /// Writes what the socket takes.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush(&self.stream)
    }

    /// Whether bytes wait for the socket.
    pub(super) fn has_waiting(&self) -> bool {
        !self.out.is_empty()
    }

    /// Whether it sees the session's output.
    pub(super) fn is_subscribed(&self) -> bool {
        self.feed != Feed::Off
    }
}

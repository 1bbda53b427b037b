//! The connection to the daemon: made at boot, made again with growing, random delays whenever it is lost.
//!
//! It carries facts up and orders down. It decides nothing: what is sent, and that a missing daemon is started, is the
//! loop's business.

use super::queue::SendQueue;
use crate::{
    fresh::fraction,
    wire::{ANSWER_DEADLINE, connect_at_once},
};
use board_protocol::{
    daemon::{FromDaemon, ToDaemon},
    frame::FrameReader,
    hello::{COORDINATOR_PROTOCOL, Hello, HelloReply, Role},
    host::HostOrder,
    ids::Generation,
};
use std::{
    io::{self, Read},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    path::PathBuf,
    time::{Duration, Instant},
};

/// The first wait after a loss. Every wait is random between half of this and all of it, doubled at each attempt.
const FIRST_DELAY: Duration = Duration::from_millis(200);
/// The longest wait: a daemon that a person started is found within this time.
const LONGEST_DELAY: Duration = Duration::from_secs(5);
/// More than this waiting for a daemon that does not read means that it hangs: facts go to the disk instead.
const MAX_WAITING_BYTES: usize = 8 * 1024 * 1024;
/// How much one wake reads from the daemon.
const READ_BYTES: usize = 64 * 1024;

/// The connection and what is known about it.
#[derive(Debug)]
pub(super) struct Uplink {
    socket: PathBuf,
    generation: Generation,
    state: State,
    /// Failures since the last welcome.
    failures: u32,
}

#[derive(Debug)]
enum State {
    Down { retry_at: Instant },
    Greeting { link: Link, deadline: Instant },
    Up { link: Link, version: u32 },
}

#[derive(Debug)]
struct Link {
    stream: UnixStream,
    reader: FrameReader,
    out: SendQueue,
}

/// What became of the connection.
#[derive(Debug)]
pub(super) enum Event {
    /// The daemon said welcome: register, then send what waits.
    Up,
    /// The connection is lost.
    Lost,
    /// There is no daemon at the socket.
    Missing {
        /// Failures in a row, this one included.
        failures: u32,
    },
    /// The daemon orders something.
    Order(HostOrder),
}

impl Uplink {
    /// Not connected; the first attempt is due at once.
    pub(super) fn new(socket: PathBuf, generation: Generation, now: Instant) -> Self {
        Self { socket, generation, state: State::Down { retry_at: now }, failures: 0 }
    }

    /// Whether facts can be sent.
    pub(super) fn is_up(&self) -> bool {
        matches!(self.state, State::Up { .. })
    }

    /// The version of the daemon's protocol that both sides speak, while the connection is up.
    pub(super) fn version(&self) -> Option<u32> {
        match self.state {
            State::Up { version, .. } => Some(version),
            State::Down { .. } | State::Greeting { .. } => None,
        }
    }

    /// Whether something can still come of the connection, or of the first attempt at one.
    pub(super) fn is_alive(&self) -> bool {
        !matches!(self.state, State::Down { .. }) || self.failures == 0
    }

    /// When [`Uplink::on_time`] is due.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        match self.state {
            State::Down { retry_at } => Some(retry_at),
            State::Greeting { deadline, .. } => Some(deadline),
            State::Up { .. } => None,
        }
    }

    /// What to poll, and whether for writing, too.
    pub(super) fn fd(&self) -> Option<(BorrowedFd<'_>, bool)> {
        match &self.state {
            State::Down { .. } => None,
            State::Greeting { link, .. } | State::Up { link, .. } => {
                Some((link.stream.as_fd(), !link.out.is_empty()))
            }
        }
    }

    /// Carries out what is due.
    pub(super) fn on_time(&mut self, now: Instant) -> Option<Event> {
        match &self.state {
            State::Down { retry_at } if now >= *retry_at => self.connect(now),
            State::Greeting { deadline, .. } if now >= *deadline => Some(self.lose(now)),
            _ => None,
        }
    }

    /// Sends one message if the connection is up.
    pub(super) fn send(&mut self, message: &ToDaemon, now: Instant) -> Option<Event> {
        let State::Up { link, .. } = &mut self.state else { return None };
        let taken = link.out.push(message).is_ok_and(|()| link.out.len() <= MAX_WAITING_BYTES)
            && link.out.flush(&link.stream).is_ok();
        (!taken).then(|| self.lose(now))
    }

    /// The socket is ready: writes, reads, and says what happened.
    pub(super) fn on_ready(&mut self, now: Instant) -> Vec<Event> {
        let mut events = Vec::new();
        if let Err(error) = self.exchange(now, &mut events) {
            tracing::info!("the connection to the daemon ended: {error}");
            events.push(self.lose(now));
        }
        events
    }

    fn exchange(&mut self, now: Instant, events: &mut Vec<Event>) -> io::Result<()> {
        let (State::Greeting { link, .. } | State::Up { link, .. }) = &mut self.state else { return Ok(()) };
        link.out.flush(&link.stream)?;
        let open = read_available(link)?;
        if matches!(self.state, State::Greeting { .. }) && self.read_welcome(now)? {
            events.push(Event::Up);
        }
        if let State::Up { link, .. } = &mut self.state {
            while let Some(message) = link.reader.next_message().map_err(io::Error::other)? {
                if let FromDaemon::Order(order) = message {
                    events.push(Event::Order(order));
                }
            }
        }
        if open { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn read_welcome(&mut self, now: Instant) -> io::Result<bool> {
        let State::Greeting { link, .. } = &mut self.state else { return Ok(false) };
        match link.reader.next_message().map_err(io::Error::other)? {
            None => Ok(false),
            Some(HelloReply::Refused(refused)) => Err(io::Error::other(refused.refusal)),
            Some(HelloReply::Welcome(welcome)) => {
                self.failures = 0;
                let down = State::Down { retry_at: now };
                if let State::Greeting { link, .. } = std::mem::replace(&mut self.state, down) {
                    self.state = State::Up { link, version: welcome.version };
                }
                Ok(true)
            }
        }
    }

    fn connect(&mut self, now: Instant) -> Option<Event> {
        match self.dial() {
            Ok(link) => {
                self.state = State::Greeting { link, deadline: now + ANSWER_DEADLINE };
                None
            }
            Err(error) => {
                tracing::debug!("no daemon: {error}");
                self.fail(now);
                Some(Event::Missing { failures: self.failures })
            }
        }
    }

    /// Connects and says hello; the answer comes later.
    fn dial(&self) -> io::Result<Link> {
        let stream = connect_at_once(&self.socket).map_err(io::Error::other)?;
        let mut link = Link { stream, reader: FrameReader::new(), out: SendQueue::default() };
        let hello = Hello {
            versions: COORDINATOR_PROTOCOL,
            role: Role::Host,
            build: crate::BUILD.to_owned(),
            generation: Some(self.generation.clone()),
            process: crate::process::own_identity(),
        };
        link.out.push(&hello).map_err(io::Error::other)?;
        link.out.flush(&link.stream)?;
        Ok(link)
    }

    fn lose(&mut self, now: Instant) -> Event {
        self.fail(now);
        Event::Lost
    }

    fn fail(&mut self, now: Instant) {
        let longest = FIRST_DELAY.saturating_mul(1 << self.failures.min(8)).min(LONGEST_DELAY);
        self.failures = self.failures.saturating_add(1);
        self.state = State::Down { retry_at: now + longest.mul_f64(0.5 + 0.5 * fraction()) };
    }
}

fn read_available(link: &mut Link) -> io::Result<bool> {
    let mut chunk = [0; 16 * 1024];
    let mut total = 0;
    while total < READ_BYTES {
        match link.stream.read(&mut chunk) {
            Ok(0) => return Ok(false),
            Ok(count) => {
                link.reader.push(chunk.get(..count).unwrap_or_default());
                total += count;
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

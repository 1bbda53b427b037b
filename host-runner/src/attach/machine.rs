//! The attach client as a pure machine: messages and moments in, actions out (reference E.4, E.6).
//!
//! Order on every connection: hello, attach, reconcile, subscribe; then a snapshot or the missed chunks, then live
//! output without gaps. After a gap, an interrupted or a stalled snapshot: a fresh one, never stitching. A changed
//! generation voids the cursor.

use board_protocol::{
    hello::{HelloReply, Refused},
    host::{AttachMode, AttachRequest, Exit, FromHost, PlainLeft, TerminalLook, ToHost},
    ids::{Generation, OutputSeq, Size},
    refusal::Refusal,
};
use std::time::{Duration, Instant};

/// How often a lost host is tried again (reference E.6).
pub const RETRY_EVERY: Duration = Duration::from_millis(150);
/// How long a host that was lost may stay away (reference E.6).
pub const LOST_FOR: Duration = Duration::from_secs(15);
/// How long a host may take to come up at all (reference E.6).
pub const START_FOR: Duration = Duration::from_secs(120);
/// How long hello and reconcile may take before the connection is made anew, or done without (reference E.4).
const ANSWER_WITHIN: Duration = Duration::from_millis(1500);
/// How long a snapshot may take from one message to the next (reference E.4b).
const SNAPSHOT_WITHIN: Duration = Duration::from_secs(3);
/// After this many failed snapshots the tries become rarer (reference E.4).
const FAILED_SNAPSHOTS: u32 = 3;
/// How rare.
const SNAPSHOT_RETRY: Duration = Duration::from_secs(5);
/// Most bytes of one snapshot: more is not a terminal's screen.
const MAX_SNAPSHOT_BYTES: usize = 32 * 1024 * 1024;

/// What the shim has to do, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Connect to the host and say hello.
    Dial,
    /// Close the connection.
    HangUp,
    /// Send this.
    Send(ToHost),
    /// Show this screen, drawn for this size, instead of everything before.
    Snapshot {
        /// The size that it was drawn for.
        size: Size,
        /// Bytes for a terminal.
        bytes: Vec<u8>,
    },
    /// Show this after what was shown.
    Output(Vec<u8>),
    /// The connection is there, or not any more: what to tell the person.
    Connected(Connected),
    /// What was typed while nobody took it will not arrive: another host came.
    InputDropped,
    /// What the key Left does from here on.
    Left(PlainLeft),
    /// It is over.
    End(Ending),
}

/// Whether the session's host is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connected {
    /// It is.
    Yes,
    /// It was; it is tried again.
    Lost,
}

/// How an attach ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The person left.
    Detached,
    /// The program ended.
    Exited(Exit),
    /// The connection was lost and did not come back.
    HostGone,
    /// There never was one.
    NotReachable,
    /// The host speaks another version, or does not want this client.
    Refused(Refusal),
}

#[derive(Debug, Clone, PartialEq)]
enum State {
    Down { retry_at: Instant },
    Greeting { deadline: Instant },
    Reconciling { deadline: Instant },
    Collecting { deadline: Instant, snapshot: Option<Snapshot> },
    Live,
    Leaving { deadline: Instant },
    Over,
}

#[derive(Debug, Clone, PartialEq)]
struct Snapshot {
    seq: Option<OutputSeq>,
    size: Size,
    bytes: Vec<u8>,
    /// Live output that came between its parts.
    after: Vec<Vec<u8>>,
}

/// The client.
#[derive(Debug)]
pub struct Machine {
    request: AttachRequest,
    state: State,
    /// The host's generation and the last chunk that is shown.
    generation: Option<Generation>,
    shown: Option<OutputSeq>,
    failed_snapshots: u32,
    /// When to give up unless a connection is made.
    give_up_at: Instant,
    was_connected: bool,
    /// The terminal's look changed after the host was told.
    look_is_due: bool,
    /// What was typed while nobody took it. The caller keeps it short.
    kept: Vec<u8>,
}

impl Machine {
    /// A client that is not connected yet.
    pub fn new(request: AttachRequest, now: Instant) -> Self {
        Self {
            request,
            state: State::Down { retry_at: now },
            generation: None,
            shown: None,
            failed_snapshots: 0,
            give_up_at: now + START_FOR,
            was_connected: false,
            look_is_due: false,
            kept: Vec::new(),
        }
    }

    /// Whether a host takes what is typed now; without one it is kept.
    pub fn takes_input(&self) -> bool {
        matches!(self.state, State::Collecting { .. } | State::Live)
    }

    /// Bytes that are kept for a host.
    pub fn kept_input(&self) -> usize {
        self.kept.len()
    }

    /// Whether the host was there and is looked for again.
    pub fn is_lost(&self) -> bool {
        self.was_connected && matches!(self.state, State::Down { .. } | State::Greeting { .. })
    }

    /// Whether output is current.
    pub fn is_live(&self) -> bool {
        self.state == State::Live
    }

    /// When [`Machine::on_time`] is due.
    pub fn next_deadline(&self) -> Option<Instant> {
        match self.state {
            State::Down { retry_at } => Some(retry_at),
            State::Greeting { deadline }
            | State::Reconciling { deadline }
            | State::Collecting { deadline, .. }
            | State::Leaving { deadline } => Some(deadline),
            State::Live | State::Over => None,
        }
    }

    /// Carries out what is due.
    pub fn on_time(&mut self, now: Instant) -> Vec<Action> {
        if self.next_deadline().is_none_or(|deadline| now < deadline) {
            return Vec::new();
        }
        match &self.state {
            State::Down { .. } => {
                self.state = State::Greeting { deadline: now + ANSWER_WITHIN };
                vec![Action::Dial]
            }
            State::Greeting { .. } => self.on_lost(now),
            State::Reconciling { .. } => self.subscribe(now),
            State::Collecting { .. } => self.resync(now),
            State::Leaving { .. } => self.end(Ending::Detached),
            State::Live | State::Over => Vec::new(),
        }
    }

    /// The connection could not be made, or broke.
    pub fn on_lost(&mut self, now: Instant) -> Vec<Action> {
        match self.state {
            State::Over | State::Down { .. } => return Vec::new(),
            State::Leaving { .. } => return self.end(Ending::Detached),
            State::Greeting { .. } => {}
            State::Reconciling { .. } | State::Collecting { .. } | State::Live => {
                self.give_up_at = now + LOST_FOR;
            }
        }
        if now >= self.give_up_at {
            return self.end(if self.was_connected { Ending::HostGone } else { Ending::NotReachable });
        }
        self.state = State::Down { retry_at: now + RETRY_EVERY };
        let mut actions = vec![Action::HangUp];
        if self.was_connected {
            actions.push(Action::Connected(Connected::Lost));
        }
        actions
    }

    /// The host answered the hello.
    pub fn on_hello(&mut self, reply: HelloReply, now: Instant) -> Vec<Action> {
        if !matches!(self.state, State::Greeting { .. }) {
            return Vec::new();
        }
        match reply {
            HelloReply::Refused(Refused { refusal, .. }) => self.end(Ending::Refused(refusal)),
            HelloReply::Welcome(welcome) => {
                let mut actions = self.adopt(&welcome.generation);
                self.was_connected = true;
                self.state = State::Reconciling { deadline: now + ANSWER_WITHIN };
                self.look_is_due = false;
                actions.push(Action::Send(ToHost::Attach(self.request.clone())));
                actions.push(Action::Send(ToHost::Reconcile));
                actions
            }
        }
    }

    /// The host says something.
    pub fn on_message(&mut self, message: FromHost, now: Instant) -> Vec<Action> {
        if self.state == State::Over {
            return Vec::new();
        }
        match message {
            FromHost::Exited(exit) => self.end(Ending::Exited(exit)),
            FromHost::Detached => self.end(Ending::Detached),
            FromHost::Reconciled { generation, .. } => {
                if !matches!(self.state, State::Reconciling { .. }) {
                    return Vec::new();
                }
                let mut actions = self.adopt(&generation);
                actions.extend(self.subscribe(now));
                actions
            }
            FromHost::SnapshotBegin { snapshot_seq, size, generation, .. } => {
                self.begin(snapshot_seq, size, &generation, now)
            }
            FromHost::SnapshotFrame { data } => self.frame(&data, now),
            FromHost::SnapshotEnd { next_seq } => self.finish(next_seq, now),
            FromHost::Output { seq, data } => self.output(seq, data, now),
            FromHost::Editor { plain_left } => vec![Action::Left(plain_left)],
            // The snapshot that follows carries the size.
            FromHost::Resized(_) | FromHost::Screen { .. } | FromHost::EventTaken => Vec::new(),
            FromHost::Refused(refusal) => match self.state {
                // Without an answer to attach, reconcile or subscribe there is nothing to show.
                State::Reconciling { .. } => self.end(Ending::Refused(refusal)),
                _ => Vec::new(),
            },
        }
    }

    /// The person typed. What comes while nobody takes it follows once the same host does, and is never sent twice.
    pub fn on_input(&mut self, mut data: Vec<u8>) -> Vec<Action> {
        if data.is_empty() || self.request.mode == AttachMode::ReadOnly {
            return Vec::new();
        }
        match self.state {
            State::Collecting { .. } | State::Live => vec![Action::Send(ToHost::Input { data })],
            State::Down { .. } | State::Greeting { .. } | State::Reconciling { .. } => {
                self.kept.append(&mut data);
                Vec::new()
            }
            State::Leaving { .. } | State::Over => Vec::new(),
        }
    }

    /// What the terminal looks like is known now. The host is told by the attach, or by a second one, which changes
    /// nothing else; an older host refuses that, to no harm once the screen was asked for.
    pub fn on_look(&mut self, look: TerminalLook) -> Vec<Action> {
        if self.request.look == look {
            return Vec::new();
        }
        self.request.look = look;
        match self.state {
            State::Collecting { .. } | State::Live => vec![self.attach_again()],
            State::Reconciling { .. } => {
                self.look_is_due = true;
                Vec::new()
            }
            State::Down { .. } | State::Greeting { .. } | State::Leaving { .. } | State::Over => Vec::new(),
        }
    }

    fn attach_again(&self) -> Action {
        Action::Send(ToHost::Attach(self.request.clone()))
    }

    /// The terminal has another size. Bytes that were made for the old one are not shown any more: a fresh screen comes.
    pub fn on_resize(&mut self, size: Size, now: Instant) -> Vec<Action> {
        self.request.size = size;
        match self.state {
            State::Collecting { .. } | State::Live => {
                let mut actions = vec![Action::Send(ToHost::Resize(size))];
                actions.extend(self.resync(now));
                actions
            }
            // The host has the size that the pane was born with: zellij gives the real one a moment later. What is asked
            // for next comes in the new one.
            State::Reconciling { .. } => vec![Action::Send(ToHost::Resize(size))],
            // Not told yet: the size goes with the next attach, if there is one.
            State::Down { .. } | State::Greeting { .. } | State::Leaving { .. } | State::Over => Vec::new(),
        }
    }

    /// The person leaves.
    pub fn detach(&mut self, now: Instant) -> Vec<Action> {
        match self.state {
            State::Reconciling { .. } | State::Collecting { .. } | State::Live => {
                self.state = State::Leaving { deadline: now + ANSWER_WITHIN };
                vec![Action::Send(ToHost::Detach)]
            }
            State::Over | State::Leaving { .. } => Vec::new(),
            State::Down { .. } | State::Greeting { .. } => self.end(Ending::Detached),
        }
    }

    fn end(&mut self, ending: Ending) -> Vec<Action> {
        self.state = State::Over;
        vec![Action::End(ending)]
    }

    fn adopt(&mut self, generation: &Generation) -> Vec<Action> {
        if self.generation.as_ref() == Some(generation) {
            return Vec::new();
        }
        let first = self.generation.replace(generation.clone()).is_none();
        self.shown = None;
        // Words for one program are not words for the next.
        if first || self.kept.is_empty() {
            return Vec::new();
        }
        self.kept.clear();
        vec![Action::InputDropped]
    }

    fn subscribe(&mut self, now: Instant) -> Vec<Action> {
        let since = self.shown;
        // With a cursor the missed chunks may follow without a snapshot.
        self.state = if since.is_some() {
            State::Live
        } else {
            State::Collecting { deadline: now + SNAPSHOT_WITHIN, snapshot: None }
        };
        let mut actions = vec![Action::Send(ToHost::Subscribe { since }), Action::Connected(Connected::Yes)];
        if std::mem::take(&mut self.look_is_due) {
            actions.push(self.attach_again());
        }
        if !self.kept.is_empty() {
            actions.push(Action::Send(ToHost::Input { data: std::mem::take(&mut self.kept) }));
        }
        actions
    }

    /// Asks for a fresh screen.
    fn resync(&mut self, now: Instant) -> Vec<Action> {
        let mut patience = SNAPSHOT_WITHIN;
        if matches!(self.state, State::Collecting { .. }) {
            self.failed_snapshots = self.failed_snapshots.saturating_add(1);
            if self.failed_snapshots >= FAILED_SNAPSHOTS {
                patience = SNAPSHOT_RETRY;
            }
        }
        self.shown = None;
        self.state = State::Collecting { deadline: now + patience, snapshot: None };
        vec![Action::Send(ToHost::Subscribe { since: None })]
    }

    fn begin(
        &mut self,
        seq: Option<OutputSeq>,
        size: Size,
        generation: &Generation,
        now: Instant,
    ) -> Vec<Action> {
        // A host sends one unasked after a change of size and to a client that fell behind.
        if !matches!(self.state, State::Collecting { .. } | State::Live) {
            return Vec::new();
        }
        let actions = self.adopt(generation);
        self.shown = None;
        let snapshot = Snapshot { seq, size, bytes: Vec::new(), after: Vec::new() };
        self.state = State::Collecting { deadline: now + SNAPSHOT_WITHIN, snapshot: Some(snapshot) };
        actions
    }

    fn frame(&mut self, data: &[u8], now: Instant) -> Vec<Action> {
        match &mut self.state {
            State::Collecting { deadline, snapshot: Some(snapshot) }
                if snapshot.bytes.len() + data.len() <= MAX_SNAPSHOT_BYTES =>
            {
                *deadline = now + SNAPSHOT_WITHIN;
                snapshot.bytes.extend_from_slice(data);
                Vec::new()
            }
            State::Collecting { .. } | State::Live => self.resync(now),
            _ => Vec::new(),
        }
    }

    fn finish(&mut self, next: OutputSeq, now: Instant) -> Vec<Action> {
        let State::Collecting { snapshot, .. } = &mut self.state else { return Vec::new() };
        let Some(snapshot) = snapshot.take() else { return self.resync(now) };
        let last = OutputSeq(snapshot.seq.unwrap_or_default().0 + snapshot.after.len() as u64);
        if next != last.next() {
            return self.resync(now);
        }
        self.shown = Some(last);
        self.failed_snapshots = 0;
        self.state = State::Live;
        let mut actions = vec![Action::Snapshot { size: snapshot.size, bytes: snapshot.bytes }];
        actions.extend(snapshot.after.into_iter().map(Action::Output));
        actions
    }

    fn output(&mut self, seq: OutputSeq, data: Vec<u8>, now: Instant) -> Vec<Action> {
        match &mut self.state {
            State::Live => {
                let shown = self.shown.unwrap_or_default();
                if seq <= shown {
                    return Vec::new();
                }
                if seq != shown.next() {
                    return self.resync(now);
                }
                self.shown = Some(seq);
                vec![Action::Output(data)]
            }
            State::Collecting { snapshot: Some(snapshot), .. } => {
                let last = OutputSeq(snapshot.seq.unwrap_or_default().0 + snapshot.after.len() as u64);
                if seq <= last {
                    return Vec::new();
                }
                if seq != last.next() {
                    return self.resync(now);
                }
                snapshot.after.push(data);
                Vec::new()
            }
            // Left over from before a fresh screen was asked for: its snapshot holds it.
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
#[path = "machine/tests.rs"]
mod tests;

//! The attach client as a pure machine: messages and moments in, actions out (reference E.4, E.6).
//!
//! Order on every connection: hello, attach, reconcile, subscribe; then a snapshot or the missed chunks, then live
//! output without gaps. After a gap, an interrupted or a stalled snapshot: a fresh one, never stitching. A changed
//! generation voids the cursor. A host that does not answer the first subscription has no snapshots: its output is shown as
//! it comes, and it is made to draw everything by a change of size ([`super::jiggle`]).

mod action;
mod snapshot;
mod stream;
mod undecided;
mod waits;

pub use action::{Action, Condition, Ending, Mode, Snapshots};

use super::jiggle::Jiggle;
use board_protocol::{
    hello::{HelloReply, Refused},
    host::{AttachMode, AttachRequest, FromHost, TerminalLook, ToHost},
    ids::{Generation, OutputSeq, Size},
};
use snapshot::Arriving;
use std::time::{Duration, Instant};
use undecided::Undecided;

/// How often a lost host is tried again (reference E.6).
pub const RETRY_EVERY: Duration = Duration::from_millis(150);
/// How long a host that was lost may stay away (reference E.6).
pub const LOST_FOR: Duration = Duration::from_secs(15);
/// How long a host may take to come up at all (reference E.6).
pub const START_FOR: Duration = Duration::from_secs(120);
/// How long hello and reconcile may take before the connection is made anew, or done without, and how long the first answer
/// to a subscription may take before the host is taken for one without snapshots (reference E.4).
const ANSWER_WITHIN: Duration = Duration::from_millis(1500);
/// How long a snapshot may take from one message to the next (reference E.4b).
const SNAPSHOT_WITHIN: Duration = Duration::from_secs(3);
/// After this many failed snapshots the tries become rarer, and the person is told (reference E.4).
const FAILED_SNAPSHOTS: u32 = 3;
/// How rare.
const SNAPSHOT_RETRY: Duration = Duration::from_secs(5);
/// The first version of the host's protocol that has [`FromHost::Unnumbered`].
const KNOWS_UNNUMBERED: u32 = 3;
/// Where the picture of a host without snapshots starts: an empty screen.
const EMPTY_SCREEN: &[u8] = b"\x18\x1b[?1049l\x1b[!p\x1b[m\x1b[H\x1b[J";

/// Where the client is. The names are those of reference E.4; without a connection there are two more.
#[derive(Debug)]
enum State {
    /// No connection until then.
    Disconnected {
        retry_at: Instant,
    },
    /// Hello was said.
    Greeting {
        deadline: Instant,
    },
    /// Attach and reconcile were said.
    Reconciling {
        deadline: Instant,
    },
    /// The first subscription ever; nothing came back yet.
    Probing {
        deadline: Instant,
    },
    /// A snapshot arrives.
    Collecting {
        deadline: Instant,
        snapshot: Arriving,
    },
    /// A fresh snapshot was asked for. What still comes belongs to the time before.
    Resyncing {
        deadline: Instant,
    },
    /// Everything up to `shown` is on the screen.
    Live,
    /// The host sends no snapshots.
    Legacy {
        jiggle: Jiggle,
    },
    /// The person left; the host's goodbye is waited for.
    Leaving {
        deadline: Instant,
    },
    Closed,
}

/// The client.
#[derive(Debug)]
pub struct Machine {
    request: AttachRequest,
    snapshots: Snapshots,
    state: State,
    /// The host's generation and the last chunk that is shown.
    generation: Option<Generation>,
    shown: Option<OutputSeq>,
    /// What the host speaks.
    version: u32,
    /// The way that was told last.
    mode: Option<Mode>,
    undecided: Undecided,
    failed_snapshots: u32,
    /// When to give up unless a connection is made.
    give_up_at: Instant,
    was_connected: bool,
    /// The terminal's look changed after the host was told.
    look_is_due: bool,
    /// What was typed while nobody took it. The caller keeps it short.
    kept: Vec<u8>,
    waits: waits::Waits,
}

impl Machine {
    /// A client that is not connected yet.
    pub fn new(request: AttachRequest, snapshots: Snapshots, now: Instant) -> Self {
        Self {
            request,
            snapshots,
            state: State::Disconnected { retry_at: now },
            generation: None,
            shown: None,
            version: 0,
            mode: None,
            undecided: Undecided::default(),
            failed_snapshots: 0,
            give_up_at: now + START_FOR,
            was_connected: false,
            look_is_due: false,
            kept: Vec::new(),
            waits: waits::Waits::default(),
        }
    }

    /// Whether output is current.
    pub fn is_live(&self) -> bool {
        matches!(self.state, State::Live | State::Legacy { .. })
    }

    /// Whether a host takes what is typed now; without one it is kept.
    pub fn takes_input(&self) -> bool {
        self.is_live()
            || matches!(
                self.state,
                State::Probing { .. } | State::Collecting { .. } | State::Resyncing { .. }
            )
    }

    /// Bytes that are kept for a host.
    pub fn kept_input(&self) -> usize {
        self.kept.len()
    }

    /// What the person may know.
    pub fn condition(&self) -> Condition {
        match self.state {
            State::Disconnected { .. } | State::Greeting { .. } if self.was_connected => Condition::Lost,
            State::Collecting { .. } | State::Resyncing { .. }
                if self.failed_snapshots >= FAILED_SNAPSHOTS =>
            {
                Condition::NoScreen
            }
            _ => Condition::Fine,
        }
    }

    /// When [`Machine::on_time`] is due.
    pub fn next_deadline(&self) -> Option<Instant> {
        match &self.state {
            State::Disconnected { retry_at } => Some(*retry_at),
            State::Greeting { deadline }
            | State::Reconciling { deadline }
            | State::Probing { deadline }
            | State::Collecting { deadline, .. }
            | State::Resyncing { deadline }
            | State::Leaving { deadline } => Some(*deadline),
            State::Legacy { jiggle } => jiggle.next_deadline(),
            State::Live | State::Closed => None,
        }
    }

    /// Carries out what is due.
    pub fn on_time(&mut self, now: Instant) -> Vec<Action> {
        if self.next_deadline().is_none_or(|deadline| now < deadline) {
            return Vec::new();
        }
        match &mut self.state {
            State::Disconnected { .. } => {
                self.state = State::Greeting { deadline: now + ANSWER_WITHIN };
                vec![Action::Dial]
            }
            State::Greeting { .. } => self.on_lost(now),
            State::Reconciling { .. } => self.subscribe(now),
            State::Probing { .. } => self.go_legacy(now),
            State::Collecting { .. } | State::Resyncing { .. } => self.resync(now),
            State::Legacy { jiggle } => sizes(jiggle.on_time(now)),
            State::Leaving { .. } => self.end(Ending::Detached),
            State::Live | State::Closed => Vec::new(),
        }
    }

    /// The connection could not be made, or broke.
    pub fn on_lost(&mut self, now: Instant) -> Vec<Action> {
        match self.state {
            State::Closed | State::Disconnected { .. } => return Vec::new(),
            State::Leaving { .. } => return self.end(Ending::Detached),
            State::Greeting { .. } => {}
            _ => self.give_up_at = now + LOST_FOR,
        }
        if now >= self.give_up_at {
            return self.end(if self.was_connected { Ending::HostGone } else { Ending::NotReachable });
        }
        self.state = State::Disconnected { retry_at: now + RETRY_EVERY };
        let mut actions = vec![Action::HangUp];
        if self.was_connected {
            actions.push(Action::Condition);
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
                self.version = welcome.version;
                self.was_connected = true;
                self.state = State::Reconciling { deadline: now + ANSWER_WITHIN };
                self.look_is_due = false;
                self.waits.is_connected();
                actions.push(Action::Send(ToHost::Attach(self.request.clone())));
                actions.push(Action::Send(ToHost::Reconcile));
                actions
            }
        }
    }

    /// The host says something.
    pub fn on_message(&mut self, message: FromHost, now: Instant) -> Vec<Action> {
        if matches!(self.state, State::Closed) {
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
                actions.extend(self.waits_not_said());
                actions.extend(self.subscribe(now));
                actions
            }
            FromHost::SnapshotBegin { snapshot_seq, size, generation, .. } => {
                self.begin(snapshot_seq, size, &generation, now)
            }
            FromHost::SnapshotFrame { data } => self.frame(&data, now),
            FromHost::SnapshotEnd { next_seq } => self.finish(next_seq, now),
            FromHost::Output { seq, data } => self.output(seq, data, now),
            FromHost::Unnumbered { data } => self.unnumbered(data, now),
            FromHost::Editor { plain_left } => vec![Action::Left(plain_left)],
            // The snapshot that follows carries the size.
            FromHost::Resized(_) | FromHost::Screen { .. } | FromHost::EventTaken => Vec::new(),
            // Only an agent asks what `Terminal` answers.
            FromHost::Terminal { .. } => Vec::new(),
            FromHost::Waiting(waiting) => self.waiting(waiting, now),
            FromHost::Refused(refusal) => self.refused(refusal, now),
        }
    }

    /// The person typed. What comes while nobody takes it follows once the same host does, and is never sent twice.
    pub fn on_input(&mut self, mut data: Vec<u8>) -> Vec<Action> {
        if data.is_empty() || self.request.mode == AttachMode::ReadOnly {
            return Vec::new();
        }
        if self.takes_input() {
            return vec![Action::Send(ToHost::Input { data })];
        }
        if !matches!(self.state, State::Leaving { .. } | State::Closed) {
            self.kept.append(&mut data);
        }
        Vec::new()
    }

    /// What the terminal looks like is known now. The host is told by the attach, or by a second one, which changes
    /// nothing else; an older host refuses that, to no harm once the screen was asked for.
    pub fn on_look(&mut self, look: TerminalLook) -> Vec<Action> {
        if self.request.look == look {
            return Vec::new();
        }
        self.request.look = look;
        if self.takes_input() {
            return vec![self.attach_again()];
        }
        // Before the attach it goes with that.
        self.look_is_due = matches!(self.state, State::Reconciling { .. });
        Vec::new()
    }

    fn attach_again(&self) -> Action {
        Action::Send(ToHost::Attach(self.request.clone()))
    }

    /// The terminal has another size. Bytes that were made for the old one are not shown any more: a fresh screen comes.
    pub fn on_resize(&mut self, size: Size, now: Instant) -> Vec<Action> {
        self.request.size = size;
        let told = Action::Send(ToHost::Resize(size));
        match &mut self.state {
            State::Collecting { .. } | State::Resyncing { .. } | State::Live => {
                let mut actions = vec![told];
                actions.extend(self.resync(now));
                actions
            }
            // The host has the size that the pane was born with: zellij gives the real one a moment later. What is asked
            // for next comes in the new one; a first subscription that is on its way is answered by a second snapshot.
            State::Reconciling { .. } | State::Probing { .. } => vec![told],
            State::Legacy { jiggle } => {
                jiggle.on_resize();
                vec![told, Action::Snapshot { size, bytes: EMPTY_SCREEN.to_vec() }]
            }
            // Not told yet: the size goes with the next attach, if there is one.
            State::Disconnected { .. } | State::Greeting { .. } | State::Leaving { .. } | State::Closed => {
                Vec::new()
            }
        }
    }

    /// The person leaves.
    pub fn detach(&mut self, now: Instant) -> Vec<Action> {
        // A size that was only held for a moment is given back first (reference E.7).
        let mut actions = match &mut self.state {
            State::Closed | State::Leaving { .. } => return Vec::new(),
            State::Disconnected { .. } | State::Greeting { .. } => return self.end(Ending::Detached),
            State::Legacy { jiggle } => sizes(jiggle.stop()),
            _ => Vec::new(),
        };
        self.state = State::Leaving { deadline: now + ANSWER_WITHIN };
        actions.push(Action::Send(ToHost::Detach));
        actions
    }

    fn end(&mut self, ending: Ending) -> Vec<Action> {
        self.state = State::Closed;
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

    /// A host that was one with snapshots once is never probed again (reference E.4b).
    fn subscribe(&mut self, now: Instant) -> Vec<Action> {
        let mut actions = Vec::new();
        let off = self.snapshots == Snapshots::Off && self.version >= KNOWS_UNNUMBERED;
        if off || self.mode == Some(Mode::Legacy) {
            actions = self.go_legacy(now);
        } else {
            let since = self.shown;
            // With a cursor the missed chunks may follow without a snapshot.
            self.state = match (since, self.mode) {
                (Some(_), _) => State::Live,
                (None, Some(_)) => State::Resyncing { deadline: now + SNAPSHOT_WITHIN },
                (None, None) => State::Probing { deadline: now + ANSWER_WITHIN },
            };
            actions.push(Action::Send(ToHost::Subscribe { since }));
        }
        actions.push(Action::Condition);
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
        let mut actions = vec![Action::Send(ToHost::Subscribe { since: None })];
        let mut patience = SNAPSHOT_WITHIN;
        if matches!(self.state, State::Collecting { .. } | State::Resyncing { .. }) {
            self.failed_snapshots = self.failed_snapshots.saturating_add(1);
            if self.failed_snapshots >= FAILED_SNAPSHOTS {
                patience = SNAPSHOT_RETRY;
                actions.push(Action::Condition);
            }
        }
        self.shown = None;
        self.state = State::Resyncing { deadline: now + patience };
        actions
    }
}

/// The sizes that the host is told, one after the other.
fn sizes(sizes: Vec<Size>) -> Vec<Action> {
    sizes.into_iter().map(|size| Action::Send(ToHost::Resize(size))).collect()
}

#[cfg(test)]
mod tests;

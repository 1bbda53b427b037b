//! The one child that carries lines to the plugin: when it lives, what it carries, and when its silence means that it
//! must be replaced.
//!
//! Part of [`super::Machine`]. zellij gives a line to every instance and reads the next one only when all have taken it.
//! So a batch ends with a ping, and the next batch leaves only after somebody answered it; one instance that never
//! answers (a foreign plugin at its permission prompt, field report H1) costs a second, then the child is replaced.

use super::{Output, encode};
use crate::link::{address::Address, machine::backoff};
use board_protocol::{
    ids::Generation,
    pipe::{Down, DownLine, InstanceId},
};
use std::{collections::VecDeque, time::Duration};

/// At most one batch in this time, after the first one, which goes at once.
pub(super) const BATCH_EVERY: Duration = Duration::from_millis(50);
/// A batch that nobody acknowledged for this long is stuck. It doubles with every stuck batch in a row: on a machine that
/// is merely slow, replacing children makes it slower.
pub(super) const ACK_LIMIT: Duration = Duration::from_secs(1);
/// The same for the first batch of a child, which has to start and to connect first.
pub(super) const FIRST_ACK_LIMIT: Duration = Duration::from_secs(2);
/// The doubling ends here.
const LONGEST_ACK_LIMIT: Duration = Duration::from_secs(8);
/// A new down child at most this often.
pub(super) const REPLACE_EVERY: Duration = Duration::from_millis(500);
/// Between the end of a child and the start of the next: zellij gives the id of a client that ended to the next one at
/// once and removes it twice, and the second time it is the newcomer that never hears of anything again (measured). It
/// doubles with every stuck batch, because a slow machine removes slowly too.
pub(super) const PAUSE: Duration = Duration::from_millis(250);
/// After a stuck batch everybody is addressed for this long, unless that is stuck too; then the cheaper address is tried
/// again.
pub(super) const BROADCAST_FOR: Duration = Duration::from_secs(10);
/// When nothing else is said, a ping is: an instance born meanwhile learns the up pipe from it before it starts a link
/// of its own (two seconds), and a plugin that died silently is noticed. zellij writes a line into its log for each.
pub(super) const IDLE_PING: Duration = Duration::from_millis(1500);
/// Most bytes of one batch before its ping. The kernel's pipe takes 64 KiB, so that a write never waits for zellij.
const BATCH_BYTES: usize = 32 * 1024;
/// Most outcomes and pane requests that wait; the oldest goes first.
const MAX_TOLD: usize = 256;

/// Lines that are with the child.
#[derive(Debug)]
struct Flight {
    ping: u64,
    lines: Vec<Down>,
    since: Duration,
}

/// The child and what it carries.
#[derive(Debug, Default)]
pub(super) struct DownChild {
    /// Whether there is one, and whom it addresses.
    child: Option<Option<Address>>,
    started: Option<Duration>,
    /// Something that went through this child was acknowledged.
    proven: bool,
    not_before: Duration,
    ends: u32,
    broadcast_until: Duration,
    introduce: bool,
    health: bool,
    /// Outcomes and pane requests: each is delivered, none stands for another.
    told: VecDeque<Down>,
    /// Lines of the current batch that the child has not got yet.
    outbox: VecDeque<Down>,
    /// A batch was put together; it may be a ping alone.
    batch_waits: bool,
    flight: Option<Flight>,
    /// Batches in a row that nobody acknowledged.
    stuck: u32,
    last_ping: u64,
    last_batch: Option<Duration>,
    last_write: Duration,
}

impl DownChild {
    /// Says hello with the next batch, and then everything else.
    pub(super) fn introduce(&mut self) {
        self.introduce = true;
        self.health = true;
    }

    /// Reports the daemon's health with the next batch.
    pub(super) fn report_health(&mut self) {
        self.health = true;
    }

    pub(super) fn take_introduction(&mut self) -> bool {
        std::mem::take(&mut self.introduce)
    }

    pub(super) fn take_health(&mut self) -> bool {
        std::mem::take(&mut self.health)
    }

    /// Queues something that is not a state: it is said once.
    pub(super) fn tell(&mut self, line: Down) {
        if self.told.len() >= MAX_TOLD {
            self.told.pop_front();
        }
        self.told.push_back(line);
    }

    /// Queues something of which only the newest counts.
    pub(super) fn tell_newest(&mut self, line: Down) {
        let kind = std::mem::discriminant(&line);
        self.told.retain(|waiting| std::mem::discriminant(waiting) != kind);
        self.tell(line);
    }

    /// Pages on their way are of no use any more.
    pub(super) fn forget_pages(&mut self) {
        self.outbox.retain(|line| !is_board(line));
    }

    /// An answer that nobody waits for any more need not go down.
    pub(super) fn forget_answers(&mut self, to: InstanceId, of: Option<u64>) {
        let wanted = |line: &Down| !matches!(line, Down::QueryPage { instance, number, .. } if *instance == to && Some(*number) == of);
        self.told.retain(wanted);
        self.outbox.retain(wanted);
    }

    /// Somebody has read everything up to this ping.
    pub(super) fn acknowledged(&mut self, number: u64, now: Duration) {
        if self.flight.as_ref().is_some_and(|flight| flight.ping == number) {
            self.flight = None;
            self.proven = true;
            self.ends = 0;
            self.stuck = 0;
            self.last_write = now;
        }
    }

    /// The child ended by itself: nothing that it had is known to have arrived.
    pub(super) fn ended(&mut self, now: Duration) {
        if self.child.take().is_some() {
            self.requeue(0);
            self.ends = self.ends.saturating_add(1);
            self.not_before = now + backoff(self.ends);
        }
    }

    /// There is nobody to speak to. What became of intents is said to whoever comes back; a wish about a pane is not: by
    /// then the person is elsewhere.
    pub(super) fn stop(&mut self, now: Duration, out: &mut Vec<Output>) {
        self.kill(now, out);
        self.requeue(0);
        let told = std::mem::take(&mut self.told);
        let kept = self.outbox.drain(..).chain(told).filter(|line| matches!(line, Down::Outcome { .. }));
        self.told = kept.collect();
        self.batch_waits = false;
        self.stuck = 0;
    }

    /// Batches in a row that nobody acknowledged.
    pub(super) fn stuck_in_a_row(&self) -> u32 {
        self.stuck
    }

    fn kill(&mut self, now: Duration, out: &mut Vec<Output>) {
        if self.child.take().is_none() {
            return;
        }
        out.push(Output::StopDown);
        let pause = now + PAUSE.saturating_mul(1 << self.stuck.min(3));
        self.not_before = self.started.map_or(pause, |started| (started + REPLACE_EVERY).max(pause));
    }

    /// Puts what was with the child back in front, but for the first `delivered` lines.
    fn requeue(&mut self, delivered: usize) {
        if let Some(flight) = self.flight.take() {
            for line in flight.lines.into_iter().skip(delivered).rev() {
                self.outbox.push_front(line);
            }
        }
    }

    fn ack_limit(&self) -> Duration {
        let first = if self.proven { ACK_LIMIT } else { FIRST_ACK_LIMIT };
        first.saturating_mul(1 << self.stuck.min(8)).min(LONGEST_ACK_LIMIT)
    }

    fn replace_stuck(&mut self, now: Duration, out: &mut Vec<Output>) {
        // The first line after an acknowledged batch has been handed to every instance, whichever of them is stuck, and
        // only the others are still with the child: delivering it again would do things twice. A child that has not
        // proven itself may never have connected; its first line is tried once more.
        let delivered = usize::from(self.proven || self.stuck > 0);
        self.requeue(delivered);
        self.stuck = self.stuck.saturating_add(1);
        // Addressed lines that are stuck go to everybody; a broadcast that is stuck is tried at the address again.
        let was_broadcast = self.child.as_ref().is_some_and(Option::is_none);
        self.broadcast_until = if was_broadcast { now } else { now + BROADCAST_FOR };
        self.kill(now, out);
    }

    /// Starts, replaces or leaves the child, so that it reaches `address` and is not stuck.
    pub(super) fn keep_child(
        &mut self,
        now: Duration,
        address: Option<Address>,
        session: Option<&String>,
        out: &mut Vec<Output>,
    ) {
        if self.flight.as_ref().is_some_and(|flight| now >= flight.since + self.ack_limit()) {
            self.replace_stuck(now, out);
        }
        let address = address.filter(|_| now >= self.broadcast_until);
        let idle = self.flight.is_none();
        if self.child.as_ref().is_some_and(|current| *current != address) && idle {
            self.kill(now, out);
        }
        if self.child.is_none() && now >= self.not_before {
            self.child = Some(address.clone());
            self.started = Some(now);
            self.proven = false;
            // A child must have a line at once: zellij counts one without as a person.
            self.last_batch = None;
            out.push(Output::StartDown { session: session.cloned(), address });
        }
    }

    /// Whether the next batch may be put together: the last one is through, and something is to be said.
    pub(super) fn may_fill(&self, now: Duration, board_is_due: bool) -> bool {
        self.child.is_some()
            && self.flight.is_none()
            && self.outbox.is_empty()
            && !self.batch_waits
            && self.last_batch.is_none_or(|last| now >= last + BATCH_EVERY)
            && (self.something_waits(board_is_due) || self.last_batch.is_none() || self.ping_is_due(now))
    }

    fn something_waits(&self, board_is_due: bool) -> bool {
        self.introduce || self.health || board_is_due || !self.told.is_empty()
    }

    fn ping_is_due(&self, now: Duration) -> bool {
        now >= self.last_write + IDLE_PING
    }

    /// Takes the lines of a new batch; with none of them it is a ping alone.
    pub(super) fn fill(&mut self, lines: Vec<Down>) {
        // A hello comes first; what was told is older than the board that follows it.
        let mut lines = VecDeque::from(lines);
        while matches!(lines.front(), Some(Down::Hello(_) | Down::Daemon(_))) {
            self.outbox.extend(lines.pop_front());
        }
        self.outbox.extend(self.told.drain(..));
        self.outbox.extend(lines);
        self.batch_waits = true;
        self.last_batch = None;
    }

    /// Hands the next lines to the child, if it is ready for them.
    pub(super) fn write(&mut self, now: Duration, up: &str, link: &Generation, out: &mut Vec<Output>) {
        let anything = self.batch_waits || !self.outbox.is_empty();
        if self.child.is_none() || self.flight.is_some() || !anything {
            return;
        }
        self.batch_waits = false;
        self.last_ping += 1;
        let ping = self.last_ping;
        let mut bytes = Vec::new();
        let mut lines = Vec::new();
        let line =
            |down: &Down| encode(&DownLine { up: up.to_owned(), link: link.clone(), down: down.clone() });
        while let Some(next) = self.outbox.front() {
            let encoded = line(next).unwrap_or_default();
            if !bytes.is_empty() && bytes.len() + encoded.len() > BATCH_BYTES {
                break;
            }
            bytes.extend(encoded);
            lines.extend(self.outbox.pop_front());
        }
        bytes.extend(line(&Down::Ping { number: ping }).unwrap_or_default());
        self.flight = Some(Flight { ping, lines, since: now });
        self.last_batch.get_or_insert(now);
        self.last_write = now;
        out.push(Output::Write(bytes));
    }

    /// When the child wants a tick, given that somebody listens.
    pub(super) fn next_deadline(&self, board_is_due: bool) -> Option<Duration> {
        if self.child.is_none() {
            return Some(self.not_before);
        }
        if let Some(flight) = &self.flight {
            return Some(flight.since.saturating_add(self.ack_limit()));
        }
        let next_batch = self.last_batch.map_or(Duration::ZERO, |last| last + BATCH_EVERY);
        if self.batch_waits || !self.outbox.is_empty() {
            Some(Duration::ZERO)
        } else if self.something_waits(board_is_due) {
            Some(next_batch)
        } else {
            Some(next_batch.max(self.last_write + IDLE_PING))
        }
    }
}

fn is_board(line: &Down) -> bool {
    matches!(line, Down::Page { .. } | Down::Delta { .. })
}

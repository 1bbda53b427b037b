//! The program's life, the stop, the facts about it, and the host's own end.

use super::{event_loop::Host, outbox::Outbox, owned::Owned, stop::Step, tree::Tree, uplink};
use crate::{
    agents::{event::EditorState, launching::write_prompt},
    client::{coordinator_is_off, spawn_daemon},
    spool,
};
use board_protocol::{
    daemon::ToDaemon,
    host::{
        Exit, FromHost, HostFact, HostOrder, HostRegistration, MAX_LAST_SCREEN_BYTES, MAX_STOP_GRACE_MS,
        ScreenFormat, SpooledFact, TextField,
    },
    ids::UnixMs,
};
use board_text::host as texts;
use rustix::process::{Signal, WaitStatus};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// How long the daemon may take to commit the last facts before they go to the disk, and a client to read the end.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Failures in a row before a host starts a daemon itself: the first retries find one that is being started already.
const FAILURES_BEFORE_SPAWN: u32 = 2;
/// How long a daemon that was started may take before the next try.
const SPAWN_EVERY: Duration = Duration::from_secs(10);

impl Host {
    /// Starts the program and says so.
    pub(super) fn start_program(&mut self, now: Instant) {
        let Some(pty) = &self.pty else { return };
        if let Some(prompt) = &self.launch.prompt
            && let Err(error) = write_anew(Path::new(&prompt.path), &prompt.text)
        {
            let text = texts::cannot_write_prompt(&prompt.path, &error);
            return self.fail_to_start(text, now);
        }
        match pty.spawn(&self.launch) {
            Ok(child) => {
                self.child = Some(child);
                self.tree = Some(Tree::new(child, self.launch.session.as_str()));
                self.report(HostFact::ChildStarted { child }, now);
            }
            Err(error) => self.fail_to_start(error, now),
        }
        // It is the program's; a host has no use for it and may run for months.
        self.launch.environment = Vec::new();
        self.launch.prompt = None;
    }

    /// There is no program: says why, and ends.
    pub(super) fn fail_to_start(&mut self, error: String, now: Instant) {
        tracing::warn!("{error}");
        self.report(HostFact::ChildStartFailed { error }, now);
        self.leave_by = Some(now + LAST_WORDS);
        self.listener = None;
    }

    /// Children ended: the program, or orphans of it.
    pub(super) fn reap(&mut self, now: Instant) {
        let child = self.child.map(|child| child.pid);
        let mut ended = None;
        self.signals.reap(|pid, status| {
            if Some(pid) == child {
                ended = exit_of(status);
            }
        });
        if let Some(exit) = ended {
            self.exit = Some(exit);
            self.drain_pty(now);
            if !self.stop.is_asked() {
                self.announce_end(exit, now);
            }
        }
    }

    /// Carries a stop on. With it over, the session ends, whatever became of the program.
    pub(super) fn advance_stop(&mut self, now: Instant) {
        if self.leave_by.is_some() || !self.stop.is_asked() {
            return;
        }
        let tree = &mut self.tree;
        let exit = self.exit;
        let grace = Duration::from_millis(self.launch.settings.stop_grace_ms.min(MAX_STOP_GRACE_MS).into());
        let step = self.stop.on(now, grace, || tree.as_mut().is_some_and(Tree::refresh) || exit.is_none());
        if let (Some(step @ (Step::Terminate | Step::Kill)), Some(tree)) = (step, &mut self.tree) {
            tree.refresh();
            tree.signal(if step == Step::Kill { Signal::KILL } else { Signal::TERM });
            // A stopped process takes SIGTERM only once it goes on.
            if step == Step::Terminate {
                tree.signal(Signal::CONT);
            }
        }
        if self.stop.is_over() {
            let exit = self.exit.unwrap_or(Exit::Signal(Signal::KILL.as_raw()));
            self.announce_end(exit, now);
        }
    }

    /// The program ended: last screen, facts, goodbye to everybody. Happens once.
    fn announce_end(&mut self, exit: Exit, now: Instant) {
        if self.leave_by.is_some() {
            return;
        }
        self.exit = Some(exit);
        self.drain_pty(now);
        self.screen_log.write(&self.screen);
        // An agent reads the text of its terminal, so that is what stays of one; of any other it is the picture.
        let text = self.owned.as_ref().map(Owned::last_text).filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| self.screen.text(0, ScreenFormat::Text));
        let last_screen = tail(&text, MAX_LAST_SCREEN_BYTES).to_owned();
        let mut strays = Vec::new();
        if let Some(tree) = &mut self.tree {
            tree.refresh();
            strays = tree.survivors();
            strays.extend(tree.strays());
        }
        self.give_words_back(now);
        // What was typed before the end is told before it.
        if let Some(at) = self.typed_since.take() {
            self.report_of(HostFact::PersonTyped, at, now);
        }
        self.report(HostFact::ChildExited { exit, last_screen, strays }, now);
        let deadline = now + LAST_WORDS;
        self.leave_by = Some(deadline);
        self.listener = None;
        // Whoever waits hears of the end before the connection closes.
        self.tend_waits(now);
        for client in &mut self.clients {
            if client.attached.is_some()
                && let Err(error) = client.send(&FromHost::Exited(exit))
            {
                client.drop_at_once(now, &error);
            }
            client.leave(deadline);
        }
    }

    /// Keeps a fact and sends it, or writes it to the disk while the daemon is away. `false`: there is no room.
    pub(super) fn report(&mut self, fact: HostFact, now: Instant) -> bool {
        self.report_of(fact, Self::wall_clock(), now)
    }

    /// The same, of something that happened a moment ago.
    pub(super) fn report_of(&mut self, fact: HostFact, at: UnixMs, now: Instant) -> bool {
        if self.revoked {
            return true;
        }
        let Some(waiting) = self.outbox.add(fact, at) else { return false };
        if self.uplink.is_up() {
            let message =
                ToDaemon::HostReported { seq: waiting.seq, at_ms: waiting.at_ms, fact: waiting.fact.clone() };
            let event = self.uplink.send(&message, now);
            self.on_uplink_maybe(event, now);
        } else if !self.uplink.is_alive() {
            self.spool_rest();
        }
        true
    }

    /// Copies every fact that waits to the disk.
    pub(super) fn spool_rest(&mut self) {
        let (session, generation) = (&self.launch.session, &self.launch.generation);
        for waiting in self.outbox.unspooled() {
            let fact = SpooledFact {
                session: session.clone(),
                generation: Some(generation.clone()),
                seq: Some(waiting.seq),
                at_ms: waiting.at_ms,
                fact: waiting.fact.clone(),
            };
            match spool::write(&self.root, &fact) {
                Ok(()) => waiting.spooled = true,
                Err(error) => {
                    tracing::error!("fact {} cannot be written to the spool: {error}", waiting.seq);
                    return;
                }
            }
        }
    }

    /// [`Host::on_uplink`], if anything happened.
    pub(super) fn on_uplink_maybe(&mut self, event: Option<uplink::Event>, now: Instant) {
        if let Some(event) = event {
            self.on_uplink(event, now);
        }
    }

    /// Something happened to the connection to the daemon.
    pub(super) fn on_uplink(&mut self, event: uplink::Event, now: Instant) {
        match event {
            uplink::Event::Up => self.register(now),
            uplink::Event::Lost => self.spool_rest(),
            uplink::Event::Missing { failures } => {
                self.spool_rest();
                self.start_daemon(failures, now);
            }
            uplink::Event::Order(order) => self.obey(order, now),
        }
    }

    fn register(&mut self, now: Instant) {
        let registration = ToDaemon::HostRegistered(HostRegistration {
            session: self.launch.session.clone(),
            generation: self.launch.generation.clone(),
            token: self.launch.token.clone(),
            process: self.process,
            child: self.child,
            socket: self.launch.socket.clone(),
            size: self.screen.size(),
            attached: self.attached(),
            text_field: match self.editor {
                EditorState::Empty => Some(TextField::Empty),
                EditorState::HasText => Some(TextField::HasText),
                EditorState::Unknown => None,
            },
            waits: self.owned.as_ref().map(|owned| owned.waits.list()).unwrap_or_default(),
        });
        let waiting = self.outbox.waiting().map(|waiting| ToDaemon::HostReported {
            seq: waiting.seq,
            at_ms: waiting.at_ms,
            fact: waiting.fact.clone(),
        });
        let lost =
            std::iter::once(registration).chain(waiting).find_map(|message| self.uplink.send(&message, now));
        self.on_uplink_maybe(lost, now);
    }

    /// Decision 17: a daemon that crashed is started again, one that a person shut down is not.
    fn start_daemon(&mut self, failures: u32, now: Instant) {
        let recent = self.last_spawn.is_some_and(|last| now.duration_since(last) < SPAWN_EVERY);
        if failures < FAILURES_BEFORE_SPAWN || recent || self.root.shutdown_marker().exists() {
            return;
        }
        // It was started without one, and every command reads the spool.
        if coordinator_is_off() {
            return;
        }
        self.last_spawn = Some(now);
        if let Err(error) = spawn_daemon(&self.root) {
            tracing::warn!("the daemon cannot be started: {error}");
        }
    }

    fn obey(&mut self, order: HostOrder, now: Instant) {
        match order {
            HostOrder::Adopted => {}
            HostOrder::Acknowledge { seq } => self.outbox.acknowledge(seq),
            HostOrder::Interrupt { key } => {
                if let Some(pty) = &mut self.pty {
                    pty.type_in(&key);
                }
            }
            HostOrder::Stop => self.stop.ask(),
            HostOrder::Reclaim => self.reclaim(now),
            HostOrder::SkipWaits { number } => self.skip_waits_for(number, now),
            HostOrder::Deliver { item, text, typing } => self.deliver(item, text, typing, now),
            HostOrder::Revoked { reason } => {
                tracing::warn!("this host ends: {reason}");
                self.revoked = true;
                self.outbox = Outbox::default();
                self.stop.ask();
            }
        }
    }

    /// Whether the host may leave: the end is announced, everybody read it, and the daemon or the disk has the facts.
    pub(super) fn is_done(&mut self, now: Instant) -> bool {
        let Some(leave_by) = self.leave_by else { return false };
        let told =
            self.outbox.is_empty() || !self.uplink.is_alive() && self.outbox.unspooled().next().is_none();
        now >= leave_by || (told && self.clients.is_empty())
    }
}

/// Writes a prompt to a private file. What is there is from an earlier life, in which it was not read.
fn write_anew(path: &Path, prompt: &str) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    write_prompt(path, prompt)
}

/// How a process ended; `None` when it was only stopped or continued.
/// How a child ended; `None` for one that only stopped.
pub(crate) fn exit_of(status: WaitStatus) -> Option<Exit> {
    let code = status.exit_status().map(Exit::Code);
    code.or_else(|| status.terminating_signal().map(Exit::Signal))
}

/// The last `limit` bytes of a text, from the start of a line where there is one.
fn tail(text: &str, limit: usize) -> &str {
    let from = (text.len().saturating_sub(limit)..=text.len()).find(|at| text.is_char_boundary(*at));
    let rest = from.and_then(|from| text.get(from..)).unwrap_or_default();
    if rest.len() == text.len() { rest } else { rest.split_once('\n').map_or(rest, |(_, lines)| lines) }
}

//! Clients of the host's socket: greeting, attaching, typing, reading the screen, events of the agent.

use super::{
    client::{Attached, Client, ClientId, Message, Phase},
    event_loop::Host,
    reports::{SchemeReports, Speaker, speaker},
    size::Sight,
};
use crate::{terminal::SubscribePlan, wire::ANSWER_DEADLINE};
use board_protocol::{
    hello::{Agreement, HOST_PROTOCOL, Hello, HelloReply, Refused, Role, Welcome},
    host::{
        AgentReport, AttachMode, AttachRequest, AttachedClient, FromHost, HostFact, MAX_EVENT_BYTES,
        MAX_HISTORY_LINES, PlainLeft, ScreenFormat, ToHost,
    },
    ids::OutputSeq,
    refusal::{Refusal, RefusalKind},
};
use board_text::host as texts;
use rustix::event::PollFlags;
use std::{
    io,
    time::{Duration, Instant},
};

/// How long a client that is told goodbye may take to read it (reference E.6).
const GOODBYE: Duration = Duration::from_secs(1);
/// Most bytes in one message of typing: twice what a client reads at once. Longer pastes come in several.
pub(super) const MAX_INPUT_BYTES: usize = 256 * 1024;
/// The private mode of a program that wants to hear when the terminal's colours change.
const REPORTS_SCHEME: u16 = 2031;
/// How often a person's line ends are reported.
const TYPED_EVERY: Duration = Duration::from_secs(1);
/// How long after the last client, or after output that nobody looked at, the ring keeps its full size (reference E.2).
pub(super) const SHRINK_AFTER: Duration = Duration::from_secs(30);

impl Host {
    /// Takes new connections.
    pub(super) fn accept(&mut self, now: Instant) {
        while self.clients.len() < super::event_loop::MAX_CLIENTS
            && let Some(stream) = self.listener.as_ref().and_then(super::socket::Listener::accept)
        {
            self.last_client = ClientId(self.last_client.0 + 1);
            self.clients.push(Client::new(self.last_client, stream, now + ANSWER_DEADLINE));
        }
    }

    /// A client's socket is ready.
    pub(super) fn on_client(&mut self, id: ClientId, flags: PollFlags, now: Instant) {
        let Some(client) = self.clients.iter_mut().find(|client| client.id == id) else { return };
        if !flags.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
            return;
        }
        // One bad frame costs its connection, nothing else: what was read before it still counts.
        let mut outcome = client.read();
        while let Some(client) = self.clients.iter_mut().find(|client| client.id == id) {
            let step = match client.next_message() {
                Ok(None) => break,
                Ok(Some(Message::Hello(hello))) => self.on_hello(id, &hello, now),
                Ok(Some(Message::Request(request))) => self.on_request(id, request, now),
                Err(error) => {
                    if let Some(count) = self.complaints.add(now) {
                        tracing::warn!(
                            count,
                            "broken connections are dropped, the last one for this: {error}"
                        );
                    }
                    Err(io::Error::other(error))
                }
            };
            if let Err(error) = step {
                outcome = Err(error);
                break;
            }
        }
        self.client_mut(id, |client| match outcome {
            Ok(true) => {}
            Ok(false) => client.drop_at_once(now, &"it closed the connection"),
            Err(error) => client.drop_at_once(now, &error),
        });
    }

    /// Does something to a client if it is still there.
    pub(super) fn client_mut(&mut self, id: ClientId, work: impl FnOnce(&mut Client)) {
        if let Some(client) = self.clients.iter_mut().find(|client| client.id == id) {
            work(client);
        }
    }

    fn send(&mut self, id: ClientId, message: &FromHost) -> io::Result<()> {
        match self.clients.iter_mut().find(|client| client.id == id) {
            Some(client) => client.send(message),
            None => Ok(()),
        }
    }

    pub(super) fn refuse(&mut self, id: ClientId, kind: RefusalKind, text: &str) -> io::Result<()> {
        self.send(id, &FromHost::Refused(Refusal::new(kind, text)))
    }

    /// Whether a client may come as this.
    fn serves(&self, role: Role) -> bool {
        match role {
            Role::Attach | Role::Viewer | Role::Cli | Role::Hook => true,
            Role::Agent => self.owned.is_some(),
            Role::Link | Role::Host => false,
        }
    }

    fn on_hello(&mut self, id: ClientId, hello: &Hello, now: Instant) -> io::Result<()> {
        let refusal = match (HOST_PROTOCOL.agree_with(hello.versions), hello.role) {
            (Agreement::Speak(version), role) if self.serves(role) => {
                let welcome = HelloReply::Welcome(Welcome {
                    version,
                    build: crate::BUILD.to_owned(),
                    generation: self.launch.generation.clone(),
                    process: self.process,
                });
                if let Some(client) = self.clients.iter_mut().find(|client| client.id == id) {
                    client.phase = Phase::Ready { role: hello.role, version };
                    client.send(&welcome)?;
                }
                return Ok(());
            }
            (Agreement::Speak(_), _) => Refusal::new(RefusalKind::Forbidden, texts::only_serves()),
            (Agreement::TheyAreOlder, _) => {
                Refusal::new(RefusalKind::Version, texts::client_older(&hello.build, crate::BUILD))
            }
            (Agreement::TheyAreNewer, _) => {
                Refusal::new(RefusalKind::Version, texts::host_older(crate::BUILD, &hello.build))
            }
        };
        let (versions, build, process) = (HOST_PROTOCOL, crate::BUILD.to_owned(), self.process);
        if let Some(client) = self.clients.iter_mut().find(|client| client.id == id) {
            client.send(&HelloReply::Refused(Refused { versions, build, process, refusal }))?;
            client.leave(now + GOODBYE);
        }
        Ok(())
    }

    fn on_request(&mut self, id: ClientId, request: ToHost, now: Instant) -> io::Result<()> {
        let Some(client) = self.clients.iter().find(|client| client.id == id) else { return Ok(()) };
        let Phase::Ready { role, .. } = client.phase else { return Ok(()) };
        let mode = client.attached.as_ref().map(|attached| attached.mode);
        if let (Some(exit), Role::Attach) = (self.exit, role)
            && self.leave_by.is_some()
        {
            self.send(id, &FromHost::Exited(exit))?;
            self.client_mut(id, |client| client.leave(now + GOODBYE));
            return Ok(());
        }
        match (request, role, mode) {
            (ToHost::ReadScreen { format, scrollback }, Role::Attach | Role::Viewer | Role::Cli, _) => {
                self.read_screen(id, format, scrollback)
            }
            (ToHost::Event(report), Role::Hook, _) => self.on_event(id, report, now),
            (ToHost::Terminal { id: question, token, ask }, Role::Agent, _) => {
                self.on_terminal(id, question, &token, ask, now);
                Ok(())
            }
            (ToHost::SkipWaits, Role::Attach, Some(mode)) => self.skip_waits_of_client(id, mode),
            (ToHost::Attach(request), Role::Attach, None) => {
                self.attach(id, request, now);
                Ok(())
            }
            // A second one says what the client's terminal turned out to look like; everything else stays.
            (ToHost::Attach(request), Role::Attach, Some(_)) => {
                self.client_mut(id, |client| {
                    if let Some(attached) = &mut client.attached {
                        attached.look = request.look;
                    }
                });
                Ok(())
            }
            (ToHost::Reconcile, Role::Attach, Some(_)) => {
                let reconciled = FromHost::Reconciled {
                    generation: self.launch.generation.clone(),
                    last_seq: self.screen.last(),
                    size: self.screen.size(),
                };
                self.send(id, &reconciled)
            }
            (ToHost::Subscribe { since }, Role::Attach, Some(_)) => self.subscribe(id, since),
            (ToHost::Input { data }, Role::Attach, Some(AttachMode::Interactive))
                if data.len() > MAX_INPUT_BYTES =>
            {
                self.refuse(id, RefusalKind::Limit, texts::typed_too_much())
            }
            (ToHost::Input { data }, Role::Attach, Some(AttachMode::Interactive)) => {
                self.type_in(id, &data, now);
                Ok(())
            }
            (ToHost::Resize(size), Role::Attach, Some(mode)) => {
                if mode == AttachMode::Interactive {
                    let sight = if client.is_subscribed() { Sight::Snapshots } else { Sight::Unnumbered };
                    self.sizes.resized(id, size, sight);
                    self.apply_size();
                }
                Ok(())
            }
            (ToHost::Detach, Role::Attach, Some(_)) => self.detach(id, now),
            (ToHost::Input { .. }, _, Some(AttachMode::ReadOnly)) => {
                self.refuse(id, RefusalKind::Forbidden, texts::only_looks())
            }
            _ => self.refuse(id, RefusalKind::BadInput, texts::not_now()),
        }
    }

    fn attach(&mut self, id: ClientId, request: AttachRequest, now: Instant) {
        let AttachRequest { size, mode, place, look, scrollback } = request;
        self.client_mut(id, |client| client.attached = Some(Attached { mode, place, look, scrollback }));
        if mode == AttachMode::Interactive {
            self.sizes.attached(id, size);
            self.apply_size();
        }
        self.shrink_at = None;
        // Without a word plain Left is typed.
        if self.plain_left != PlainLeft::Typed {
            self.tell_editor(Some(id), now);
        }
        self.tell_waits_to(id, now);
        let attached = self.attached();
        self.report(HostFact::AttachedChanged { attached, left: None }, now);
    }

    /// Everybody who is attached.
    pub(super) fn attached(&self) -> Vec<AttachedClient> {
        let here = self.clients.iter().filter(|client| !matches!(client.phase, Phase::Leaving { .. }));
        here.filter_map(|client| client.attached.as_ref())
            .map(|attached| AttachedClient { mode: attached.mode, place: attached.place })
            .collect()
    }

    fn subscribe(&mut self, id: ClientId, since: Option<OutputSeq>) -> io::Result<()> {
        match self.screen.plan(since) {
            SubscribePlan::Snapshot { cause } => self.send_snapshot(id, cause),
            SubscribePlan::Replay { .. } => {
                let Some(client) = self.clients.iter_mut().find(|client| client.id == id) else {
                    return Ok(());
                };
                for (seq, data) in self.screen.after(since.unwrap_or_default()) {
                    client.send(&FromHost::Output { seq, data: data.to_vec() })?;
                }
                client.go_live(Vec::new());
                Ok(())
            }
        }
    }

    fn type_in(&mut self, id: ClientId, data: &[u8], now: Instant) {
        if speaker(data) == Speaker::Person {
            self.sizes.typed(id);
            self.apply_size();
            self.keys_at = Some(now);
        }
        let (screen, decides) = (&mut self.screen, self.sizes.owner() == Some(id));
        let data = self.scheme.pass(data, || match (screen.has_mode(REPORTS_SCHEME), decides) {
            (false, _) => SchemeReports::Unwanted,
            (true, true) => SchemeReports::Wanted,
            (true, false) => SchemeReports::Elsewhere,
        });
        self.type_keys(&data, now);
        if !ends_a_line(&data) {
            return;
        }
        if self.last_typed.is_none_or(|last| now.duration_since(last) >= TYPED_EVERY) {
            self.last_typed = Some(now);
            self.report(HostFact::PersonTyped, now);
        } else {
            // Reported with its own time once it is due: a verdict may have been given between the two.
            self.typed_since = Some(Self::wall_clock());
        }
    }

    /// When a line end that came soon after another one is reported.
    pub(super) fn typed_due(&self) -> Option<Instant> {
        self.typed_since.and(self.last_typed).map(|last| last + TYPED_EVERY)
    }

    /// Reports it.
    pub(super) fn report_typed(&mut self, now: Instant) {
        if self.typed_due().is_some_and(|due| now >= due)
            && let Some(at) = self.typed_since.take()
        {
            self.last_typed = Some(now);
            self.report_of(HostFact::PersonTyped, at, now);
        }
    }

    fn detach(&mut self, id: ClientId, now: Instant) -> io::Result<()> {
        self.send(id, &FromHost::Detached)?;
        let place = self
            .clients
            .iter()
            .find(|client| client.id == id)
            .and_then(|client| client.attached.as_ref().and_then(|attached| attached.place));
        self.client_mut(id, |client| client.leave(now + GOODBYE));
        self.forget(id, place, now);
        Ok(())
    }

    /// A client that was attached is gone. `left`: where a person detached on purpose.
    fn forget(&mut self, id: ClientId, left: Option<board_protocol::board::AttachPlace>, now: Instant) {
        self.client_mut(id, |client| client.attached = None);
        self.sizes.left(id);
        self.apply_size();
        let attached = self.attached();
        if attached.is_empty() {
            self.shrink_at = Some(now + SHRINK_AFTER);
        }
        self.report(HostFact::AttachedChanged { attached, left }, now);
    }

    /// Removes connections that are over.
    pub(super) fn remove_closed(&mut self, now: Instant) {
        let over = |client: &Client| client.is_over(now);
        if let Some(owned) = &mut self.owned {
            for client in self.clients.iter().filter(|client| over(client)) {
                owned.waits.lost(client.id);
            }
        }
        let gone: Vec<ClientId> =
            self.clients.iter().filter(|c| over(c) && c.attached.is_some()).map(|c| c.id).collect();
        self.clients.retain(|client| !over(client) || gone.contains(&client.id));
        for id in gone {
            self.forget(id, None, now);
            self.clients.retain(|client| client.id != id);
        }
    }

    fn read_screen(&mut self, id: ClientId, format: ScreenFormat, scrollback: u32) -> io::Result<()> {
        let lines = usize::try_from(scrollback.min(MAX_HISTORY_LINES)).unwrap_or(usize::MAX);
        let mut text = self.screen.text(lines, format);
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        match self.send(id, &FromHost::Screen { text }) {
            Err(error) if error.kind() == io::ErrorKind::Other => {
                self.refuse(id, RefusalKind::Limit, texts::history_too_long())
            }
            sent => sent,
        }
    }

    fn on_event(&mut self, id: ClientId, report: AgentReport, now: Instant) -> io::Result<()> {
        if report.token != self.launch.token {
            return self.refuse(id, RefusalKind::Forbidden, texts::wrong_token());
        }
        if report.payload.len() > MAX_EVENT_BYTES {
            return self.refuse(id, RefusalKind::Limit, texts::event_too_long());
        }
        self.follow_editor(&report, now);
        if self.report(HostFact::AgentReported(report), now) {
            self.send(id, &FromHost::EventTaken)
        } else {
            self.refuse(id, RefusalKind::Limit, texts::events_wait())
        }
    }
}

/// Whether a person ended a line: CR, LF, or Enter as the kitty keyboard protocol writes it.
fn ends_a_line(data: &[u8]) -> bool {
    data.iter().any(|byte| matches!(byte, b'\r' | b'\n'))
        || data.windows(4).any(|four| four == b"[13u" || four == b"[13;")
}

//! A terminal that belongs to an agent: its text, the waits on it, and what its agent asks (reference G).
//!
//! Only a host with a parent has one; others keep no text and take no question. Called by the loop, by `serve` for
//! clients, by `output` and `supervise` for what happens. It never types anything that its agent did not ask for.

use super::{
    client::{ClientId, Phase},
    event_loop::Host,
    pty::MAX_WAITING_INPUT,
    serve::MAX_INPUT_BYTES,
    waits::{Asked, Ended, Picture, Waits, in_short},
    writing::MAX_COOKED_LINE_BYTES,
};
use crate::terminal::{Needle, PlainText};
use board_protocol::{
    daemon::ToDaemon,
    host::{AttachMode, FromHost, ScreenFormat},
    ids::{Size, Token},
    refusal::{Refusal, RefusalKind},
    terminals::{Parent, TERMINAL_PAGE_LINES, TerminalAnswer, TerminalAsk, TerminalSignal},
};
use board_text::host as texts;
use rustix::process::Signal;
use std::{
    io,
    time::{Duration, Instant},
};

/// The first version of the host's protocol that has [`FromHost::Waiting`].
const KNOWS_WAITING: u32 = 4;
/// The first version of the daemon's protocol that has [`ToDaemon::HostWaits`].
const DAEMON_KNOWS_WAITS: u32 = 7;
/// How often the screen of a full-screen program is looked at while it draws: making text of it costs some tenths of a
/// millisecond.
const PICTURE_EVERY: Duration = Duration::from_millis(5);

/// What such a host has beside all others.
pub(super) struct Owned {
    parent: Parent,
    pub(super) text: PlainText,
    pub(super) waits: Waits,
    picture: Option<Picture>,
    pictures: u64,
    /// When the screen of a full-screen program is to be looked at.
    picture_at: Option<Instant>,
    last_picture: Option<Instant>,
}

impl Owned {
    pub(super) fn new(parent: Parent, size: Size) -> Self {
        Self {
            parent,
            text: PlainText::new(size),
            waits: Waits::default(),
            picture: None,
            pictures: 0,
            picture_at: None,
            last_picture: None,
        }
    }

    /// The program printed something.
    pub(super) fn printed(&mut self, output: &[u8], now: Instant) {
        if let Some(from) = self.text.feed(output) {
            self.waits.edited(from);
        }
        if !self.text.is_alternate() || self.waits.is_empty() {
            // An old one must not be looked at by the next wait.
            self.picture = None;
            self.picture_at = None;
        } else {
            let due = self.last_picture.map_or(now, |last| (last + PICTURE_EVERY).max(now));
            self.picture_at.get_or_insert(due);
        }
    }

    /// The end of the text, as lines that end with `\n`: a page of it.
    pub(super) fn last_text(&self) -> String {
        let page = self.text.page(None, TERMINAL_PAGE_LINES);
        page.lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
    }

    /// When the loop has to come back: at once while there is text to look at.
    pub(super) fn next_deadline(&self, now: Instant) -> Option<Instant> {
        if self.waits.is_empty() {
            return None;
        }
        let behind = self.waits.is_behind(&self.text, self.picture.as_ref()).then_some(now);
        behind.into_iter().chain(self.picture_at).chain(self.waits.next_deadline()).min()
    }
}

impl Host {
    /// Looks for what is waited for, answers waits that ended, and tells everybody who shows them. Once a turn.
    pub(super) fn tend_waits(&mut self, now: Instant) {
        let Some(owned) = &mut self.owned else { return };
        if owned.waits.is_empty() && !owned.waits.has_changed() {
            return;
        }
        // The terminal may lag behind a flood; a picture of the middle of it is of no use.
        if owned.picture_at.is_some_and(|at| now >= at) && self.screen.lag() == 0 {
            owned.picture_at = None;
            owned.last_picture = Some(now);
            owned.pictures += 1;
            let text = self.screen.text(0, ScreenFormat::Text);
            owned.picture = Some(Picture { number: owned.pictures, text });
        }
        if let Some(exit) = self.exit {
            owned.waits.exited(exit);
        }
        owned.waits.look(&owned.text, owned.picture.as_ref(), &mut Instant::now);
        let ended = owned.waits.ended(&owned.text, owned.picture.as_ref(), now);
        let changed = owned.waits.take_changed();
        for Ended { client, id, end, literal } in ended {
            self.answer(client, id, Ok(TerminalAnswer::Waited { end, literal }), now);
        }
        if changed {
            self.tell_waits(now);
        }
    }

    fn answer(&mut self, client: ClientId, id: u64, answer: Result<TerminalAnswer, Refusal>, now: Instant) {
        self.client_mut(client, |client| {
            let sent = client.send(&FromHost::Terminal { id, answer }).and_then(|()| client.flush());
            if let Err(error) = sent {
                client.drop_at_once(now, &error);
            }
        });
    }

    /// Tells everybody who shows the waits what they are now.
    fn tell_waits(&mut self, now: Instant) {
        let Some(owned) = &self.owned else { return };
        let waits = owned.waits.list();
        let message = FromHost::Waiting(in_short(&waits));
        for client in &mut self.clients {
            let knows = matches!(client.phase, Phase::Ready { version, .. } if version >= KNOWS_WAITING);
            if client.attached.is_some()
                && knows
                && let Err(error) = client.send(&message).and_then(|()| client.flush())
            {
                client.drop_at_once(now, &error);
            }
        }
        if !self.revoked && self.uplink.version().is_some_and(|version| version >= DAEMON_KNOWS_WAITS) {
            let event = self.uplink.send(&ToDaemon::HostWaits { waits }, now);
            self.on_uplink_maybe(event, now);
        }
    }

    /// Tells a client that has just attached, if there is something to tell.
    pub(super) fn tell_waits_to(&mut self, id: ClientId, now: Instant) {
        let Some(waiting) = self.owned.as_ref().and_then(|owned| in_short(&owned.waits.list())) else {
            return;
        };
        self.client_mut(id, |client| {
            let knows = matches!(client.phase, Phase::Ready { version, .. } if version >= KNOWS_WAITING);
            if knows && let Err(error) = client.send(&FromHost::Waiting(Some(waiting))) {
                client.drop_at_once(now, &error);
            }
        });
    }

    /// A person ends every wait; the result is how many there were.
    pub(super) fn skip_waits(&mut self) -> u32 {
        self.owned.as_mut().map_or(0, |owned| owned.waits.skip())
    }

    /// The daemon asks for it.
    pub(super) fn skip_waits_for(&mut self, number: u64, now: Instant) {
        let count = self.skip_waits();
        // Whoever asked hears of the waits' end first, and then how many there were.
        self.tend_waits(now);
        let event = self.uplink.send(&ToDaemon::WaitsSkipped { number, count }, now);
        self.on_uplink_maybe(event, now);
    }

    /// A person at an attach client asks for it. What comes of it is told to every client.
    pub(super) fn skip_waits_of_client(&mut self, id: ClientId, mode: AttachMode) -> io::Result<()> {
        if mode == AttachMode::ReadOnly {
            return self.refuse(id, RefusalKind::Forbidden, texts::only_looks_skips_nothing());
        }
        self.skip_waits();
        Ok(())
    }

    /// An agent asks something.
    pub(super) fn on_terminal(
        &mut self,
        client: ClientId,
        id: u64,
        token: &Token,
        ask: TerminalAsk,
        now: Instant,
    ) {
        let is_owner = self.owned.as_ref().is_some_and(|owned| same(&owned.parent.token, token));
        let answer = if is_owner {
            self.on_ask(client, id, ask, now)
        } else {
            // A terminal of another session looks like none.
            Err(Refusal::new(RefusalKind::UnknownSession, "there is no such terminal"))
        };
        match answer {
            Ok(Some(answer)) => self.answer(client, id, Ok(answer), now),
            Ok(None) => {}
            Err(refusal) => self.answer(client, id, Err(refusal), now),
        }
    }

    /// `None`: the answer comes later, or there is none.
    fn on_ask(
        &mut self,
        client: ClientId,
        id: u64,
        ask: TerminalAsk,
        now: Instant,
    ) -> Result<Option<TerminalAnswer>, Refusal> {
        match ask {
            TerminalAsk::Send { data } => self.send_input(&data, now).map(|()| Some(TerminalAnswer::Done)),
            TerminalAsk::Read { from, lines } => {
                Ok(self.owned.as_ref().map(|owned| TerminalAnswer::Text(owned.text.page(from, lines))))
            }
            TerminalAsk::Screen => Ok(Some(self.answer_screen())),
            TerminalAsk::WaitFor { needle, timeout_ms } => {
                self.begin_wait(client, id, &needle, timeout_ms, now).map(|()| None)
            }
            TerminalAsk::Cancel { wait } => {
                if let Some(owned) = &mut self.owned {
                    owned.waits.cancel(client, wait);
                }
                Ok(None)
            }
            TerminalAsk::Signal { signal } => {
                self.signal_program(signal, now).map(|()| Some(TerminalAnswer::Done))
            }
            TerminalAsk::Resize(size) => {
                self.sizes.asked(size);
                self.apply_size();
                Ok(Some(TerminalAnswer::Done))
            }
        }
    }

    fn begin_wait(
        &mut self,
        client: ClientId,
        id: u64,
        needle: &str,
        timeout_ms: u64,
        now: Instant,
    ) -> Result<(), Refusal> {
        let Some(owned) = &mut self.owned else { return Ok(()) };
        let needle =
            Needle::new(needle).map_err(|why| Refusal::new(RefusalKind::BadInput, why.to_string()))?;
        let asked = Asked { client, id, needle, since: Self::wall_clock(), timeout_ms };
        owned
            .waits
            .begin(asked, &owned.text, now)
            .map_err(|why| Refusal::new(why.kind(), why.to_string()))?;
        if owned.text.is_alternate() && owned.picture.is_none() {
            owned.picture_at = Some(now);
        }
        Ok(())
    }

    fn send_input(&mut self, data: &[u8], now: Instant) -> Result<(), Refusal> {
        let Some(pty) = self.pty.as_ref().filter(|_| self.exit.is_none()) else {
            return Err(ended());
        };
        if data.len() > MAX_INPUT_BYTES {
            let text = format!("at most {MAX_INPUT_BYTES} bytes can be sent at once: send them in parts");
            return Err(Refusal::new(RefusalKind::Limit, text));
        }
        let waiting = pty.waiting_input() + self.kept_keys.len();
        if waiting + data.len() > MAX_WAITING_INPUT {
            let text =
                format!("the program does not read: {waiting} bytes wait for it already; nothing was sent");
            return Err(Refusal::new(RefusalKind::Limit, text));
        }
        let longest = data.split(|byte| matches!(byte, b'\r' | b'\n')).map(<[u8]>::len).max().unwrap_or(0);
        if longest > MAX_COOKED_LINE_BYTES && pty.reads_lines() {
            let text = format!(
                "a line of {longest} bytes would be cut: the kernel hands this program {MAX_COOKED_LINE_BYTES} at most; nothing was sent"
            );
            return Err(Refusal::new(RefusalKind::BadInput, text));
        }
        self.type_keys(data, now);
        Ok(())
    }

    fn signal_program(&mut self, signal: TerminalSignal, now: Instant) -> Result<(), Refusal> {
        let signal = match signal {
            TerminalSignal::Int => return self.send_input(b"\x03", now),
            TerminalSignal::Quit => return self.send_input(b"\x1c", now),
            TerminalSignal::Tstp => return self.send_input(b"\x1a", now),
            TerminalSignal::Cont => Signal::CONT,
            TerminalSignal::Term => Signal::TERM,
            TerminalSignal::Kill => Signal::KILL,
            TerminalSignal::Hup => Signal::HUP,
            TerminalSignal::Usr1 => Signal::USR1,
            TerminalSignal::Usr2 => Signal::USR2,
            TerminalSignal::Winch => Signal::WINCH,
        };
        let Some(pty) = self.pty.as_ref().filter(|_| self.exit.is_none()) else { return Err(ended()) };
        pty.signal_foreground(signal).map_err(|error| {
            Refusal::new(RefusalKind::WrongState, format!("the signal cannot be sent: {error}"))
        })
    }

    fn answer_screen(&mut self) -> TerminalAnswer {
        let text = self.screen.text(0, ScreenFormat::Text);
        let (row, column) = self.screen.cursor();
        TerminalAnswer::Screen {
            lines: text.lines().map(str::to_owned).collect(),
            cursor: [column, row],
            size: self.screen.size(),
            cursor_keys: self.screen.cursor_keys(),
        }
    }
}

fn ended() -> Refusal {
    Refusal::new(RefusalKind::WrongState, "the terminal's program has ended")
}

/// Whether two secrets are one, without telling by the time how far they agree.
fn same(ours: &Token, theirs: &Token) -> bool {
    let (ours, theirs) = (ours.as_str().as_bytes(), theirs.as_str().as_bytes());
    let different = ours.iter().zip(theirs).fold(0, |all, (a, b)| all | (a ^ b));
    ours.len() == theirs.len() && different == 0
}

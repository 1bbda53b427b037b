//! The attach client's loop: terminal, socket and signals around the pure machine.
//!
//! The two ways to show a session are in `view`, what the pane is called in `caption`.

mod caption;
mod view;

use super::{
    banner::Banner,
    boundary::Boundary,
    chord::Chord,
    gate::{Admitted, Gate},
    ime::ImeFilter,
    keys::Typed,
    link::Link,
    machine::{Action, Ending, Machine, Mode},
    old_output,
    search::Search,
    signals::Signals,
    sync::SyncWatch,
    title::{Shown, Titles},
    tty::Tty,
    typing::Typing,
};
use crate::{config::ImeFix, polling::timespec};
use board_protocol::{
    daemon::HostEndpoint,
    frame,
    host::{AttachMode, LiveOutput, PlainLeft, ToHost},
    ids::Size,
};
use rustix::event::{PollFd, PollFlags, poll};
use std::{
    io::{self, Read},
    os::fd::AsFd,
    path::PathBuf,
    time::{Duration, Instant},
};
use view::View;

/// How much one wake reads from the host or the terminal.
const READ_BYTES: usize = 128 * 1024;
/// While this much waits for a terminal that does not read, the host is not read either: it makes room by snapshot.
const MAX_WAITING_OUTPUT: usize = 1024 * 1024;
/// Most typed bytes that wait for a host which does not read: a paste of 1 MiB (field report D3), many times over.
const MAX_WAITING_INPUT: usize = 4 * 1024 * 1024;
/// Most typed bytes that are kept for a host which is not connected yet or is looked for: more than anybody types blindly.
const MAX_KEPT_INPUT: usize = 64 * 1024;
/// How long the title says that something typed was dropped.
const NOTE_FOR: Duration = Duration::from_secs(5);
/// How long the title of a session that was just entered names the key that leaves it: long enough to be read once.
const WAY_OUT_FOR: Duration = Duration::from_secs(8);

/// How the loop ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The machine says how.
    Ended(Ending),
    /// The daemon says that there is no host any more.
    Gone(String),
    /// The terminal closed, or a signal asked to leave.
    Left,
}

pub(super) struct Shim {
    tty: Tty,
    pane: Size,
    machine: Machine,
    typing: Typing,
    gate: Gate,
    ime: ImeFilter,
    ime_deadline: Option<Instant>,
    sync: SyncWatch,
    /// Whether something of our own may be written between two bytes of the session's.
    boundary: Boundary,
    view: View,
    /// What stands above the session, while its agent waits for something there.
    banner: Option<Banner>,
    /// The key that the banner names.
    skip_key: Option<Chord>,
    link: Option<Link>,
    endpoint: HostEndpoint,
    search: Search,
    title: String,
    titles: Titles,
    /// The title changed and is not shown yet.
    title_due: bool,
    /// Until when the title says that something typed was dropped.
    dropped_until: Option<Instant>,
    /// The key that leaves the session, and until when the title names it.
    way_out: Option<(String, Instant)>,
    mode: AttachMode,
    /// The log of what the session printed.
    log: PathBuf,
    /// Its end is due with the next empty screen: nobody can give a snapshot.
    old_output_due: bool,
    outcome: Option<Outcome>,
    typed: Vec<u8>,
    shown: Vec<u8>,
}

/// Everything that the loop starts with.
pub(super) struct Setup {
    pub(super) tty: Tty,
    pub(super) pane: Size,
    pub(super) typing: Typing,
    pub(super) machine: Machine,
    pub(super) ime: ImeFix,
    pub(super) endpoint: HostEndpoint,
    pub(super) search: Search,
    pub(super) title: String,
    pub(super) titles: Titles,
    /// The key that leaves the session, if there is one.
    pub(super) way_out: Option<String>,
    /// The key that skips waits, if there is one and this client may.
    pub(super) skip_key: Option<Chord>,
    pub(super) mode: AttachMode,
    /// The log of what the session printed.
    pub(super) log: PathBuf,
}

impl Shim {
    pub(super) fn new(setup: Setup) -> Self {
        let Setup {
            tty,
            pane,
            typing,
            machine,
            ime,
            endpoint,
            search,
            title,
            titles,
            way_out,
            skip_key,
            mode,
            log,
        } = setup;
        let way_out = way_out.map(|key| (key, Instant::now() + WAY_OUT_FOR));
        Self {
            tty,
            pane,
            machine,
            typing,
            gate: Gate::default(),
            ime: ImeFilter::new(ime),
            ime_deadline: None,
            sync: SyncWatch::default(),
            boundary: Boundary::default(),
            view: View::Direct,
            banner: None,
            skip_key,
            link: None,
            endpoint,
            search,
            title,
            titles,
            title_due: false,
            dropped_until: None,
            way_out,
            mode,
            log,
            old_output_due: false,
            outcome: None,
            typed: Vec::new(),
            shown: Vec::new(),
        }
    }

    /// Runs until it is over. The terminal, which comes back with the outcome, is still as the session left it.
    pub(super) fn run(mut self, signals: &Signals) -> io::Result<(Tty, Outcome)> {
        let mut buffer = vec![0; READ_BYTES];
        loop {
            self.on_time(Instant::now());
            if let Some(outcome) = self.outcome.take() {
                self.tty.read_last_answers(&mut self.typing, &mut buffer);
                return Ok((self.tty, outcome));
            }
            self.turn(signals, &mut buffer)?;
        }
    }

    fn turn(&mut self, signals: &Signals, buffer: &mut [u8]) -> io::Result<()> {
        let timeout = self.next_deadline().map(|at| timespec(at.saturating_duration_since(Instant::now())));
        let reads_host = self.tty.waiting() < MAX_WAITING_OUTPUT;
        let mut tty_flags = PollFlags::IN;
        tty_flags.set(PollFlags::OUT, self.tty.waiting() > 0);
        let mut fds = vec![
            PollFd::new(&self.tty, tty_flags),
            PollFd::new(&signals.resized, PollFlags::IN),
            PollFd::new(&signals.leave, PollFlags::IN),
        ];
        // Every place in the list has one meaning: a stream that has ended is replaced by one that is watched anyway.
        let titles = self.titles.fd().unwrap_or(signals.leave.as_fd());
        fds.push(PollFd::from_borrowed_fd(titles, PollFlags::IN));
        let bell = self.search.bell().unwrap_or(signals.leave.as_fd());
        fds.push(PollFd::from_borrowed_fd(bell, PollFlags::IN));
        if let Some(link) = &self.link {
            let mut flags = PollFlags::empty();
            flags.set(PollFlags::IN, reads_host);
            flags.set(PollFlags::OUT, link.waiting() > 0);
            fds.push(PollFd::from_borrowed_fd(link.stream.as_fd(), flags));
        }
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        let ready: Vec<PollFlags> = fds.iter().map(PollFd::revents).collect();
        let is_ready = |index: usize| ready.get(index).is_some_and(|flags| !flags.is_empty());
        let tty_readable =
            ready.first().is_some_and(|f| f.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR));
        if is_ready(2) {
            self.outcome = Some(Outcome::Left);
            return Ok(());
        }
        if is_ready(0) {
            self.tty.flush();
        }
        if is_ready(1) && signals.take_resize() {
            self.on_window_change();
        }
        if tty_readable {
            self.on_typing(buffer);
        }
        if is_ready(3) {
            self.on_title(buffer);
        }
        if is_ready(4) {
            self.on_search();
        }
        if is_ready(5) {
            self.on_link(buffer);
        }
        self.show_due_title();
        Ok(())
    }

    fn next_deadline(&self) -> Option<Instant> {
        [
            self.machine.next_deadline(),
            self.typing.next_deadline(),
            self.ime_deadline,
            self.sync.next_deadline(),
            self.dropped_until,
            self.way_out.as_ref().map(|(_, until)| *until),
            self.titles.next_deadline(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn on_time(&mut self, now: Instant) {
        self.titles.on_time(if self.machine.is_live() { Shown::Screen } else { Shown::Nothing }, now);
        let mut typed = std::mem::take(&mut self.typed);
        self.typing.on_time(now, &mut typed);
        self.send_typed(&mut typed);
        self.typed = typed;
        if self.ime_deadline.is_some_and(|at| now >= at) {
            self.release_ime();
        }
        let close = self.sync.on_time(now);
        if !close.is_empty() && self.boundary.is_ground() {
            self.tty.show(close);
        }
        if self.dropped_until.is_some_and(|at| now >= at) {
            self.dropped_until = None;
            self.set_usual_title();
        }
        if self.way_out.take_if(|(_, until)| now >= *until).is_some() {
            self.set_usual_title();
        }
        let actions = self.machine.on_time(now);
        self.act(actions);
    }

    fn on_typing(&mut self, buffer: &mut [u8]) {
        let Some(count) = self.tty.read(buffer) else {
            self.outcome = Some(Outcome::Left);
            return;
        };
        let now = Instant::now();
        let read = buffer.get(..count).unwrap_or_default();
        let mut typed = std::mem::take(&mut self.typed);
        let came_to = self.typing.feed(read, now, &mut typed);
        if let Some(look) = self.typing.new_look() {
            let actions = self.machine.on_look(look);
            self.act(actions);
        }
        self.send_typed(&mut typed);
        self.typed = typed;
        if self.typing.take_skipped() {
            let actions = self.machine.skip_waits();
            self.act(actions);
        }
        if came_to == Typed::Detach {
            let actions = self.machine.detach(now);
            self.act(actions);
        }
    }

    fn send_typed(&mut self, typed: &mut Vec<u8>) {
        if typed.is_empty() || self.mode == AttachMode::ReadOnly {
            typed.clear();
            return;
        }
        let (waiting, limit) = if self.machine.takes_input() {
            (self.link.as_ref().map_or(0, Link::waiting), MAX_WAITING_INPUT)
        } else {
            (self.machine.kept_input(), MAX_KEPT_INPUT)
        };
        if self.gate.admit(typed, waiting, limit, self.typing.within()) == Admitted::Dropped {
            self.tell_dropped();
        }
        let actions = self.machine.on_input(std::mem::take(typed));
        self.act(actions);
    }

    /// Something that was typed will not arrive: the person must see that.
    fn tell_dropped(&mut self) {
        self.dropped_until = Some(Instant::now() + NOTE_FOR);
        self.set_usual_title();
    }

    fn on_window_change(&mut self) {
        let (size, _) = self.tty.size();
        if size == self.pane {
            return;
        }
        self.pane = size;
        self.release_ime();
        let actions = self.machine.on_resize(size, Instant::now());
        self.act(actions);
    }

    fn on_link(&mut self, buffer: &mut [u8]) {
        let now = Instant::now();
        let Some(link) = &mut self.link else { return };
        let mut lost = false;
        link.flush();
        match link.stream.read(buffer) {
            Ok(0) => lost = true,
            Ok(count) => link.reader.push(buffer.get(..count).unwrap_or_default()),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => lost = true,
        }
        // Output is shown right from where it was read; meanwhile the connection has no reader.
        let mut reader = std::mem::take(&mut link.reader);
        while let Some(link) = &mut self.link {
            let body = match reader.next_body() {
                Ok(Some(body)) => body,
                Ok(None) => break,
                Err(_) => {
                    lost = true;
                    break;
                }
            };
            if let Some(LiveOutput::Output { seq, data }) = LiveOutput::read(body)
                && self.machine.passes_on(seq)
            {
                self.show_output(data);
                continue;
            }
            let actions = if link.greeted {
                frame::decode(body).map(|message| self.machine.on_message(message, now))
            } else {
                link.greeted = true;
                frame::decode(body).map(|reply| self.machine.on_hello(reply, now))
            };
            match actions {
                Ok(actions) => self.act(actions),
                Err(_) => {
                    lost = true;
                    break;
                }
            }
        }
        if let Some(link) = &mut self.link {
            link.reader = reader;
        }
        self.draw_composed();
        if lost && self.outcome.is_none() {
            self.link = None;
            let actions = self.machine.on_lost(now);
            self.act(actions);
        }
    }

    fn act(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Dial => self.dial(),
                Action::HangUp => {
                    self.link = None;
                    // Whoever cannot hear the host does not know what the editor holds.
                    self.typing.left_is(PlainLeft::Typed);
                }
                Action::Send(message) => self.send(&message),
                Action::Snapshot { size, bytes } => {
                    self.show_snapshot(size, &bytes);
                    if std::mem::take(&mut self.old_output_due) {
                        self.show_output(&old_output::end_of(&self.log));
                    }
                }
                Action::Output(data) => self.show_output(&data),
                Action::Condition => self.set_usual_title(),
                Action::Mode(mode) => self.old_output_due = mode == Mode::Legacy,
                Action::InputDropped => self.tell_dropped(),
                Action::Left(plain_left) => self.typing.left_is(plain_left),
                Action::Waiting(waiting) => self.show_waiting(waiting),
                Action::End(ending) => self.outcome = Some(Outcome::Ended(ending)),
            }
        }
    }

    fn dial(&mut self) {
        match Link::connect(&self.endpoint) {
            Ok(link) => self.link = Some(link),
            Err(_) => {
                // Nobody listens there: the daemon may know more.
                let now = Instant::now();
                self.search.ask(now);
                let actions = self.machine.on_lost(now);
                self.act(actions);
            }
        }
    }

    /// The daemon answered.
    fn on_search(&mut self) {
        match self.search.answer() {
            Some(Ok(Some(endpoint))) => self.endpoint = endpoint,
            Some(Err(text)) if self.link.is_none() => self.outcome = Some(Outcome::Gone(text)),
            // An answer that came too late: the host is connected again.
            Some(Err(_) | Ok(None)) | None => {}
        }
    }

    fn send(&mut self, message: &ToHost) {
        if let Some(link) = &mut self.link {
            // A message of ours always fits into a frame.
            let _ = link.send(message);
        }
    }
}

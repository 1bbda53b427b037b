//! A person's terminal: a PTY of a fixed size, read by a thread through a terminal parser, typed into as bytes.

use crate::{
    pty,
    recording::Recording,
    run::ended,
    screen::Screen,
    wait::{DEADLINE, readable},
};
use board_protocol::ids::Size;
use std::{
    collections::VecDeque,
    fs::File,
    io::{Read, Write},
    num::NonZeroU16,
    os::fd::OwnedFd,
    process::{Child, Command, ExitStatus},
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// The mode in which a terminal shows a picture once it is whole.
const SYNCHRONISED: u16 = 2026;
/// After this long a picture is shown although it is not whole: its program may have been killed.
const DRAWS_AT_MOST: Duration = Duration::from_secs(1);
/// Pictures kept for the report of a failure.
const KEPT_PICTURES: usize = 6;

/// A running terminal. Dropping it hangs up, as closing a terminal window does.
pub struct Terminal {
    name: String,
    master: Option<Arc<File>>,
    child: Child,
    shared: Arc<Shared>,
    reader: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    parser: vt100::Parser<Answers>,
    /// Counts what was read, so that a waiter knows whether to look again.
    reads: u64,
    ended: bool,
    pictures: VecDeque<String>,
    /// Everything that was read, for those who asked for it at the start.
    recording: Option<Recording>,
}

/// What a terminal answers to the questions of the programs in it, and what they set in it.
#[derive(Default)]
struct Answers {
    pending: Vec<u8>,
    title: String,
    /// What is shown while a program draws the next picture (mode 2026, which zellij uses where the terminal has it):
    /// nobody sees one that is half drawn.
    shown: Option<(Instant, Box<vt100::Screen>)>,
}

impl vt100::Callbacks for Answers {
    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.title = String::from_utf8_lossy(title).into_owned();
    }

    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        second: Option<u8>,
        params: &[&[u16]],
        letter: char,
    ) {
        let number = params.first().and_then(|param| param.first()).copied().unwrap_or(0);
        let (rows, cols) = screen.size();
        match (first, letter, number) {
            (Some(b'?'), 'p', SYNCHRONISED) if second == Some(b'$') => {
                self.pending.extend_from_slice(format!("\x1b[?{SYNCHRONISED};2$y").as_bytes());
            }
            (Some(b'?'), 'h', SYNCHRONISED) if self.shown.is_none() => {
                self.shown = Some((Instant::now(), Box::new(screen.clone())));
            }
            (Some(b'?'), 'l', SYNCHRONISED) => self.shown = None,
            (None, 'c', _) => self.pending.extend_from_slice(b"\x1b[?62;22c"),
            (Some(b'>'), 'c', _) => self.pending.extend_from_slice(b"\x1b[>1;1;0c"),
            (None, 'n', 5) => self.pending.extend_from_slice(b"\x1b[0n"),
            (None, 'n', 6) => {
                let (row, col) = screen.cursor_position();
                self.pending.extend_from_slice(format!("\x1b[{};{}R", row + 1, col + 1).as_bytes());
            }
            (None, 't', 14) => {
                let (height, width) = (u32::from(rows.get()) * 16, u32::from(cols.get()) * 8);
                self.pending.extend_from_slice(format!("\x1b[4;{height};{width}t").as_bytes());
            }
            (None, 't', 16) => self.pending.extend_from_slice(b"\x1b[6;16;8t"),
            _ => {}
        }
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, params: &[&[u8]]) {
        match params {
            [b"10", b"?", ..] => self.pending.extend_from_slice(b"\x1b]10;rgb:dddd/dddd/dddd\x1b\\"),
            [b"11", b"?", ..] => self.pending.extend_from_slice(b"\x1b]11;rgb:1111/1111/1111\x1b\\"),
            _ => {}
        }
    }
}

impl Terminal {
    /// Starts a command in a new terminal.
    pub(crate) fn open(name: String, command: Command, size: Size) -> Self {
        Self::start(name, command, size, None)
    }

    /// Starts a command in a new terminal that keeps every byte.
    pub(crate) fn open_recorded(name: String, command: Command, size: Size) -> Self {
        Self::start(name, command, size, Some(Recording::new(size)))
    }

    fn start(name: String, command: Command, size: Size, recording: Option<Recording>) -> Self {
        let (master, child) = pty::spawn(command, size).expect("a PTY and its child");
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                parser: vt100::Parser::new_with_callbacks(
                    at_least_one(size.rows),
                    at_least_one(size.cols),
                    0,
                    Answers::default(),
                ),
                reads: 0,
                ended: false,
                pictures: VecDeque::new(),
                recording,
            }),
            changed: Condvar::new(),
        });
        let master = Arc::new(File::from(master));
        let reader = {
            let (master, shared) = (Arc::clone(&master), Arc::clone(&shared));
            std::thread::spawn(move || read_until_hangup(&master, &shared))
        };
        Self { name, master: Some(master), child, shared, reader: Some(reader) }
    }

    /// Types these bytes.
    ///
    /// # Panics
    /// The terminal is gone.
    pub fn send(&self, bytes: impl AsRef<[u8]>) -> &Self {
        let mut master = self.master.as_deref().expect("the terminal is open");
        master.write_all(bytes.as_ref()).expect("a terminal takes what is typed");
        self
    }

    /// Types a line and Return.
    pub fn line(&self, text: &str) -> &Self {
        self.send(format!("{text}\r"))
    }

    /// Gives the window another size.
    ///
    /// # Panics
    /// The terminal is gone.
    pub fn resize(&self, size: Size) {
        let mut state = self.lock();
        state.parser.set_size(at_least_one(size.rows), at_least_one(size.cols));
        if let Some(recording) = &mut state.recording {
            recording.resized(size);
        }
        let master = self.master.as_deref().expect("the terminal is open");
        let owned: OwnedFd = master.try_clone().expect("one descriptor more").into();
        pty::resize(&owned, size).expect("a terminal takes a size");
    }

    /// Everything that was printed so far, where the terminal keeps it.
    pub fn recording(&self) -> Option<Recording> {
        self.lock().recording.clone()
    }

    /// What it shows now.
    pub fn screen(&self) -> Screen {
        self.lock().picture()
    }

    /// The pid of the command in it.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the screen satisfies a predicate, at most [`DEADLINE`], and returns that screen.
    ///
    /// # Panics
    /// It does not in time; the text is `what` and the last screens.
    pub fn wait(&self, what: &str, predicate: impl FnMut(&Screen) -> bool) -> Screen {
        self.wait_within(DEADLINE, what, predicate)
    }

    /// [`Terminal::wait`] with a deadline of its own.
    ///
    /// # Panics
    /// As [`Terminal::wait`].
    pub fn wait_within(
        &self,
        deadline: Duration,
        what: &str,
        mut predicate: impl FnMut(&Screen) -> bool,
    ) -> Screen {
        let mut last = None;
        let shown = self.shows_within(deadline, |screen| {
            last = Some(screen.clone());
            predicate(screen)
        });
        let screen = last.expect("it is looked at least once");
        if !shown {
            let report = self.report(&self.lock(), &screen);
            panic!("{}: not within {} s: {what}\n{report}", self.name, deadline.as_secs());
        }
        screen
    }

    /// Whether the screen satisfies a predicate within this time.
    pub fn shows_within(&self, limit: Duration, mut predicate: impl FnMut(&Screen) -> bool) -> bool {
        let end = Instant::now() + limit;
        let mut state = self.lock();
        loop {
            let (screen, seen) = (state.picture(), state.reads);
            drop(state);
            if predicate(&screen) {
                return true;
            }
            state = self.lock();
            let mut waited = false;
            while state.reads == seen && !waited {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() || state.ended {
                    return false;
                }
                let left = left.min(DRAWS_AT_MOST);
                let woken = self.shared.changed.wait_timeout(state, left).expect("the reader never panics");
                waited = woken.1.timed_out();
                state = woken.0;
            }
        }
    }

    /// Waits for a text on one row.
    pub fn wait_for(&self, text: &str) -> Screen {
        self.wait(&format!("{text:?} on the screen"), |screen| screen.has(text))
    }

    /// Waits until a text is on no row any more.
    pub fn wait_gone(&self, text: &str) -> Screen {
        self.wait(&format!("no {text:?} on the screen"), |screen| !screen.has(text))
    }

    /// Waits for the end of the command.
    ///
    /// # Panics
    /// It does not end in time.
    pub fn wait_ended(&mut self) -> ExitStatus {
        let screen = self.screen();
        let what = format!("the command of {}, which shows\n{screen}\n", self.name);
        let status = ended(&mut self.child, Instant::now() + DEADLINE, &what);
        // What it said last may still be on its way through the terminal.
        let end = Instant::now() + LAST_WORDS;
        let mut state = self.lock();
        while !state.ended && Instant::now() < end {
            let left = end.saturating_duration_since(Instant::now());
            state = self.shared.changed.wait_timeout(state, left).expect("the reader never panics").0;
        }
        drop(state);
        status
    }

    /// Whether the command ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Hangs up as closing the window does, and waits for the end of the command.
    pub fn close(mut self) {
        self.hang_up();
        self.wait_ended();
    }

    fn hang_up(&mut self) {
        self.master = None;
        // The reader notices through its own descriptor: the flag tells it to let go of it.
        self.lock().ended = true;
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().expect("the reader never panics")
    }

    fn report(&self, state: &State, screen: &Screen) -> String {
        let before: Vec<&str> = state.pictures.iter().map(String::as_str).collect();
        let fate = if state.ended { "the command ended" } else { "the command runs" };
        format!("{fate}; earlier screens:\n{}\nlast screen:\n{screen}", before.join("\n"))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let screen = self.screen();
            eprintln!("{} showed at the end:\n{screen}", self.name);
        }
        crate::keep::keep(&self.name, &self.screen());
        self.hang_up();
        // The world ends what does not go by itself.
        let _ = self.child.try_wait();
    }
}

impl State {
    fn picture(&self) -> Screen {
        let answers = self.parser.callbacks();
        let shown = match &answers.shown {
            Some((since, shown)) if since.elapsed() < DRAWS_AT_MOST => shown,
            _ => self.parser.screen(),
        };
        Screen::new(shown.clone(), answers.title.clone())
    }
}

/// How long the output of an ended command may take to arrive; a process that it left behind keeps the terminal open.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How often the reader looks whether the terminal was closed.
const LET_GO_AFTER: Duration = Duration::from_millis(50);
/// Screens closer together than this are one picture of the report.
const PICTURE_EVERY: Duration = Duration::from_millis(300);

fn read_until_hangup(mut master: &File, shared: &Shared) {
    let mut chunk = [0; 64 * 1024];
    let mut last_picture = Instant::now();
    loop {
        let ready = readable(master, LET_GO_AFTER);
        if shared.state.lock().expect("only the reader changes it").ended {
            return;
        }
        if !ready {
            continue;
        }
        let count = master.read(&mut chunk).unwrap_or(0);
        let mut state = shared.state.lock().expect("only the reader changes it");
        state.reads += 1;
        if count == 0 {
            state.ended = true;
            state.parser.callbacks_mut().shown = None;
            drop(state);
            shared.changed.notify_all();
            return;
        }
        if last_picture.elapsed() > PICTURE_EVERY {
            last_picture = Instant::now();
            let picture = state.picture().to_string();
            if state.pictures.len() == KEPT_PICTURES {
                state.pictures.pop_front();
            }
            state.pictures.push_back(picture);
        }
        state.parser.process(&chunk[..count]);
        if let Some(recording) = &mut state.recording {
            recording.bytes.extend_from_slice(&chunk[..count]);
        }
        let answers = std::mem::take(&mut state.parser.callbacks_mut().pending);
        drop(state);
        let _ = master.write_all(&answers);
        shared.changed.notify_all();
    }
}

fn at_least_one(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).unwrap_or(NonZeroU16::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_is_being_drawn_is_not_shown_and_a_program_may_ask_for_that() {
        let (rows, cols) = (at_least_one(2), at_least_one(40));
        let mut state = State {
            parser: vt100::Parser::new_with_callbacks(rows, cols, 0, Answers::default()),
            reads: 0,
            ended: false,
            pictures: VecDeque::new(),
            recording: None,
        };
        state.parser.process(b"before\x1b[?2026$p\x1b[?2026h, and half");
        let shown = &state.parser.callbacks().shown.as_ref().expect("a picture is being drawn").1;
        assert_eq!(shown.contents(), "before");
        assert_eq!(state.parser.callbacks().pending, b"\x1b[?2026;2$y");
        state.parser.process(b" of it\x1b[?2026l");
        assert_eq!(state.picture().text().trim_end(), "before, and half of it");
    }
}

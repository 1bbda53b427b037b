//! The person's terminal: raw while attached, and afterwards as it was, whatever the session did to it.
//!
//! Every way out passes through [`Tty::drop`]: detach, end, signal, error, panic (field report B6).

use super::typing::Typing;
use crate::{backlog::Backlog, polling::timespec};
use board_protocol::{ids::Size, text::plain};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{Mode, OFlags},
    termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr},
};
use std::{
    fs::File,
    io::{self, Read},
    os::fd::{AsFd, BorrowedFd},
    time::{Duration, Instant},
};

/// Takes back every mode that a program may have set, in one write (field reports B8, C14). The order matters: first whatever
/// would swallow what follows, then the alternate screen's own keyboard state, then the screen, then the rest.
const RESET: &str = concat!(
    "\x18\x1b[?2026l",
    // Mouse, focus, paste, colour and size reports.
    "\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l",
    "\x1b[?1004l\x1b[?2004l\x1b[?2031l\x1b[?2048l",
    // Keyboard: every entry of the kitty stack, modifyOtherKeys, cursor keys, keypad.
    "\x1b[<99u\x1b[<u\x1b[>4m\x1b[?1l\x1b>",
    // The alternate screen has a keyboard stack of its own; the primary's is below.
    "\x1b[?1049l\x1b[<99u",
    // Region, origin, margins, wrap, insert, line feed mode, reverse video, charsets.
    "\x1b[r\x1b[?6l\x1b[?69l\x1b[?7h\x1b[4l\x1b[20l\x1b[?5l\x1b(B\x1b)B\x0f",
    // Attributes, link, palette, cursor.
    "\x1b[m\x1b]8;;\x1b\\\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\\x1b[0 q\x1b[?12l\x1b[?25h",
);
/// The title: what it was before where the terminal remembers that. Others, and zellij for a pane that had none, keep the
/// name of the program that we return to: zellij shows an empty title as a tab without a name.
fn title_after(parent: &str) -> String {
    format!("\x1b]2;{parent}\x1b\\\x1b[23;2t")
}

/// The name of the program that started us, as a shell is called; empty if it cannot be told.
fn parent_name() -> String {
    let Some(parent) = rustix::process::getppid() else { return String::new() };
    let name = std::fs::read_to_string(format!("/proc/{}/comm", parent.as_raw_nonzero())).unwrap_or_default();
    plain(&name).trim().to_owned()
}

/// How long the answers of a slow terminal are waited for when we leave before they came.
const LAST_ANSWERS: Duration = Duration::from_millis(100);
/// How long a terminal that does not read may keep us from leaving.
const LAST_WRITE: Duration = Duration::from_millis(500);
/// How often such a terminal is tried.
const LAST_WRITE_POLL: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

/// More than this that still waits at the end is a flood's: it is left out, so that the reset gets through to a slow
/// terminal within [`LAST_WRITE`].
const MAX_LAST_BYTES: usize = 64 * 1024;

/// The terminal in raw mode.
pub(super) struct Tty {
    /// Our own opening of the terminal: its flags are not shared with the shell.
    file: File,
    before: Termios,
    waiting: Backlog,
    /// The screen is the person's again; the line is still raw.
    given_back: bool,
}

impl Tty {
    /// Opens the terminal and makes it raw.
    pub(super) fn open() -> io::Result<Self> {
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Self::over(File::from(rustix::fs::open("/dev/tty", flags, Mode::empty())?))
    }

    /// Makes this terminal raw.
    fn over(file: File) -> io::Result<Self> {
        let before = tcgetattr(&file)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(&file, OptionalActions::Now, &raw)?;
        let mut waiting = Backlog::default();
        waiting.push(b"\x1b[22;2t");
        Ok(Self { file, before, waiting, given_back: false })
    }

    /// Its size in cells, and of one cell in pixels where it says so.
    pub(super) fn size(&self) -> (Size, Option<[u16; 2]>) {
        let Ok(size) = tcgetwinsize(&self.file) else { return (Size { cols: 80, rows: 24 }, None) };
        let cells = Size { cols: size.ws_col.max(1), rows: size.ws_row.max(1) };
        let pixels = [size.ws_xpixel / cells.cols, size.ws_ypixel / cells.rows];
        (cells, pixels.iter().all(|pixels| *pixels > 0).then_some(pixels))
    }

    /// What the person typed; `None` when the terminal is gone.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Option<usize> {
        match self.file.read(buffer) {
            Ok(0) => None,
            Ok(count) => Some(count),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Some(0)
            }
            Err(_) => None,
        }
    }

    /// Shows bytes, now as far as the terminal takes them.
    pub(super) fn show(&mut self, bytes: &[u8]) {
        self.waiting.pass(bytes, &mut self.file);
    }

    /// Writes what waits.
    pub(super) fn flush(&mut self) {
        self.waiting.write_to(&mut self.file);
    }

    /// Bytes that wait for the terminal.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes the session off the screen: its modes, its title; the cursor goes below everything that it left. Only the line
    /// settings stay until this is dropped: what is typed is still ours. Happens once.
    pub(super) fn give_back_screen(&mut self) {
        if std::mem::replace(&mut self.given_back, true) {
            return;
        }
        // A half-written sequence is ended by RESET's first byte, so what still waits can be left out.
        if self.waiting.len() > MAX_LAST_BYTES {
            self.waiting.clear();
        }
        self.waiting.push(RESET.as_bytes());
        self.waiting.push(title_after(&parent_name()).as_bytes());
        self.waiting.push(b"\x1b[999;1H\r\n");
        self.flush();
    }

    /// Reads what the terminal still answers to our questions, which the shell would take for typing.
    pub(super) fn read_last_answers(&mut self, typing: &mut Typing, buffer: &mut [u8]) {
        let end = Instant::now() + LAST_ANSWERS;
        let mut typed = Vec::new();
        while typing.is_asking(Instant::now()) {
            let left = timespec(end.saturating_duration_since(Instant::now()));
            let mut fds = [PollFd::new(&self.file, PollFlags::IN)];
            if !matches!(poll(&mut fds, Some(&left)), Ok(1..)) {
                return;
            }
            let Some(count) = self.read(buffer) else { return };
            typing.feed(buffer.get(..count).unwrap_or_default(), Instant::now(), &mut typed);
        }
    }

    /// Pushes what stands on the screen up into the scrollback: a snapshot draws over the whole screen.
    pub(super) fn make_room(&mut self, rows: u16) {
        let mut bytes = b"\x1b[999;1H".to_vec();
        bytes.resize(bytes.len() + usize::from(rows), b'\n');
        self.show(&bytes);
    }
}

impl AsFd for Tty {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        self.give_back_screen();
        let end = Instant::now() + LAST_WRITE;
        while self.waiting() > 0 && Instant::now() < end {
            self.flush();
            let mut fds = [PollFd::new(&self.file, PollFlags::OUT)];
            if self.waiting() > 0 && poll(&mut fds, Some(&LAST_WRITE_POLL)).is_err() {
                break;
            }
        }
        let _ = tcsetattr(&self.file, OptionalActions::Now, &self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Field report B6: the terminal was dead after a client that did not leave by the usual way.
    #[test]
    fn b6_a_panic_restores_the_terminal() {
        let (mut person, slave) = pty_process::blocking::open().unwrap();
        let settings = || format!("{:?}", tcgetattr(&slave).unwrap());
        let before = settings();
        let file = File::from(slave.as_fd().try_clone_to_owned().unwrap());
        let panicked = std::panic::catch_unwind(|| {
            let mut tty = Tty::over(file).unwrap();
            tty.show(b"\x1b[?1049h\x1b[?1003hdrawn");
            // Without the noise of a real panic on the test's output.
            std::panic::resume_unwind(Box::new("a fault"));
        });
        assert!(panicked.is_err());
        assert_eq!(settings(), before);
        let mut shown = vec![0; 16 * 1024];
        let count = person.read(&mut shown).unwrap();
        let text = String::from_utf8_lossy(&shown[..count]).into_owned();
        let (_, after) = text.split_once("drawn").unwrap();
        assert!(after.contains("\x1b[?1003l") && after.contains("\x1b[?1049l"), "{}", text.escape_debug());
    }
}

//! The last words in a pane whose session ended by itself, and the moment in which keys are swallowed (see [`Grace`]).

use super::{grace::Grace, signals::Signals, tty::Tty};
use crate::polling::timespec;
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use std::time::Instant;

/// Typed bytes are read in pieces of this size and dropped.
const READ_BYTES: usize = 4096;

/// Shows a text below what the session left, and gives the terminal back once nobody types any more. A signal, or a
/// terminal that is gone, ends it at once.
pub(super) fn say(mut tty: Tty, signals: &Signals, text: &str) {
    tty.give_back_screen();
    tty.show(format!("{}\r\n", text.trim_end().replace('\n', "\r\n")).as_bytes());
    let mut grace = Grace::new(Instant::now());
    let mut typed = [0; READ_BYTES];
    loop {
        let left = grace.until().saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        let mut tty_flags = PollFlags::IN;
        tty_flags.set(PollFlags::OUT, tty.waiting() > 0);
        let mut fds = [PollFd::new(&tty, tty_flags), PollFd::new(&signals.leave, PollFlags::IN)];
        match poll(&mut fds, Some(&timespec(left))) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
        let [terminal, leave] = fds.map(|fd| fd.revents());
        if !leave.is_empty() {
            return;
        }
        if terminal.contains(PollFlags::OUT) {
            tty.flush();
        }
        if terminal.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
            match tty.read(&mut typed) {
                None => return,
                Some(0) => {}
                Some(_) => grace.typed(Instant::now()),
            }
        }
    }
}

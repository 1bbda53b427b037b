//! Asks the daemon where a lost session's host is now, without ever keeping the person's keys waiting.
//!
//! The daemon may be gone, or hang: an answer may take seconds, or never come. So every question has a thread of its own,
//! one at a time; its answer rings a bell that the loop polls.

use board_protocol::daemon::HostEndpoint;
use std::{
    io::Write,
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

/// How often the daemon is asked.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// What the daemon knows; `Err` when the session has ended, with what to tell the person.
pub(super) type Answer = Result<Option<HostEndpoint>, String>;

/// Asks once; may take its time.
pub(super) type Ask = Arc<dyn Fn() -> Answer + Send + Sync>;

/// The questions about one session.
pub(super) struct Search {
    ask: Ask,
    /// When the last question was asked.
    asked_at: Instant,
    /// Where the answer to an open question comes out, and the bell that rings then.
    open: Option<(mpsc::Receiver<Answer>, UnixStream)>,
}

impl Search {
    /// No question yet. The first one is asked only some time after `now`: the host was just found.
    pub(super) fn new(ask: Ask, now: Instant) -> Self {
        Self { ask, asked_at: now, open: None }
    }

    /// Asks, unless that was done just now or an answer is on its way.
    pub(super) fn ask(&mut self, now: Instant) {
        if self.open.is_some() || now.duration_since(self.asked_at) < ASK_EVERY {
            return;
        }
        self.asked_at = now;
        let Ok((bell, mut ring)) = UnixStream::pair() else { return };
        let (out, answer) = mpsc::channel();
        let ask = Arc::clone(&self.ask);
        let asking = thread::Builder::new().name("search".into()).spawn(move || {
            let _ = out.send(ask());
            // Its end rings as well.
            let _ = ring.write(b"!");
        });
        // Without a thread: another time.
        self.open = asking.is_ok().then_some((answer, bell));
    }

    /// Readable when the answer is there; `None` while there is no question.
    pub(super) fn bell(&self) -> Option<BorrowedFd<'_>> {
        self.open.as_ref().map(|(_, bell)| bell.as_fd())
    }

    /// The answer, after the bell.
    pub(super) fn answer(&mut self) -> Option<Answer> {
        let (answer, _) = self.open.take()?;
        answer.try_recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, poll};
    use std::sync::Mutex;

    #[test]
    fn a_question_that_hangs_keeps_nobody_waiting_and_is_not_asked_twice() {
        let start = Instant::now();
        let (go, gate) = mpsc::channel::<()>();
        let (asked, asks) = mpsc::channel();
        let gate = Mutex::new(gate);
        let ask: Ask = Arc::new(move || {
            asked.send(()).unwrap();
            let _ = gate.lock().unwrap().recv();
            Ok(None)
        });
        let mut search = Search::new(ask, start);
        search.ask(start);
        assert!(search.bell().is_none(), "the host was found just now");
        let later = start + ASK_EVERY;
        search.ask(later);
        search.ask(later + ASK_EVERY);
        asks.recv().unwrap();
        assert!(search.bell().is_some());
        go.send(()).unwrap();
        let bell = search.bell().unwrap();
        poll(&mut [PollFd::from_borrowed_fd(bell, PollFlags::IN)], None).unwrap();
        assert_eq!(search.answer(), Some(Ok(None)));
        assert!(search.bell().is_none());
        assert!(asks.try_recv().is_err(), "one question at a time");
    }
}

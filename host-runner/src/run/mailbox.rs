//! What waits to be said to the daemon: reports in order, and of what only goes on the newest.
//!
//! Filled by [`super::drive`], emptied by [`super::reporter`]. Bounded: notes and evidence that find it full are dropped
//! and counted; the beginning, the conversation and the end never are.

use board_protocol::{
    evidence::{EvidenceItem, MAX_ITEMS_IN_REPORT},
    run::{MAX_NOTES_IN_REPORT, RunBeat, RunNote, RunReport},
};
use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Most reports that wait: a daemon that is away for an hour costs a few megabytes at most.
const MAX_WAITING: usize = 512;

/// A numbered report.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Letter {
    /// Its number in the run, from 1; what makes its command's id.
    pub(super) number: u64,
    /// What.
    pub(super) report: RunReport,
}

/// What the reporter does next.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    /// Says this, and keeps it until that is known to be recorded.
    Letter(Letter),
    /// Shows this; nobody misses it.
    Beat(RunBeat),
    /// Nothing is there yet.
    Nothing,
    /// Nothing more comes.
    Over,
}

/// The mailbox.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    inside: Mutex<Inside>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct Inside {
    letters: VecDeque<Letter>,
    beat: Option<RunBeat>,
    numbers: u64,
    dropped: u64,
    closed: bool,
}

impl Mailbox {
    /// A report that must arrive.
    pub(super) fn put(&self, report: RunReport) {
        let mut inside = self.lock();
        inside.add(report);
        self.news.notify_all();
    }

    /// A line for the log. It shares a report with the ones before it that nobody has taken yet.
    pub(super) fn note(&self, note: RunNote) {
        let mut inside = self.lock();
        // The first of them may be on its way.
        let last = if inside.letters.len() > 1 { inside.letters.back_mut() } else { None };
        match last.map(|letter| &mut letter.report) {
            Some(RunReport::Noted(notes)) if notes.len() < MAX_NOTES_IN_REPORT => notes.push(note),
            _ => inside.add_if_room(RunReport::Noted(vec![note])),
        }
        self.news.notify_all();
    }

    /// Evidence, in as few reports as that takes.
    pub(super) fn evidence(&self, items: Vec<EvidenceItem>) {
        let mut inside = self.lock();
        for item in items {
            let last = if inside.letters.len() > 1 { inside.letters.back_mut() } else { None };
            match last.map(|letter| &mut letter.report) {
                Some(RunReport::Evidence(items)) if items.len() < MAX_ITEMS_IN_REPORT => items.push(item),
                _ => inside.add_if_room(RunReport::Evidence(vec![item])),
            }
        }
        self.news.notify_all();
    }

    /// What goes on now.
    pub(super) fn beat(&self, beat: RunBeat) {
        self.lock().beat = Some(beat);
        self.news.notify_all();
    }

    /// Nothing more comes.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.news.notify_all();
    }

    /// Whether nothing more comes.
    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// How much was dropped.
    pub(super) fn dropped(&self) -> u64 {
        self.lock().dropped
    }

    /// The next thing to say; waits for it at most so long. A letter stays until [`Self::said`].
    pub(super) fn next(&self, within: Duration) -> Next {
        let deadline = Instant::now() + within;
        let mut inside = self.lock();
        loop {
            if let Some(letter) = inside.letters.front() {
                return Next::Letter(letter.clone());
            }
            if inside.closed {
                return Next::Over;
            }
            if let Some(beat) = inside.beat.take() {
                return Next::Beat(beat);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Next::Nothing;
            }
            let waited = self.news.wait_timeout(inside, left);
            inside = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until it is closed, at most so long.
    pub(super) fn pause(&self, within: Duration) {
        let deadline = Instant::now() + within;
        let mut inside = self.lock();
        while !inside.closed {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            inside = self.news.wait_timeout(inside, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The first letter is recorded, here or on the disk.
    pub(super) fn said(&self, letter: &Letter) {
        let mut inside = self.lock();
        if inside.letters.front().is_some_and(|first| first.number == letter.number) {
            inside.letters.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        // Every change is one assignment: a panic in between leaves nothing half done.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    fn add(&mut self, report: RunReport) {
        self.numbers += 1;
        self.letters.push_back(Letter { number: self.numbers, report });
    }

    fn add_if_room(&mut self, report: RunReport) {
        if self.letters.len() < MAX_WAITING {
            self.add(report);
        } else {
            self.dropped += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{daemon::LogLevel, ids::UnixMs};

    fn note(text: &str) -> RunNote {
        RunNote { at_ms: UnixMs(1), level: LogLevel::Info, code: "c".into(), message: text.into() }
    }

    #[test]
    fn reports_keep_their_order_and_beats_only_the_newest() {
        let mailbox = Mailbox::default();
        let shown = |text: &str| RunBeat { doing: Some(text.into()), ..RunBeat::default() };
        mailbox.beat(shown("one"));
        mailbox.beat(shown("two"));
        assert_eq!(mailbox.next(Duration::ZERO), Next::Beat(shown("two")));
        assert_eq!(mailbox.next(Duration::ZERO), Next::Nothing);
        mailbox.note(note("a"));
        let Next::Letter(first) = mailbox.next(Duration::ZERO) else { panic!("a letter") };
        // The first may be on its way: it does not change any more.
        mailbox.note(note("b"));
        mailbox.note(note("c"));
        mailbox.put(RunReport::Queued);
        assert_eq!(mailbox.next(Duration::ZERO), Next::Letter(first.clone()));
        mailbox.said(&first);
        let Next::Letter(second) = mailbox.next(Duration::ZERO) else { panic!("a letter") };
        assert_eq!(second, Letter { number: 2, report: RunReport::Noted(vec![note("b"), note("c")]) });
        mailbox.said(&first);
        mailbox.said(&second);
        mailbox.close();
        let third = Letter { number: 3, report: RunReport::Queued };
        assert_eq!(mailbox.next(Duration::ZERO), Next::Letter(third.clone()));
        mailbox.said(&third);
        assert_eq!(mailbox.next(Duration::ZERO), Next::Over);
    }

    #[test]
    fn a_daemon_that_is_away_costs_a_bounded_memory_and_never_the_end() {
        let mailbox = Mailbox::default();
        for number in 0..MAX_WAITING * MAX_NOTES_IN_REPORT * 2 {
            mailbox.note(note(&number.to_string()));
        }
        mailbox.put(RunReport::Queued);
        assert_eq!(mailbox.lock().letters.len(), MAX_WAITING + 1);
        assert!(mailbox.dropped() > 0);
    }
}

//! The session's output as a file, for finding out why a picture looks as it does: what clients got, questions to the terminal
//! taken out. Bounded, private, and never on the way of a key: it is written from the ring, at most every two seconds.
//!
//! The host writes it; an attach client reads its end where there are no snapshots, and nobody else does. A flood is left out
//! in part, as the ring has it, and the file says where. It is no record: nothing waits for the disk.

use super::screen::{Missed, Screen};
use board_protocol::ids::OutputSeq;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::fs::OpenOptionsExt,
    path::PathBuf,
    time::{Duration, Instant},
};

/// How soon after output it is written.
const WRITE_WITHIN: Duration = Duration::from_secs(2);
/// The file is cut above this size (reference D.11).
const MAX_BYTES: u64 = 5_000_000;
/// What is kept of it then (reference D.11).
const KEPT_BYTES: u64 = 100_000;
/// Where output is missing. The first byte ends a sequence that was cut.
const GAP: &[u8] = b"\x18\r\n[output is left out here]\r\n";

/// The log of one session.
#[derive(Debug)]
pub(super) struct ScreenLog {
    /// `None`: none is wanted.
    path: Option<PathBuf>,
    /// The newest chunk in it.
    written: OutputSeq,
    due: Option<Instant>,
}

impl ScreenLog {
    /// A log in this file; none without one.
    pub(super) fn new(path: Option<PathBuf>) -> Self {
        Self { path, written: OutputSeq::default(), due: None }
    }

    /// The program printed.
    pub(super) fn printed(&mut self, now: Instant) {
        if self.path.is_some() && self.due.is_none() {
            self.due = Some(now + WRITE_WITHIN);
        }
    }

    /// When it is written next.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.due
    }

    /// Writes what is due.
    pub(super) fn on_time(&mut self, screen: &Screen, now: Instant) {
        if self.due.is_some_and(|at| now >= at) {
            self.write(screen);
        }
    }

    /// Writes what the ring has and the file has not. A disk that takes nothing costs the log, and nothing else.
    pub(super) fn write(&mut self, screen: &Screen) {
        self.due = None;
        let Some(path) = &self.path else { return };
        let (missed, chunks) = screen.newer(self.written);
        let mut bytes = Vec::new();
        if missed == Missed::Some {
            bytes.extend_from_slice(GAP);
        }
        for chunk in chunks {
            bytes.extend_from_slice(chunk);
        }
        self.written = screen.last().unwrap_or_default();
        if !bytes.is_empty()
            && let Err(error) = append(path, &bytes)
        {
            tracing::warn!("the log of the screen is not written any more: {error}");
            self.path = None;
        }
    }
}

fn append(path: &PathBuf, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).read(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    if file.metadata()?.len() > MAX_BYTES { cut(path, file) } else { Ok(()) }
}

/// Replaces the file by its end, whole at every moment. Not synced: a host that waited for the disk would keep keys waiting.
fn cut(path: &PathBuf, mut file: File) -> io::Result<()> {
    file.seek(SeekFrom::End(-i64::try_from(KEPT_BYTES).unwrap_or(i64::MAX)))?;
    let mut end = GAP.to_vec();
    file.read_to_end(&mut end)?;
    let beside = path.with_extension("log.new");
    let mut shorter = OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&beside)?;
    shorter.write_all(&end)?;
    fs::rename(beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::{host::TerminalLook, ids::Size};
    use std::os::unix::fs::PermissionsExt;

    fn print(screen: &mut Screen, bytes: &[u8]) {
        screen.take(bytes, &TerminalLook::default(), &mut Vec::new());
    }

    fn logged(path: &PathBuf) -> Vec<u8> {
        fs::read(path).unwrap()
    }

    #[test]
    fn d11_what_was_printed_is_logged_once_and_late() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("screen-1.log");
        let mut screen = Screen::new(Size { cols: 80, rows: 24 }, 100);
        let mut log = ScreenLog::new(Some(path.clone()));
        let now = Instant::now();
        assert_eq!(log.next_deadline(), None, "no timer while nothing happens");
        print(&mut screen, b"one\x1b[6n\r\n");
        log.printed(now);
        log.printed(now + WRITE_WITHIN / 2);
        assert_eq!(log.next_deadline(), Some(now + WRITE_WITHIN), "the first output decides");
        log.on_time(&screen, now + WRITE_WITHIN / 2);
        assert!(!path.exists());
        log.on_time(&screen, now + WRITE_WITHIN);
        assert_eq!(logged(&path), b"one\r\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        print(&mut screen, b"two");
        log.write(&screen);
        log.write(&screen);
        assert_eq!(logged(&path), b"one\r\ntwo");
        assert_eq!(log.next_deadline(), None);
    }

    #[test]
    fn d11_a_flood_leaves_its_end_and_says_that_something_is_missing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("screen-1.log");
        let mut screen = Screen::new(Size { cols: 80, rows: 24 }, 0);
        let mut log = ScreenLog::new(Some(path.clone()));
        let block = |n: u8| vec![b'a' + n % 26; 64 * 1024];
        let mut longest = 0;
        for turn in 0..40_u8 {
            // More than the ring holds.
            for _ in 0..20 {
                print(&mut screen, &block(turn));
            }
            log.write(&screen);
            longest = longest.max(fs::metadata(&path).unwrap().len());
        }
        print(&mut screen, b"the end");
        log.write(&screen);
        assert!(longest <= MAX_BYTES, "{longest}");
        let text = logged(&path);
        assert!(text.ends_with(b"the end"));
        assert!(text.windows(GAP.len()).any(|part| part == GAP));
        assert!(text.len() as u64 > KEPT_BYTES);
    }

    #[test]
    fn a_log_that_cannot_be_written_is_given_up_and_none_is_written_unasked() {
        let directory = tempfile::tempdir().unwrap();
        let mut screen = Screen::new(Size { cols: 80, rows: 24 }, 0);
        print(&mut screen, b"x");
        for path in [None, Some(directory.path().join("no such directory/screen.log"))] {
            let mut log = ScreenLog::new(path);
            log.write(&screen);
            log.printed(Instant::now());
            assert_eq!(log.next_deadline(), None);
        }
    }
}

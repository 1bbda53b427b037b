//! What a session printed before this client came, where nobody can give a snapshot: the end of the host's log of the screen
//! (reference E.7). With snapshots nothing here is ever read.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

/// How much of it (reference E.7).
const MAX_BYTES: u64 = 60_000;

/// The end of a log, from the beginning of a line; nothing where there is none.
pub(super) fn end_of(log: &Path) -> Vec<u8> {
    read(log).unwrap_or_default()
}

fn read(log: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(log)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Ok(Vec::new());
    }
    let skipped = meta.len().saturating_sub(MAX_BYTES);
    file.seek(SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    if skipped > 0 {
        // Whatever the cut left of a character or a sequence goes with its line.
        let start = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |at| at + 1);
        bytes.drain(..start);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e7_the_end_of_the_log_begins_with_a_line_and_is_bounded() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("screen-1.log");
        assert!(end_of(&log).is_empty());
        assert!(end_of(directory.path()).is_empty());
        std::fs::write(&log, "short, without an end of line").unwrap();
        assert_eq!(end_of(&log), b"short, without an end of line");
        let lines: String = (0..10_000).map(|n| format!("line \x1b[31m{n}\x1b[m\r\n")).collect();
        std::fs::write(&log, &lines).unwrap();
        let end = end_of(&log);
        assert!(end.starts_with(b"line \x1b[31m") && end.ends_with(b"9999\x1b[m\r\n"));
        assert!(end.len() as u64 <= MAX_BYTES && end.len() as u64 > MAX_BYTES - 100);
    }
}

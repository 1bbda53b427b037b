//! Reads a session's file within bounds: regular files only, the end of a long one, no line that is longer than any
//! agent's. It blocks; callers have a thread for it.

use super::{
    Transcript,
    parse::{Format, Parser},
};
use board_text::transcript as texts;
use rustix::fs::{Mode, OFlags};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

/// Most of a file that is read, from its end: a month of work in one conversation, parsed in a quarter of a second.
const MAX_FILE_BYTES: u64 = 32 * 1024 * 1024;
/// By how much the part that is read moves on, so that numbers of items stay the same for a while.
const STEP_BYTES: u64 = 8 * 1024 * 1024;
/// Longest line that is read: a line with a picture of 3 MiB. As JSON it takes sixteen times as much at the worst.
const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;

/// Why a file was not read (texts: reference B.13).
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    /// The agent has not written anything.
    #[error("{}", texts::not_yet())]
    NotYet,
    /// Something else stands at its place.
    #[error("{}", texts::no_regular_file(.0))]
    NoFile(String),
    /// The file system refuses.
    #[error("{}", texts::unreadable(.0))]
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotYet,
            _ => Self::Io(error),
        }
    }
}

/// What was said, from the file.
pub(super) fn read(path: &Path, format: Format) -> Result<Transcript, ReadError> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    let mut parser = Parser::new(format);
    let start = start(length);
    if start > 0 {
        parser.gap();
    }
    lines(file, start, length, &mut parser)?;
    Ok(parser.finish())
}

/// Opens a regular file. A FIFO, a terminal or a device is not touched at all; should one take the file's place in that
/// moment, it is opened without waiting, and not read.
fn open(path: &Path) -> Result<File, ReadError> {
    let refuse = || ReadError::NoFile(board_protocol::text::plain(&path.to_string_lossy()));
    if !path.metadata()?.is_file() {
        return Err(refuse());
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).map_err(io::Error::from)?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(refuse()) }
}

/// Where reading begins in a file of this length.
const fn start(length: u64) -> u64 {
    match length.checked_sub(MAX_FILE_BYTES) {
        Some(over) => over.div_ceil(STEP_BYTES) * STEP_BYTES,
        None => 0,
    }
}

/// Gives the parser every line between `start` and `length`, but for the one in which `start` lies.
fn lines(mut file: File, start: u64, length: u64, parser: &mut Parser) -> io::Result<()> {
    // One byte earlier: if that one ends a line, the next one is whole.
    let from = start.saturating_sub(1);
    file.seek(SeekFrom::Start(from))?;
    // What is written meanwhile belongs to the next look.
    let mut reader = BufReader::new(file.take(length - from));
    let mut line = Vec::new();
    let mut whole = start == 0;
    loop {
        let read = next(&mut reader, &mut line)?;
        match read {
            Next::End => return Ok(()),
            Next::Line if whole => parser.line(&line),
            Next::TooLong if whole => parser.gap(),
            Next::Line | Next::TooLong => {}
        }
        whole = true;
    }
}

enum Next {
    Line,
    TooLong,
    End,
}

/// The next line, without its end. Of one that is too long nothing is kept.
fn next(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Next> {
    line.clear();
    let limit = MAX_LINE_BYTES as u64 + 1;
    if reader.take(limit).read_until(b'\n', line)? == 0 {
        return Ok(Next::End);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Next::Line);
    }
    if line.len() <= MAX_LINE_BYTES {
        // The last line, which may still be written.
        return Ok(Next::Line);
    }
    line.clear();
    line.shrink_to(64 * 1024);
    reader.skip_until(b'\n')?;
    Ok(Next::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_read_from_a_place_that_stays_for_a_while() {
        assert_eq!([0, 1, MAX_FILE_BYTES].map(start), [0; 3]);
        assert_eq!(start(MAX_FILE_BYTES + 1), STEP_BYTES);
        assert_eq!(start(MAX_FILE_BYTES + STEP_BYTES), STEP_BYTES);
        assert_eq!(start(MAX_FILE_BYTES + STEP_BYTES + 1), 2 * STEP_BYTES);
    }
}

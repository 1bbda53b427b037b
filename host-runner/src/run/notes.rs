//! What a run has to say for the session's log: redacted, cut, and of each kind only so many. Pure.
//!
//! Called by [`super::drive`] and [`super::story`]. The daemon holds floods back once more; this keeps a worker that
//! prints a million broken lines from sending a million reports.

use crate::model::redacted;
use board_protocol::{
    daemon::LogLevel,
    ids::UnixMs,
    run::{MAX_NOTE_BYTES, RunNote},
    text::{beginning_of, plain},
};
use std::collections::BTreeMap;

/// Most notes of one code in a run: enough to see a pattern. How many more there were is said at its end.
const MAX_PER_CODE: u32 = 20;
/// Most codes that are told apart; adapters have a handful.
const MAX_CODES: usize = 32;
/// The code of all others.
const OTHER: &str = "worker_note";
/// How much of a long text is looked at, in bytes: what is cut afterwards need not be made plain first.
const LOOKED_AT_BYTES: usize = 4 * MAX_NOTE_BYTES;

/// The notes of one run.
#[derive(Debug, Default)]
pub(super) struct Notes {
    said: BTreeMap<String, u32>,
    held_back: BTreeMap<String, u32>,
}

impl Notes {
    /// A note, unless there were too many of its kind.
    pub(super) fn note(&mut self, at: UnixMs, level: LogLevel, code: &str, text: &str) -> Option<RunNote> {
        let known = self.said.contains_key(code) || self.said.len() < MAX_CODES;
        let code = if known { code } else { OTHER };
        let said = self.said.entry(code.to_owned()).or_default();
        if *said >= MAX_PER_CODE {
            let more = self.held_back.entry(code.to_owned()).or_default();
            *more = more.saturating_add(1);
            return None;
        }
        *said += 1;
        Some(note(at, level, code, text))
    }

    /// What was held back, once.
    pub(super) fn more(&mut self, at: UnixMs) -> Vec<RunNote> {
        let more = std::mem::take(&mut self.held_back);
        let line = |(code, count): (String, u32)| {
            note(at, LogLevel::Warn, &code, &format!("{count} more like this"))
        };
        more.into_iter().map(line).collect()
    }
}

fn note(at_ms: UnixMs, level: LogLevel, code: &str, text: &str) -> RunNote {
    // Before the cut, which could take away the name that tells what a secret is.
    let text = redacted(&plain(beginning_of(text, LOOKED_AT_BYTES)));
    RunNote { at_ms, level, code: code.to_owned(), message: beginning_of(&text, MAX_NOTE_BYTES).to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_counted_and_secrets_are_taken_out() {
        let mut notes = Notes::default();
        let said =
            |notes: &mut Notes, text: &str| notes.note(UnixMs(1), LogLevel::Warn, "worker_stderr", text);
        let first = said(&mut notes, "GITHUB_TOKEN=ghp_12345 \u{1b}[31mred").unwrap();
        assert!(first.message.contains("[redacted]") && !first.message.contains("ghp_12345"), "{first:?}");
        assert!(!first.message.contains('\u{1b}'));
        let written = (1..1_000).filter_map(|_| said(&mut notes, "again")).count();
        assert_eq!(written, MAX_PER_CODE as usize - 1);
        let more = notes.more(UnixMs(2));
        assert_eq!(more.len(), 1);
        assert_eq!(more[0].message, "980 more like this");
        assert_eq!(notes.more(UnixMs(3)), []);
    }

    #[test]
    fn codes_and_lengths_are_bounded() {
        let mut notes = Notes::default();
        let long = "ä".repeat(MAX_NOTE_BYTES);
        let one = notes.note(UnixMs(1), LogLevel::Info, "x", &long).unwrap();
        assert!(one.message.len() <= MAX_NOTE_BYTES);
        for number in 0..1_000 {
            notes.note(UnixMs(1), LogLevel::Info, &format!("code {number}"), "");
        }
        assert!(notes.said.len() <= MAX_CODES + 1);
    }
}

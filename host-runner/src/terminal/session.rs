//! The canonical terminal of one session. Used by the host loop, which feeds it what clients get and asks it for
//! snapshots and text.

use super::{answer::ModeReport, emulator::Emulator, filter::ColourSlot, palette::Rgb16};
use board_protocol::{host::ScreenFormat, ids::Size};

/// Whether a snapshot carries the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum History {
    /// For a client whose whole scrollback belongs to the session.
    Include,
    /// The visible screen only; the client's scrollback is not touched.
    Omit,
}

/// A screen as bytes for a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Draws everything, on a clean and on a dirty terminal.
    pub bytes: Vec<u8>,
    /// The bytes of a sequence that has not ended: put them in front of the next live bytes, in one write.
    pub unfinished: Vec<u8>,
}

/// What a program printed, as a terminal that saw everything shows it.
pub struct SessionTerminal {
    emulator: Emulator,
    printed: bool,
}

impl SessionTerminal {
    /// An empty terminal that keeps at most `history_lines` lines that scrolled off.
    pub fn new(size: Size, history_lines: usize) -> Self {
        Self { emulator: Emulator::new(size, history_lines), printed: false }
    }

    /// Takes output exactly as it is sent to clients: queries taken out, never ending inside a UTF-8 character.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.printed |= !bytes.is_empty();
        self.emulator.process(bytes);
    }

    /// Changes the size. Every client needs a new snapshot after it.
    pub fn resize(&mut self, size: Size) {
        self.emulator.set_size(size);
    }

    /// The size in cells.
    pub fn size(&self) -> Size {
        self.emulator.size()
    }

    /// The screen as bytes for a terminal.
    pub fn snapshot(&mut self, history: History) -> Snapshot {
        let mut bytes = b"\x18\x1b[?2026l\x1b[?1049l\x1b[!p\x1b[r\x1b[?7h\x1b[m".to_vec();
        if history == History::Include {
            bytes.extend_from_slice(b"\x1b[3J\x1b[H\x1b[J");
            for line in self.emulator.history() {
                bytes.extend_from_slice(line.as_bytes());
                bytes.extend_from_slice(b"\r\n");
            }
            let rows = usize::from(self.size().rows);
            bytes.extend(std::iter::repeat_n(
                b'\n',
                rows.saturating_sub(1).min(self.emulator.history().len()),
            ));
        }
        if self.emulator.screen().alternate_screen() {
            bytes.extend_from_slice(b"\x1b[?1049h");
        }
        bytes.extend_from_slice(self.emulator.screen().state_formatted().as_bytes());
        Snapshot { bytes, unfinished: Vec::new() }
    }

    /// The screen as lines that end with `\n`, after at most `scrollback` lines of history; trailing blank lines are
    /// left out.
    pub fn text(&mut self, scrollback: usize, format: ScreenFormat) -> String {
        let history = self.emulator.history();
        let mut lines: Vec<String> =
            history.iter().skip(history.len().saturating_sub(scrollback)).cloned().collect();
        let cols = self.size().cols;
        match format {
            ScreenFormat::Text => {
                for line in &mut lines {
                    *line = vt100::capture::basic_formatted_to_plain(line).collect::<String>();
                }
                lines.extend(self.emulator.screen().rows(0, cols));
                for line in &mut lines {
                    line.truncate(line.trim_end().len());
                }
            }
            ScreenFormat::Ansi => {
                lines.extend(self.emulator.screen().rows_formatted(0, cols).map(|line| line + "\x1b[m"));
            }
        }
        let blank = |line: &String| line.trim_end_matches("\x1b[m").is_empty();
        let kept = lines.iter().rposition(|line| !blank(line)).map_or(0, |last| last + 1);
        lines.iter().take(kept).map(|line| format!("{line}\n")).collect()
    }

    /// Row and column of the cursor, from 0; the last column while a wrap is pending.
    pub fn cursor(&self) -> (u16, u16) {
        let (row, col) = self.emulator.cursor();
        (row, col.min(self.size().cols - 1))
    }

    /// The title that the program set; empty before.
    pub fn title(&self) -> &str {
        self.emulator.title()
    }

    /// Whether nothing was printed yet.
    pub fn is_empty(&self) -> bool {
        !self.printed
    }

    pub(super) fn reported_cursor(&self) -> (u16, u16) {
        self.cursor()
    }

    pub(super) fn ansi_mode(&self, _mode: u16) -> ModeReport {
        ModeReport::Unknown
    }

    pub(super) fn private_mode(&self, mode: u16) -> ModeReport {
        let screen = self.emulator.screen();
        match mode {
            1 => screen.application_cursor().into(),
            25 => (!screen.hide_cursor()).into(),
            1049 => screen.alternate_screen().into(),
            2004 => screen.bracketed_paste().into(),
            _ => ModeReport::Unknown,
        }
    }

    pub(super) fn kitty_flags(&self) -> u8 {
        0
    }

    pub(super) fn modify_other_keys(&self) -> u8 {
        0
    }

    pub(super) fn setting(&self, _name: &[u8]) -> Option<String> {
        None
    }

    pub(super) fn colour(&self, _slot: ColourSlot) -> Option<Rgb16> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_shows_screen_and_history() {
        let size = Size { cols: 20, rows: 5 };
        let mut terminal = SessionTerminal::new(size, 100);
        assert!(terminal.is_empty());
        for n in 1..=12 {
            terminal.feed(format!("line {n}\r\n").as_bytes());
        }
        assert!(!terminal.is_empty());
        assert_eq!(terminal.cursor(), (4, 0));
        assert_eq!(
            terminal.text(2, ScreenFormat::Text),
            "line 7\nline 8\nline 9\nline 10\nline 11\nline 12\n"
        );
        let mut client = SessionTerminal::new(size, 100);
        client.feed(&terminal.snapshot(History::Include).bytes);
        let lines =
            |terminal: &mut SessionTerminal| terminal.text(100, ScreenFormat::Text).replace('\n', " ");
        assert!(lines(&mut client).contains("line 1 line 2"), "{}", lines(&mut client));
        assert!(lines(&mut client).ends_with("line 11 line 12 "));
    }
}

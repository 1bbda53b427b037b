//! The one line of the status pane, and the terminal that shows it.
//!
//! Used by [`super::run`]. It writes only when the line or the width changes, and nothing at all without a terminal
//! (zellij keeps what a background command prints).

use super::machine::Status;
use board_protocol::{
    daemon::{LinkTerminal, NoticeWay},
    pipe::DaemonHealth,
    text::plain_within,
};
use board_text::link as texts;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use std::io::{self, IsTerminal, Write};

/// The width when the terminal does not tell.
const FALLBACK_COLUMNS: u16 = 80;
/// Widest notification in cells: more than any of them shows.
const MAX_NOTICE_COLUMNS: usize = 240;

/// What the line says. A board that listens tells the reason itself, in one line of its own: twice would be one too many.
fn text(status: &Status) -> String {
    match &status.health {
        DaemonHealth::Unreachable { .. }
        | DaemonHealth::Incompatible { .. }
        | DaemonHealth::ShutDown { .. }
            if status.board_listens =>
        {
            match status.counts {
                None => texts::status(texts::status_not_connected()),
                Some([running, ..]) => texts::status(texts::status_last_heard(running)),
            }
        }
        DaemonHealth::Unreachable { text }
        | DaemonHealth::Incompatible { text }
        | DaemonHealth::ShutDown { text } => texts::status(text),
        DaemonHealth::Connected { .. } => match status.counts {
            _ if !status.board_listens => texts::status(texts::status_no_board()),
            None => texts::status(texts::status_reading()),
            Some([running, needs_answer, unread]) => {
                let mut parts = vec![texts::status_running(running)];
                if needs_answer > 0 {
                    parts.push(texts::status_needs_answer(needs_answer));
                }
                if unread > 0 {
                    parts.push(texts::status_unread(unread));
                }
                texts::status(parts.join(" · "))
            }
        },
    }
}

/// The status pane's terminal, if there is one.
#[derive(Debug)]
pub(super) struct StatusPane {
    /// As the terminal was before; `None` without a terminal.
    before: Option<Termios>,
    shown: Option<(String, u16)>,
}

impl StatusPane {
    /// Takes the terminal over: no echo of keys, no cursor.
    pub(super) fn open() -> Self {
        let stdin = io::stdin();
        let before = if io::stdout().is_terminal() { tcgetattr(&stdin).ok() } else { None };
        if let Some(before) = &before {
            let mut quiet = before.clone();
            quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
            let _ = tcsetattr(&stdin, OptionalActions::Now, &quiet);
            print("\x1b[?25l");
        }
        Self { before, shown: None }
    }

    /// Shows the status, unless it is shown already.
    pub(super) fn show(&mut self, status: &Status) {
        if self.before.is_none() {
            return;
        }
        let columns = columns();
        // One cell stays free: a full last line would leave the cursor waiting to wrap.
        let line = plain_within(&text(status), usize::from(columns.saturating_sub(2)));
        if self.shown.as_ref().is_none_or(|(shown, width)| *shown != line || *width != columns) {
            print(&format!("\r\x1b[2K {line}"));
            self.shown = Some((line, columns));
        }
    }
}

impl StatusPane {
    /// What it can show something in.
    pub(super) fn terminal(&self) -> LinkTerminal {
        if self.before.is_some() { LinkTerminal::StatusPane } else { LinkTerminal::Absent }
    }

    /// Tells the persons at this session something. Nothing of it is drawn: zellij hands it on to their terminals.
    pub(super) fn notify(&self, text: &str, ways: &[NoticeWay]) {
        if self.before.is_some() {
            print(&notification(text, ways));
        }
    }
}

/// The bytes that tell a terminal something. The text is made plain once more: it ends the sequence only where we do.
fn notification(text: &str, ways: &[NoticeWay]) -> String {
    let text = plain_within(text, MAX_NOTICE_COLUMNS);
    ways.iter()
        .map(|way| match way {
            NoticeWay::Osc9 => format!("\x1b]9;{text}\x1b\\"),
            NoticeWay::Bell => "\x07".to_owned(),
        })
        .collect()
}

impl Drop for StatusPane {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            print("\r\x1b[2K\x1b[?25h");
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }
}

fn columns() -> u16 {
    match tcgetwinsize(io::stdout()) {
        Ok(size) if size.ws_col > 0 => size.ws_col,
        _ => FALLBACK_COLUMNS,
    }
}

/// The pane may be gone already; then there is nobody to tell.
fn print(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_text::{Language, speaking};

    fn status(health: DaemonHealth, counts: Option<[usize; 3]>, board_listens: bool) -> Status {
        Status { health, counts, board_listens }
    }

    #[test]
    fn a_notification_is_two_sequences_and_no_word_of_an_agent_ends_them() {
        let both = [NoticeWay::Osc9, NoticeWay::Bell];
        let bytes = notification("job needs\x1b\\ an\x07 answer\u{9c}\n", &both);
        assert_eq!(bytes.matches(['\x07', '\u{9c}', '\n']).count(), 1, "{bytes:?}");
        assert_eq!(bytes.matches('\x1b').count(), 2, "{bytes:?}");
        assert!(bytes.starts_with("\x1b]9;job needs") && bytes.ends_with("\x1b\\\x07"), "{bytes:?}");
        assert_eq!(notification("x", &[NoticeWay::Bell]), "\x07");
        assert_eq!(notification("x", &[]), "");
    }

    #[test]
    fn the_line_says_what_matters_most() {
        let connected = || DaemonHealth::Connected { build: "1".into() };
        for (status, expected) in [
            (status(connected(), Some([2, 0, 0]), true), "Agent Board: 2 running"),
            (
                status(connected(), Some([0, 1, 3]), true),
                "Agent Board: 0 running · 1 needs answer · 3 unread",
            ),
            (status(connected(), Some([2, 0, 0]), false), "Agent Board: waiting for the board"),
            (status(connected(), None, true), "Agent Board: reading the board…"),
            (
                status(DaemonHealth::ShutDown { text: "shut down".into() }, Some([1, 0, 0]), true),
                "Agent Board: not connected · 1 running when last heard",
            ),
            (
                status(DaemonHealth::ShutDown { text: "shut down".into() }, Some([1, 0, 0]), false),
                "Agent Board: shut down",
            ),
        ] {
            assert_eq!(text(&status), expected);
        }
    }

    #[test]
    fn i8_the_line_speaks_the_language_of_its_reader_and_counts_its_wide_characters() {
        let connected = DaemonHealth::Connected { build: "1".into() };
        let status = status(connected, Some([0, 1, 3]), true);
        let line = speaking(Language::Chinese, || text(&status));
        assert_eq!(line, "Agent Board：0 运行中 · 1 待回答 · 3 未读");
        assert_eq!(plain_within(&line, 21), "Agent Board：0 运行…");
        let line = speaking(Language::Japanese, || text(&status));
        assert_eq!(line, "Agent Board：実行中 0 · 回答待ち 1 · 未読 3");
    }
}

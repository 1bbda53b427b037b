//! The only file that names `vt100`: cells, cursor, and what scrolls off the top. Used by the session terminal.

use board_protocol::ids::Size;
use std::{collections::VecDeque, fmt::Write as _, num::NonZeroU16};
use vt100::capture::{BasicFormattedCaptureState, RowContents};

/// What the engine reports while it parses.
#[derive(Debug, Default)]
struct Report {
    history: VecDeque<String>,
    history_lines: usize,
    title: String,
}

impl vt100::Callbacks for Report {
    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.title = String::from_utf8_lossy(title).into_owned();
    }

    fn on_scroll(&mut self, row: RowContents<'_>, alternate_screen: bool) {
        if alternate_screen || self.history_lines == 0 {
            return;
        }
        let mut line = String::new();
        let mut state = BasicFormattedCaptureState::new();
        if row.write_formatted_basic(&mut line, &mut state).is_ok() {
            let _ = write!(line, "\x1b[m");
            if self.history.len() >= self.history_lines {
                self.history.pop_front();
            }
            self.history.push_back(line);
        }
    }
}

/// One engine.
pub(super) struct Emulator {
    parser: vt100::Parser<Report>,
}

fn dimension(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).unwrap_or(NonZeroU16::MIN)
}

impl Emulator {
    pub(super) fn new(size: Size, history_lines: usize) -> Self {
        let report = Report { history_lines, ..Report::default() };
        let parser = vt100::Parser::new_with_callbacks(dimension(size.rows), dimension(size.cols), 0, report);
        Self { parser }
    }

    pub(super) fn process(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
    }

    pub(super) fn set_size(&mut self, size: Size) {
        self.parser.set_size(dimension(size.rows), dimension(size.cols));
    }

    pub(super) fn size(&self) -> Size {
        let (rows, cols) = self.parser.screen().size();
        Size { cols: cols.get(), rows: rows.get() }
    }

    /// Row and column; the column equals the width while a wrap is pending.
    pub(super) fn cursor(&self) -> (u16, u16) {
        self.parser.screen().cursor_position()
    }

    pub(super) fn title(&self) -> &str {
        &self.parser.callbacks().title
    }

    pub(super) fn history(&self) -> &VecDeque<String> {
        &self.parser.callbacks().history
    }

    pub(super) fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }
}

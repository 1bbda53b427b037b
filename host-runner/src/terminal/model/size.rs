//! Another size: both screens, tab stops, saved cursors, and rows that come back from the history.

use super::{
    super::{
        emulator::write_csi,
        history::{HistoryRow, RowEnd},
        state::{Position, Shown, State},
    },
    Model,
};
use board_protocol::ids::Size;

impl Model {
    /// Changes the size as terminals do: rows go off the top into the history, and come back from it.
    pub(in super::super) fn resize(&mut self, size: Size) {
        if size == self.size {
            return;
        }
        let cursor = self.cursor();
        self.fill_history();
        let old = self.size;
        self.emulator.set_size(size);
        self.size = size;
        if size.cols != old.cols {
            self.history.break_wraps();
        }
        self.state.region = (0, size.rows.saturating_sub(1));
        self.state.tabs.resize(size.cols);
        // What the engine pushed off the top of the primary screen.
        let is_alternate = self.state.is_alternate();
        if is_alternate {
            self.emulator.process(b"\x1b[?47l");
        }
        let pushed = self.emulator.scrolled();
        let shown = self.state.shown;
        self.state.shown = Shown::Primary;
        self.scrolls = pushed;
        self.fill_history();
        // Later growth of the engine must not invent rows for what it pushed off.
        self.emulator.clear_scrolled();
        let taken = if size.rows > old.rows { self.take_back(size.rows - old.rows) } else { 0 };
        self.flush();
        self.state.shown = shown;
        if is_alternate {
            self.emulator.process(b"\x1b[?47h");
        }
        if cursor.wrap_pending && size.cols == old.cols {
            // The engine forgets it.
            let moved = self.cursor();
            self.goto(Position { wrap_pending: true, ..moved });
            self.flush();
        }
        let shift = i32::from(taken) - i32::try_from(pushed).unwrap_or(0);
        self.shift_saved(0, shift, size.cols != old.cols);
        self.shift_saved(1, 0, size.cols != old.cols);
        self.may_wrap = true;
    }

    /// Paints up to `count` rows of the history above the screen. Returns how many.
    fn take_back(&mut self, count: u16) -> u16 {
        let rows: Vec<HistoryRow> = self.history.take_newest(usize::from(count));
        let taken = u16::try_from(rows.len()).unwrap_or(count);
        if taken == 0 {
            return 0;
        }
        let cursor = self.cursor();
        let state = self.state.clone();
        let size = self.size;
        self.state = State::new(size);
        self.clips = true;
        self.write_region();
        write_csi(taken, b'T', &mut self.out);
        let mut continues = false;
        self.state.autowrap = false;
        for (n, row) in (0_u16..).zip(&rows) {
            if !continues {
                self.goto(Position { row: n, ..Position::default() });
            }
            // A row that goes on is printed straight into the next one, so that the engine knows it.
            self.parse(&row.bytes, usize::MAX);
            continues = row.end != RowEnd::Line && n + 1 < taken;
            self.state.autowrap = continues;
        }
        self.state = state;
        self.clips = false;
        self.goto(Position { row: (cursor.row + taken).min(self.last_row()), ..cursor });
        taken
    }

    fn shift_saved(&mut self, screen: usize, rows: i32, is_other_width: bool) {
        let (last_row, last_col) = (self.last_row(), self.last_column());
        let position = &mut self.state.saved[screen].position;
        let row = i32::from(position.row) + rows;
        position.row = u16::try_from(row.max(0)).unwrap_or(last_row).min(last_row);
        position.wrap_pending &= !is_other_width;
        position.col = position.col.min(last_col);
    }
}

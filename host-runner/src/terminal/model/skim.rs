//! A flood of plain lines: what scrolls through the screen and out again within one read goes straight into the history,
//! without the engine seeing it.

use super::{
    super::{
        history::{HistoryRow, RowEnd},
        style::Style,
    },
    Model,
};

/// Skimming clears the screen first, so it pays only for this many screens of lines.
const LEAST_SCREENS: usize = 3;

impl Model {
    /// Reads plain lines at the start of `bytes`, which begin with a line feed, if that saves work. Returns how many
    /// bytes it read; 0 is the usual answer.
    pub(super) fn skim(&mut self, bytes: &[u8]) -> usize {
        let rows = usize::from(self.size.rows);
        let cols = usize::from(self.size.cols);
        if bytes.len() > self.skim_below || bytes.len() < rows * LEAST_SCREENS * 2 || !self.may_skim() {
            return 0;
        }
        let lines = plain_lines(bytes.get(1..).unwrap_or_default());
        let count: usize = lines.iter().map(|line| rows_of(line, cols)).sum();
        let read: usize = 1 + lines.iter().map(|line| line.len() + 2).sum::<usize>();
        // Whatever follows here is not looked at again, else a long read would be scanned again at every line.
        self.skim_below = bytes.len() - read;
        let cursor = self.cursor();
        if count < rows * LEAST_SCREENS || cursor.col != 0 || cursor.row != self.last_row() {
            return 0;
        }
        // The last lines stay for the engine: as many as the screen shows above the cursor's row.
        let (mut kept, mut kept_rows) = (lines.len(), 0);
        while kept_rows + 1 < rows && kept > 0 {
            kept -= 1;
            kept_rows += lines.get(kept).map_or(0, |line| rows_of(line, cols));
        }
        let skimmed = lines.get(..kept).unwrap_or_default();
        // What is on the screen goes first.
        for _ in 0..rows {
            self.line_feed();
        }
        self.flush();
        self.fill_history();
        let skipped = lines_over(skimmed, cols, self.history.limit());
        for line in skimmed.iter().skip(skipped) {
            self.push_line(line, cols);
        }
        self.out.extend_from_slice(b"\x1b[H");
        1 + skimmed.iter().map(|line| line.len() + 2).sum::<usize>()
    }

    /// Whether plain lines do nothing but scroll.
    fn may_skim(&self) -> bool {
        !self.state.is_alternate()
            && !self.state.newline
            && self.state.region == (0, self.last_row())
            && self.prints_plainly()
            && self.erased() == Style::default()
    }

    fn push_line(&mut self, line: &[u8], cols: usize) {
        let style = self.state.style;
        let mut rest = line;
        loop {
            let (row, after) = rest.split_at(rest.len().min(cols));
            let mut bytes = Vec::with_capacity(row.len());
            if style != Style::default() && !row.is_empty() {
                style.write(&mut bytes);
                bytes.extend_from_slice(row);
                Style::default().write(&mut bytes);
            } else {
                bytes.extend_from_slice(row);
            }
            let end = if after.is_empty() { RowEnd::Line } else { RowEnd::Wraps };
            self.history.push(HistoryRow { bytes: bytes.into(), end });
            if after.is_empty() {
                return;
            }
            rest = after;
        }
    }
}

/// Lines of printable ASCII, each ended by CR LF, as far as they go.
fn plain_lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        let line = bytes.get(start..end).and_then(|line| line.strip_suffix(b"\r"));
        match line {
            Some(line) if line.iter().all(|b| (0x20..0x7f).contains(b)) => lines.push(line),
            _ => break,
        }
        start = end + 1;
    }
    lines
}

fn rows_of(line: &[u8], cols: usize) -> usize {
    line.len().div_ceil(cols).max(1)
}

/// How many lines at the start would be pushed out of the history again by the rest.
fn lines_over(lines: &[&[u8]], cols: usize, limit: usize) -> usize {
    let mut rows = 0;
    for (n, line) in lines.iter().enumerate().rev() {
        if rows >= limit {
            return n + 1;
        }
        rows += rows_of(line, cols);
    }
    0
}

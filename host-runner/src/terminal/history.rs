//! Lines that scrolled off the primary screen, each formatted on its own. Used by the model, by snapshots and by text.

use super::{extended::Link, style::Style};
use std::collections::VecDeque;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HistoryRow {
    /// Text with SGR and OSC 8; begins and ends with everything off. Trailing blanks are not there.
    pub(super) bytes: Box<[u8]>,
    pub(super) end: RowEnd,
}

/// How a line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RowEnd {
    /// By itself.
    Line,
    /// The next line goes on with it. Only while the width is what it was.
    Wraps,
    /// The same, and the last column is not there: a wide character did not fit into it. Style and link are the blank's.
    WrapsBeforeWide(Style, Option<Link>),
}

/// Most bytes of formatted lines. Two thousand lines of 120 cells, each with colours of its own, are about this much; a
/// wider picture keeps fewer lines. A snapshot with all of them has to fit into what may wait for one client.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// The newest lines.
#[derive(Debug)]
pub(super) struct HistoryRows {
    rows: VecDeque<HistoryRow>,
    /// Of all the rows.
    bytes: usize,
    limit: usize,
}

impl HistoryRows {
    pub(super) fn new(limit: usize) -> Self {
        Self { rows: VecDeque::new(), bytes: 0, limit }
    }

    pub(super) fn push(&mut self, row: HistoryRow) {
        if self.limit == 0 {
            return;
        }
        self.bytes += row.bytes.len();
        self.rows.push_back(row);
        while self.rows.len() > self.limit || self.bytes > MAX_BYTES {
            let Some(oldest) = self.rows.pop_front() else { return };
            self.bytes -= oldest.bytes.len();
        }
    }

    /// Takes the newest `count` lines back, oldest first.
    pub(super) fn take_newest(&mut self, count: usize) -> Vec<HistoryRow> {
        let kept = self.rows.len().saturating_sub(count);
        let taken: Vec<HistoryRow> = self.rows.split_off(kept).into();
        self.bytes -= taken.iter().map(|row| row.bytes.len()).sum::<usize>();
        taken
    }

    pub(super) fn clear(&mut self) {
        self.rows = VecDeque::new();
        self.bytes = 0;
    }

    /// The width changed: no line goes on in the next one where it did.
    pub(super) fn break_wraps(&mut self) {
        for row in &mut self.rows {
            row.end = RowEnd::Line;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// The newest `count` lines, oldest first.
    pub(super) fn newest(&self, count: usize) -> impl Iterator<Item = &HistoryRow> {
        self.rows.iter().skip(self.rows.len().saturating_sub(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_lines_go_first() {
        let mut history = HistoryRows::new(3);
        let row = |n: u8| HistoryRow { bytes: [n].into(), end: RowEnd::Line };
        for n in 0..5 {
            history.push(row(n));
        }
        assert_eq!(history.newest(9).cloned().collect::<Vec<_>>(), [row(2), row(3), row(4)]);
        assert_eq!(history.take_newest(2), [row(3), row(4)]);
        assert_eq!(history.len(), 1);
    }

    #[test]
    fn large_lines_are_fewer() {
        let mut history = HistoryRows::new(2_000);
        let large = || HistoryRow { bytes: vec![b'x'; MAX_BYTES / 10].into(), end: RowEnd::Line };
        for _ in 0..25 {
            history.push(large());
        }
        assert_eq!(history.len(), 10);
        assert_eq!(history.take_newest(4).len(), 4);
        history.push(large());
        assert_eq!(history.len(), 7);
        history.clear();
        history.push(large());
        assert_eq!((history.len(), history.bytes), (1, MAX_BYTES / 10));
    }
}

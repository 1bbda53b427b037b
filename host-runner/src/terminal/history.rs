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

/// The newest lines.
#[derive(Debug)]
pub(super) struct HistoryRows {
    rows: VecDeque<HistoryRow>,
    limit: usize,
}

impl HistoryRows {
    pub(super) fn new(limit: usize) -> Self {
        Self { rows: VecDeque::new(), limit }
    }

    pub(super) fn push(&mut self, row: HistoryRow) {
        if self.limit == 0 {
            return;
        }
        if self.rows.len() >= self.limit {
            self.rows.pop_front();
        }
        self.rows.push_back(row);
    }

    /// Takes the newest `count` lines back, oldest first.
    pub(super) fn take_newest(&mut self, count: usize) -> Vec<HistoryRow> {
        let kept = self.rows.len().saturating_sub(count);
        self.rows.split_off(kept).into()
    }

    pub(super) fn clear(&mut self) {
        self.rows = VecDeque::new();
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
}

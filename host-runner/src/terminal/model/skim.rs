//! A flood of plain lines: what scrolls through the screen and out again within one read goes straight into the history,
//! without the engine seeing it.

use super::Model;

impl Model {
    /// Reads plain lines at the start of `bytes`, which begin with a line feed, if that saves work. Returns how many
    /// bytes it read; 0 is the usual answer.
    pub(super) fn skim(&mut self, _bytes: &[u8]) -> usize {
        0
    }
}

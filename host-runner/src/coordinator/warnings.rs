//! Lines for everybody at the board: what went wrong on our side, and what to do.

use board_protocol::{
    board::{MAX_SENTENCE_COLUMNS, Warning},
    text::plain_within,
};

/// Most warnings that the board shows at once; one line each.
const MAX_WARNINGS: usize = 20;

/// Lines for everybody at the board.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    lines: Vec<String>,
    /// Those of them that are about the configuration.
    configuration: Vec<String>,
    changed: bool,
}

impl Warnings {
    /// Adds a line, once.
    pub(super) fn add(&mut self, text: String) {
        if self.lines.len() < MAX_WARNINGS && !self.lines.contains(&text) {
            tracing::warn!("{text}");
            self.lines.push(text);
            self.changed = true;
        }
    }

    /// What is wrong with the configuration now, in place of what was before.
    pub(super) fn configured(&mut self, texts: Vec<String>) {
        let earlier = std::mem::replace(&mut self.configuration, texts.clone());
        let before = self.lines.len();
        self.lines.retain(|line| !earlier.contains(line) || texts.contains(line));
        self.changed |= self.lines.len() != before;
        texts.into_iter().for_each(|text| self.add(text));
    }

    /// Takes away the lines that begin like this.
    pub(super) fn clear(&mut self, beginning: &str) {
        let before = self.lines.len();
        self.lines.retain(|line| !line.starts_with(beginning));
        self.changed |= self.lines.len() != before;
    }

    /// All lines.
    pub(super) fn all(&self) -> Vec<Warning> {
        self.lines.iter().map(|line| Warning { text: plain_within(line, MAX_SENTENCE_COLUMNS) }).collect()
    }

    /// All lines, if they changed since the last call.
    pub(super) fn news(&mut self) -> Option<Vec<Warning>> {
        std::mem::take(&mut self.changed).then(|| self.all())
    }
}

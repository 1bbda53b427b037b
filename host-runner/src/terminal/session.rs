//! The canonical terminal of one session. Used by the host loop, which feeds it what clients get and asks it for
//! snapshots and text. Keeps a fault of the engine from reaching the host.

use super::{
    answer::ModeReport, filter::ColourSlot, history::HistoryRows, model::Model, palette::Rgb16, rows,
};
use board_protocol::{host::ScreenFormat, ids::Size, terminals::CursorKeys};
use std::panic::{AssertUnwindSafe, catch_unwind};

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
    model: Model,
    printed: bool,
    faults: u32,
}

impl SessionTerminal {
    /// An empty terminal that keeps at most `history_lines` lines that scrolled off.
    pub fn new(size: Size, history_lines: usize) -> Self {
        Self {
            model: Model::new(at_least_one(size), HistoryRows::new(history_lines)),
            printed: false,
            faults: 0,
        }
    }

    /// Takes output exactly as it is sent to clients, queries taken out, in pieces of any size. Large ones are faster: of
    /// plain lines that scroll through the screen and out again in one piece only the last ones cost anything.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.printed |= !bytes.is_empty();
        self.guarded(|model| model.feed(bytes));
    }

    /// As [`SessionTerminal::feed`], until about `most` bytes had to be drawn. Returns how many bytes it took: at least one, and
    /// many more than `most` where most of them scroll through the screen or are painted over.
    pub fn feed_some(&mut self, bytes: &[u8], most: usize) -> usize {
        self.printed |= !bytes.is_empty();
        let most = most.max(1);
        // What broke the engine is left out; so much of it would have been read.
        self.guarded(|model| model.feed_some(bytes, most)).unwrap_or(most).min(bytes.len())
    }

    /// Changes the size. Every client needs a new snapshot after it.
    pub fn resize(&mut self, size: Size) {
        let size = at_least_one(size);
        if self.guarded(|model| model.resize(size)).is_none() {
            // A fault in the middle leaves the right size, too.
            self.model.size = size;
            self.replace_model();
        }
    }

    /// Gives back what only reading needs: nothing may be printed for long.
    pub fn rest(&mut self) {
        self.model.rest();
    }

    /// The size in cells.
    pub fn size(&self) -> Size {
        self.model.size
    }

    /// The screen as bytes for a terminal.
    pub fn snapshot(&mut self, history: History) -> Snapshot {
        self.guarded(|model| model.snapshot(history))
            .unwrap_or_else(|| Snapshot { bytes: b"\x18\x1bc".to_vec(), unfinished: Vec::new() })
    }

    /// The screen as lines that end with `\n`, after at most `scrollback` lines of history; trailing blank lines are
    /// left out.
    pub fn text(&mut self, scrollback: usize, format: ScreenFormat) -> String {
        self.guarded(|model| text(model, scrollback, format)).unwrap_or_default()
    }

    /// Row and column of the cursor, from 0; the last column while a wrap is pending.
    pub fn cursor(&self) -> (u16, u16) {
        let position = self.model.cursor_now();
        (position.row, position.col)
    }

    /// What the program wants to get for cursor keys (DECCKM).
    pub fn cursor_keys(&self) -> CursorKeys {
        match self.private_mode(1) {
            ModeReport::Set => CursorKeys::Application,
            _ => CursorKeys::Normal,
        }
    }

    /// The title that the program set; empty before.
    pub fn title(&self) -> &str {
        self.model.state.title.as_deref().unwrap_or_default()
    }

    /// Whether nothing was printed yet.
    pub fn is_empty(&self) -> bool {
        !self.printed
    }

    /// Whether a private mode is set (2004 paste, 2026 synchronized update, 2031 colour scheme reports, …).
    pub fn has_mode(&self, mode: u16) -> bool {
        self.private_mode(mode) == ModeReport::Set
    }

    /// How often the engine failed. The screen was cleared then; history, modes and title stayed. A host that has the
    /// newest output may [`rebuild`](Self::rebuild).
    pub fn faults(&self) -> u32 {
        self.faults
    }

    /// Clears screen and history and follows the newest output again, chunk by chunk; one that makes the engine fail
    /// costs only what was on the screen.
    pub fn rebuild<'a>(&mut self, newest: impl Iterator<Item = &'a [u8]>) {
        self.model = Model::new(self.model.size, HistoryRows::new(self.model.history.limit()));
        for chunk in newest {
            self.feed(chunk);
        }
    }

    /// Runs something that the engine may panic in. `None` after a fault.
    fn guarded<T>(&mut self, run: impl FnOnce(&mut Model) -> T) -> Option<T> {
        // The model is replaced after a panic, so nothing sees a half-changed engine.
        let result = catch_unwind(AssertUnwindSafe(|| run(&mut self.model)));
        if result.is_err() {
            self.faults = self.faults.saturating_add(1);
            self.replace_model();
        }
        result.ok()
    }

    /// A new engine of the model's size; history and modes stay.
    fn replace_model(&mut self) {
        let limit = self.model.history.limit();
        let history = std::mem::replace(&mut self.model.history, HistoryRows::new(limit));
        let mut state = self.model.state.clone();
        state.shown = super::state::Shown::Primary;
        state.saved = Default::default();
        let mut model = Model::new(self.model.size, history);
        state.region = (0, model.size.rows.saturating_sub(1));
        model.state = state;
        self.model = model;
    }

    pub(super) fn reported_cursor(&self) -> (u16, u16) {
        let (row, col) = self.cursor();
        let top = if self.model.state.origin { self.model.state.region.0 } else { 0 };
        (row.saturating_sub(top), col)
    }

    pub(super) fn ansi_mode(&self, mode: u16) -> ModeReport {
        match mode {
            4 => self.model.state.insert.into(),
            20 => self.model.state.newline.into(),
            _ => ModeReport::Unknown,
        }
    }

    pub(super) fn private_mode(&self, mode: u16) -> ModeReport {
        let state = &self.model.state;
        match mode {
            6 => state.origin.into(),
            7 => state.autowrap.into(),
            66 => state.application_keypad.into(),
            47 | 1047 | 1049 => state.is_alternate().into(),
            _ => state.modes.report(mode),
        }
    }

    pub(super) fn kitty_flags(&self) -> u8 {
        self.model.state.kitty().current()
    }

    pub(super) fn modify_other_keys(&self) -> u8 {
        self.model.state.modify_other_keys
    }

    /// What DECRQSS reports for a setting.
    pub(super) fn setting(&self, name: &[u8]) -> Option<String> {
        let state = &self.model.state;
        match name {
            b"m" => Some(format!(
                "{}m",
                if state.style == Default::default() { "0".into() } else { state.style.report() }
            )),
            b"r" => Some(format!("{};{}r", state.region.0 + 1, state.region.1 + 1)),
            b" q" => Some(format!("{} q", state.cursor_style.unwrap_or(0))),
            _ => None,
        }
    }

    pub(super) fn colour(&self, slot: ColourSlot) -> Option<Rgb16> {
        self.model.state.colour(slot)
    }
}

/// The engine needs a cell.
fn at_least_one(size: Size) -> Size {
    Size { cols: size.cols.max(2), rows: size.rows.max(1) }
}

fn text(model: &mut Model, scrollback: usize, format: ScreenFormat) -> String {
    let size = model.size;
    let mut lines: Vec<String> = Vec::new();
    let mut push = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        lines.push(match format {
            ScreenFormat::Text => {
                let plain = rows::without_sequences(&text, rows::Keep::Nothing);
                plain.trim_end().to_owned()
            }
            ScreenFormat::Ansi => rows::without_sequences(&text, rows::Keep::Look),
        });
    };
    for row in model.history.newest(scrollback) {
        push(&row.bytes);
    }
    for row in model.emulator.rows() {
        push(&rows::format(&row, rows::Ending::Line, &model.table, size.cols).bytes);
    }
    let kept = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines.iter().take(kept).map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests;

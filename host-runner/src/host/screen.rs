//! The session's output inside the host: filter, ring and canonical terminal, which may lag behind the ring.
//!
//! A panic of the terminal's engine costs its picture at most, is logged, and the host goes on. The terminal itself
//! catches it; a picture that was lost between two chunks is made anew from the ring.

use crate::terminal::{
    Found, History, OutputFilter, OutputRing, SessionTerminal, Snapshot, SubscribePlan, answer, needs_screen,
    subscribe_plan,
};
use board_protocol::{
    host::{MAX_HISTORY_LINES, ScreenFormat, SnapshotCause, TerminalLook},
    ids::{OutputSeq, Size},
    terminals::CursorKeys,
};

/// Most output that the terminal may lag behind the clients; then the PTY is not read until it caught up.
pub(super) const MAX_LAG_BYTES: usize = 512 * 1024;
/// How much is drawn at once while nothing else is to do: well under a millisecond.
const SLICE_BYTES: usize = 16 * 1024;
/// How far ahead of that the terminal may look for what need not be drawn, which is a fraction of the work. More than a
/// history of 2,000 lines: of a flood only the lines that stay become rows of it, and most never do.
const LOOK_AHEAD_BYTES: usize = 384 * 1024;
/// With so much behind it the terminal follows as soon as nothing else is to do: with more at once it has to draw less.
pub(super) const FOLLOW_FROM_BYTES: usize = 192 * 1024;
/// The lag's buffer keeps this much room while the session goes on; all of it goes back when nobody is attached for a while.
const KEPT_LAG_BYTES: usize = LOOK_AHEAD_BYTES;

/// Whether something in front of what the ring has was never handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missed {
    Nothing,
    Some,
}

/// The session's output and what it shows.
pub(super) struct Screen {
    size: Size,
    filter: OutputFilter,
    ring: OutputRing,
    terminal: SessionTerminal,
    /// Output that the terminal has not parsed, behind the first `parsed` bytes.
    lag: Vec<u8>,
    parsed: usize,
    /// The last chunk before the size changed: older ones were made for another size and are never replayed.
    resized_after: OutputSeq,
    output: Vec<u8>,
    found: Vec<Found>,
    /// Faults of the terminal that were logged.
    faults: u32,
}

impl Screen {
    /// An empty screen with at most `history_lines` lines of history above it.
    pub(super) fn new(size: Size, history_lines: u32) -> Self {
        let history_lines = usize::try_from(history_lines.min(MAX_HISTORY_LINES)).unwrap_or(usize::MAX);
        Self {
            size,
            filter: OutputFilter::new(),
            ring: OutputRing::new(),
            terminal: SessionTerminal::new(size, history_lines),
            lag: Vec::new(),
            parsed: 0,
            resized_after: OutputSeq::default(),
            output: Vec::new(),
            found: Vec::new(),
            faults: 0,
        }
    }

    /// Takes what the program wrote. Answers to its queries go to `answers`; the result is what clients get, if anything.
    pub(super) fn take(
        &mut self,
        input: &[u8],
        look: &TerminalLook,
        answers: &mut Vec<u8>,
    ) -> Option<(OutputSeq, &[u8])> {
        self.output.clear();
        self.found.clear();
        let mut output = std::mem::take(&mut self.output);
        let mut found = std::mem::take(&mut self.found);
        self.filter.scan(input, &mut output, &mut found);
        let mut fed = 0;
        for noticed in &found {
            let Found::Query { at, query } = noticed else { continue };
            // The answer may depend on everything that was printed before the question.
            if needs_screen(query) {
                self.lag.extend_from_slice(output.get(fed..*at).unwrap_or_default());
                fed = fed.max(*at);
                self.flush();
            }
            if let Some(bytes) = answer(query, &self.terminal, look) {
                answers.extend_from_slice(&bytes);
            }
        }
        self.lag.extend_from_slice(output.get(fed..).unwrap_or_default());
        self.output = output;
        self.found = found;
        if self.output.is_empty() {
            return None;
        }
        let seq = self.ring.push(&self.output);
        Some((seq, &self.output))
    }

    /// Bytes that the terminal has not parsed.
    pub(super) fn lag(&self) -> usize {
        self.lag.len().saturating_sub(self.parsed)
    }

    /// Parses a little of what waits.
    pub(super) fn parse_slice(&mut self) {
        let lag = std::mem::take(&mut self.lag);
        let end = lag.len().min(self.parsed + LOOK_AHEAD_BYTES);
        let ahead = lag.get(self.parsed..end).unwrap_or_default();
        let end = self.parsed + self.terminal.feed_some(ahead, SLICE_BYTES);
        if end < lag.len() {
            self.parsed = end;
            self.lag = lag;
            // In a flood the lag never runs empty; what is parsed must still not pile up in front of it.
            if self.parsed >= MAX_LAG_BYTES {
                self.lag.drain(..self.parsed);
                self.parsed = 0;
            }
        } else {
            self.parsed = 0;
            self.lag = lag;
            self.lag.clear();
            self.lag.shrink_to(KEPT_LAG_BYTES);
        }
        // The chunk that broke the engine is in the ring: reading it again would break it again. What follows is shown.
        self.new_fault();
    }

    /// Parses everything that waits.
    pub(super) fn flush(&mut self) {
        while self.lag() > 0 {
            self.parse_slice();
        }
    }

    /// The size.
    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// Whether the program has set a private mode, with everything that it wrote so far.
    pub(super) fn has_mode(&mut self, mode: u16) -> bool {
        self.flush();
        self.terminal.has_mode(mode)
    }

    /// Another size. The caller has resized the PTY already: the two change together.
    pub(super) fn resize(&mut self, size: Size) {
        self.flush();
        self.size = size;
        self.resized_after = self.ring.last().unwrap_or_default();
        self.terminal.resize(size);
        self.mend();
    }

    /// The newest chunk.
    pub(super) fn last(&self) -> Option<OutputSeq> {
        self.ring.last()
    }

    /// The number of the next chunk.
    pub(super) fn next_seq(&self) -> OutputSeq {
        self.ring.next_seq()
    }

    /// What a subscriber gets. Chunks from before the last change of size are never replayed.
    pub(super) fn plan(&self, since: Option<OutputSeq>) -> SubscribePlan {
        match subscribe_plan(&self.ring, since) {
            SubscribePlan::Replay { from } if from <= self.resized_after => {
                SubscribePlan::Snapshot { cause: SnapshotCause::Resync }
            }
            plan => plan,
        }
    }

    /// Chunks for a subscriber that is only a little behind.
    pub(super) fn after(&self, since: OutputSeq) -> impl Iterator<Item = (OutputSeq, &[u8])> {
        self.ring.after(since).into_iter().flatten()
    }

    /// Everything after `since`, as far as the ring still has it.
    pub(super) fn newer(&self, since: OutputSeq) -> (Missed, Vec<&[u8]>) {
        match self.ring.after(since) {
            Some(chunks) => (Missed::Nothing, chunks.map(|(_, chunk)| chunk).collect()),
            None => (Missed::Some, self.ring.chunks().collect()),
        }
    }

    /// The whole screen as bytes for a terminal.
    pub(super) fn snapshot(&mut self, history: History) -> Snapshot {
        self.flush();
        let snapshot = self.terminal.snapshot(history);
        if self.mend() { self.terminal.snapshot(history) } else { snapshot }
    }

    /// The whole screen as text.
    pub(super) fn text(&mut self, scrollback: usize, format: ScreenFormat) -> String {
        self.flush();
        let text = self.terminal.text(scrollback, format);
        if self.mend() { self.terminal.text(scrollback, format) } else { text }
    }

    /// Row and column of the cursor, from 0, with everything that was written so far.
    pub(super) fn cursor(&mut self) -> (u16, u16) {
        self.flush();
        self.terminal.cursor()
    }

    /// What the program wants to get for cursor keys, with everything that was written so far.
    pub(super) fn cursor_keys(&mut self) -> CursorKeys {
        self.flush();
        self.terminal.cursor_keys()
    }

    /// Nobody is attached for a while: only a little of the ring is of use.
    pub(super) fn shrink(&mut self) {
        self.ring.shrink();
        self.output = Vec::new();
        self.lag.shrink_to(0);
        self.terminal.rest();
    }

    /// Whether the engine failed since this was last asked.
    fn new_fault(&mut self) -> bool {
        let faults = self.terminal.faults();
        let news = faults != self.faults;
        if news {
            tracing::error!(faults, "the terminal engine failed and was replaced");
        }
        self.faults = faults;
        news
    }

    /// After a fault that no chunk caused, the picture is made anew from what the ring still has.
    fn mend(&mut self) -> bool {
        let failed = self.new_fault();
        if failed {
            self.terminal.rebuild(self.ring.chunks());
            self.faults = self.terminal.faults();
        }
        failed
    }
}

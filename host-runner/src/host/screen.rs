//! The session's output inside the host: filter, ring and canonical terminal, which may lag behind the ring.
//!
//! A panic of the terminal's engine costs its picture at most: it is rebuilt from the ring, and the host goes on.

use crate::terminal::{
    Found, History, OutputFilter, OutputRing, SessionTerminal, Snapshot, SubscribePlan, answer, needs_screen,
    subscribe_plan,
};
use board_protocol::{
    host::{MAX_HISTORY_LINES, ScreenFormat, SnapshotCause, TerminalLook},
    ids::{OutputSeq, Size},
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Most output that the terminal may lag behind the clients; then the PTY is not read until it caught up.
pub(super) const MAX_LAG_BYTES: usize = 256 * 1024;
/// How much is parsed at once while nothing else is to do: well under a millisecond.
const SLICE_BYTES: usize = 16 * 1024;
/// The lag's buffer goes back to the system above this size.
const KEPT_LAG_BYTES: usize = 16 * 1024;

/// The session's output and what it shows.
pub(super) struct Screen {
    size: Size,
    /// Lines of history.
    history_lines: usize,
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
}

impl Screen {
    /// An empty screen with at most `history_lines` lines of history above it.
    pub(super) fn new(size: Size, history_lines: u32) -> Self {
        let history_lines = usize::try_from(history_lines.min(MAX_HISTORY_LINES)).unwrap_or(usize::MAX);
        Self {
            size,
            history_lines,
            filter: OutputFilter::new(),
            ring: OutputRing::new(),
            terminal: SessionTerminal::new(size, history_lines),
            lag: Vec::new(),
            parsed: 0,
            resized_after: OutputSeq::default(),
            output: Vec::new(),
            found: Vec::new(),
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
        let end = self.lag.len().min(self.parsed + SLICE_BYTES);
        let lag = std::mem::take(&mut self.lag);
        let slice = lag.get(self.parsed..end).unwrap_or_default();
        let whole = self.guarded(|terminal| terminal.feed(slice));
        // After a panic the terminal was rebuilt from the ring, which holds the rest of the lag, too.
        if whole.is_some() && end < lag.len() {
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

    /// Another size. The caller has resized the PTY already: the two change together.
    pub(super) fn resize(&mut self, size: Size) {
        self.flush();
        self.size = size;
        self.resized_after = self.ring.last().unwrap_or_default();
        self.guarded(|terminal| terminal.resize(size));
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

    /// The whole screen as bytes for a terminal.
    pub(super) fn snapshot(&mut self, history: History) -> Option<Snapshot> {
        self.flush();
        // The second try is on the rebuilt terminal.
        self.guarded(|terminal| terminal.snapshot(history))
            .or_else(|| self.guarded(|terminal| terminal.snapshot(history)))
    }

    /// The whole screen as text.
    pub(super) fn text(&mut self, scrollback: usize, format: ScreenFormat) -> String {
        self.flush();
        self.guarded(|terminal| terminal.text(scrollback, format)).unwrap_or_default()
    }

    /// Nobody is attached for a while: only a little of the ring is of use.
    pub(super) fn shrink(&mut self) {
        self.ring.shrink();
        self.output = Vec::new();
        self.lag.shrink_to(0);
    }

    fn guarded<R>(&mut self, work: impl FnOnce(&mut SessionTerminal) -> R) -> Option<R> {
        let result = catch_unwind(AssertUnwindSafe(|| work(&mut self.terminal)));
        if result.is_err() {
            tracing::error!("the terminal engine failed; its picture is rebuilt from the last output");
            self.rebuild();
        }
        result.ok()
    }

    /// A new terminal from what the ring still has. A chunk that fails again is left out, with what came before it.
    fn rebuild(&mut self) {
        self.lag.clear();
        self.parsed = 0;
        let size = self.size;
        let mut terminal = SessionTerminal::new(size, self.history_lines);
        let first = self.ring.last().map_or(0, |last| last.0);
        let kept = (0..=first).map(OutputSeq).find(|seq| self.ring.after(*seq).is_some());
        for (_, chunk) in kept.and_then(|since| self.ring.after(since)).into_iter().flatten() {
            if catch_unwind(AssertUnwindSafe(|| terminal.feed(chunk))).is_err() {
                terminal = SessionTerminal::new(size, self.history_lines);
            }
        }
        self.terminal = terminal;
    }
}

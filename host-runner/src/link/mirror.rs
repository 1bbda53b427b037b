//! The link's own copy of the board, and what of it the plugin has been sent: newest wins, nothing is queued.
//!
//! Used by [`super::machine`]. Pure: it makes messages and never sends one. It sends a change as one delta while that is
//! small, else as pages of the whole board.

use board_protocol::{
    board::{BoardUpdate, Row, Warning, row_order},
    ids::{BoardSeq, Generation, SessionId},
    pipe::{Down, MAX_LINE_BYTES, PAGE_BYTES},
    state::SemanticState,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Room for the envelope, the generation and the numbers of a page beside its rows and warnings, in bytes.
const ENVELOPE_BYTES: usize = 512;
/// Most bytes of warnings on one page: they stand on every page and must leave room for rows.
const MAX_WARNING_BYTES: usize = 4 * 1024;

/// The daemon's delta does not apply to what the mirror holds: the whole board is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gap;

/// The last board that the daemon sent.
///
/// What goes down is numbered here and not with the daemon's numbers: several of its updates go down as one, and a board
/// that comes in parts has numbers between two states.
#[derive(Debug, Default)]
pub(crate) struct Mirror {
    /// Whose board this is; `None` before the first one.
    generation: Option<Generation>,
    /// The daemon's number on the present connection; `None` until its first whole board.
    daemon_seq: Option<BoardSeq>,
    /// Our own number.
    seq: BoardSeq,
    rows: BTreeMap<SessionId, Row>,
    warnings: Vec<Warning>,
    /// What the plugin holds if everything that was sent arrived.
    sent: Option<(Generation, BoardSeq)>,
    /// Rows that changed since `sent`.
    changed: BTreeSet<SessionId>,
    warnings_changed: bool,
}

impl Mirror {
    /// Takes an update of the daemon whose generation is given.
    pub(crate) fn apply(&mut self, generation: &Generation, update: BoardUpdate) -> Result<(), Gap> {
        let mut other_daemon = false;
        match update {
            BoardUpdate::Full { seq, rows, warnings } => {
                let rows: BTreeMap<_, _> =
                    rows.into_iter().map(|row| (row.id.clone(), row.retold())).collect();
                let ids: BTreeSet<_> = self.rows.keys().chain(rows.keys()).cloned().collect();
                for id in ids {
                    if self.rows.get(&id) != rows.get(&id) {
                        self.changed.insert(id);
                    }
                }
                self.rows = rows;
                self.set_warnings(warnings);
                self.daemon_seq = Some(seq);
                other_daemon = self.generation.as_ref() != Some(generation);
                self.generation = Some(generation.clone());
            }
            BoardUpdate::Delta { base, seq, upserted, removed, warnings } => {
                if self.generation.as_ref() != Some(generation) || self.daemon_seq != Some(base) {
                    return Err(Gap);
                }
                for row in upserted {
                    self.changed.insert(row.id.clone());
                    self.rows.insert(row.id.clone(), row.retold());
                }
                for id in removed {
                    self.rows.remove(&id);
                    self.changed.insert(id);
                }
                if let Some(warnings) = warnings {
                    self.set_warnings(warnings);
                }
                self.daemon_seq = Some(seq);
            }
        }
        // The same board over a new connection is nothing new.
        if other_daemon || !self.changed.is_empty() || self.warnings_changed {
            self.seq = self.seq.next();
        }
        Ok(())
    }

    /// A new connection begins with the whole board.
    pub(crate) fn expect_full(&mut self) {
        self.daemon_seq = None;
    }

    fn set_warnings(&mut self, warnings: Vec<Warning>) {
        let warnings: Vec<Warning> = warnings.into_iter().map(Warning::retold).collect();
        if self.warnings != warnings {
            self.warnings = warnings;
            self.warnings_changed = true;
        }
    }

    /// Whether there is a board at all.
    pub(crate) fn is_known(&self) -> bool {
        self.generation.is_some()
    }

    /// Whether the plugin holds another board than this one.
    pub(crate) fn is_due(&self) -> bool {
        self.generation.as_ref().is_some_and(|generation| {
            self.sent.as_ref().is_none_or(|(sent, seq)| sent != generation || *seq != self.seq)
        })
    }

    /// Forgets what was sent: the next lines are the whole board.
    pub(crate) fn forget_sent(&mut self) {
        self.sent = None;
    }

    /// The lines that bring the plugin up to date: nothing, one delta, or all pages.
    pub(crate) fn lines(&mut self) -> Vec<Down> {
        let Some(generation) = self.generation.clone() else { return Vec::new() };
        if !self.is_due() {
            return Vec::new();
        }
        let lines = match &self.sent {
            Some((sent, base)) if *sent == generation => {
                self.delta(&generation, *base).map_or_else(|| self.pages(&generation), |delta| vec![delta])
            }
            _ => self.pages(&generation),
        };
        self.sent = Some((generation, self.seq));
        self.changed.clear();
        self.warnings_changed = false;
        lines
    }

    fn delta(&self, generation: &Generation, base: BoardSeq) -> Option<Down> {
        // Enough changed rows to overflow a page cost less as pages than as a delta that is thrown away.
        let mut bytes = ENVELOPE_BYTES;
        for row in self.changed.iter().filter_map(|id| self.rows.get(id)) {
            bytes += json_bytes(row);
            if bytes > PAGE_BYTES {
                return None;
            }
        }
        let upserted = self.changed.iter().filter_map(|id| self.rows.get(id)).cloned().collect();
        let removed = self.changed.iter().filter(|id| !self.rows.contains_key(*id)).cloned().collect();
        let delta = Down::Delta {
            generation: generation.clone(),
            base,
            seq: self.seq,
            upserted,
            removed,
            warnings: self.warnings_changed.then(|| self.short_warnings()),
        };
        (json_bytes(&delta) + ENVELOPE_BYTES <= PAGE_BYTES).then_some(delta)
    }

    fn pages(&self, generation: &Generation) -> Vec<Down> {
        let warnings = self.short_warnings();
        let fixed = ENVELOPE_BYTES + json_bytes(&warnings);
        let mut ordered: Vec<&Row> = self.rows.values().collect();
        ordered.sort_by(|a, b| row_order(a, b));
        let mut pages: Vec<Vec<Row>> = vec![Vec::new()];
        let mut bytes = fixed;
        for row in ordered {
            // One more for the comma.
            let size = json_bytes(row) + 1;
            if fixed + size > MAX_LINE_BYTES {
                // No text of a row is that long; a row that still is must not cost the others their board.
                continue;
            }
            let page_is_empty = pages.last().is_none_or(Vec::is_empty);
            if !page_is_empty && bytes + size > PAGE_BYTES {
                pages.push(Vec::new());
                bytes = fixed;
            }
            bytes += size;
            if let Some(page) = pages.last_mut() {
                page.push(row.clone());
            }
        }
        let count = u32::try_from(pages.len()).unwrap_or(u32::MAX);
        (0..count)
            .zip(pages)
            .map(|(page, rows)| Down::Page {
                generation: generation.clone(),
                seq: self.seq,
                page,
                pages: count,
                rows,
                warnings: warnings.clone(),
            })
            .collect()
    }

    fn short_warnings(&self) -> Vec<Warning> {
        let mut left = MAX_WARNING_BYTES;
        self.warnings
            .iter()
            .take_while(|warning| {
                let size = json_bytes(warning) + 1;
                let fits = size <= left;
                left = left.saturating_sub(size);
                fits
            })
            .cloned()
            .collect()
    }

    /// How many rows stand in a state. Terminals of agents count in none.
    pub(crate) fn count(&self, state: SemanticState) -> usize {
        self.rows.values().filter(|row| row.state == state && row.parent.is_none()).count()
    }

    /// How many rows said something that nobody looked at.
    pub(crate) fn unread(&self) -> usize {
        self.rows.values().filter(|row| row.unread).count()
    }
}

/// The length of a value as JSON. Nothing of ours fails to serialise; if it did, it would be too long to send.
pub(crate) fn json_bytes<T: Serialize>(value: &T) -> usize {
    serde_json::to_vec(value).map_or(MAX_LINE_BYTES, |json| json.len())
}

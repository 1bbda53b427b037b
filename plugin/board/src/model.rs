//! The last board that the daemon published, as rows in their groups, kept up to date by pages and deltas.
//!
//! Called by the link part of the machine (changes) and by the view (reading). Rows are the newest known ones and are
//! never reordered by activity (decision 2). A page is applied as it comes, so that a long board costs no second copy
//! of itself; the board counts as complete only after its last page.

mod arrangement;
mod nesting;
mod row;
#[cfg(test)]
mod tests;

pub(crate) use arrangement::{Arrangement, Folder, Group, Stands};
pub(crate) use row::BoardRow;

use board_protocol::{
    board::{Row, Warning},
    ids::{BoardSeq, Generation, SessionId, UnixMs},
    state::SemanticState,
    text::plain_within,
};
use nesting::Nesting;
use std::collections::BTreeMap;

/// Most rows that are kept; more would not fit into the 8 MiB of memory that the board allows itself.
pub(crate) const MAX_ROWS: usize = 4_000;
/// Most warnings that are kept; the board has room for fewer.
const MAX_WARNINGS: usize = 8;
/// Widest warning in cells.
const MAX_WARNING_COLUMNS: usize = 240;

/// What a page or a delta led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Applied {
    /// The board changed.
    Changed,
    /// Rows came, in the middle of a board that is being paged in.
    Partly,
    /// It was known already, or belongs to a board that is being paged in.
    Ignored,
    /// Something is missing: the whole board is needed.
    Gap,
}

/// A part of the whole board, as it came.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) generation: Generation,
    pub(crate) seq: BoardSeq,
    pub(crate) page: u32,
    pub(crate) pages: u32,
    pub(crate) rows: Vec<Row>,
    pub(crate) warnings: Vec<Warning>,
}

/// What changed, as it came.
#[derive(Debug)]
pub(crate) struct Delta {
    pub(crate) generation: Generation,
    pub(crate) base: BoardSeq,
    pub(crate) seq: BoardSeq,
    pub(crate) upserted: Vec<Row>,
    pub(crate) removed: Vec<SessionId>,
    pub(crate) warnings: Option<Vec<Warning>>,
}

/// What decides where a row stands. Kept apart from the rows so that a changed row is found by its old place.
type OrderKey = (SemanticState, bool, UnixMs);

#[derive(Debug)]
struct Loading {
    generation: Generation,
    seq: BoardSeq,
    next_page: u32,
    pages: u32,
}

/// The rows.
#[derive(Debug, Default)]
pub(crate) struct Model {
    /// In the order of the board.
    rows: Vec<BoardRow>,
    keys: BTreeMap<SessionId, OrderKey>,
    /// Of all rows, terminals of agents included.
    counts: [usize; SemanticState::ALL.len()],
    unread: usize,
    nesting: Nesting,
    generation: Option<Generation>,
    /// The number of the board that the rows are, if they are a complete one.
    seq: Option<BoardSeq>,
    loading: Option<Loading>,
    /// Which paging-in a row was last confirmed by.
    epoch: u32,
    warnings: Vec<String>,
    /// Whether a complete board was ever there.
    known: bool,
    /// Whether there were more rows than are kept.
    overflowed: bool,
    /// Counts the changes of which rows there are and where they stand.
    shape: u64,
    /// Counts the changes of anything in a row.
    changes: u64,
}

impl Model {
    /// Whether a complete board was ever there.
    pub(crate) fn is_known(&self) -> bool {
        self.known
    }

    /// Whether the rows are one complete board.
    pub(crate) fn is_complete(&self) -> bool {
        self.seq.is_some()
    }

    /// Whether a board is being paged in.
    pub(crate) fn is_loading(&self) -> bool {
        self.loading.is_some()
    }

    /// Another link speaks: what it counts may differ, so the rows are only the last known ones.
    pub(crate) fn forget_place(&mut self) {
        self.seq = None;
        self.loading = None;
    }

    /// A change was missed. A board that is being paged in goes on.
    pub(crate) fn forget_seq(&mut self) {
        self.seq = None;
    }

    /// A number that changes whenever rows come, go or change their place.
    pub(crate) fn shape(&self) -> u64 {
        self.shape
    }

    /// A number that changes whenever anything in a row does.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn row_at(&self, index: usize) -> Option<&BoardRow> {
        self.rows.get(index)
    }

    pub(crate) fn row(&self, id: &SessionId) -> Option<&BoardRow> {
        self.row_at(self.index_of(id)?)
    }

    pub(crate) fn index_of(&self, id: &SessionId) -> Option<usize> {
        let key = self.keys.get(id)?;
        self.rows.binary_search_by(|row| (row.order_key(), &row.id).cmp(&(*key, id))).ok()
    }

    /// How many sessions stand in a state. Terminals that stand below a session are not counted.
    pub(crate) fn count(&self, state: SemanticState) -> usize {
        self.all(state).saturating_sub(self.nesting.count(state))
    }

    /// How many rows have a state, wherever they stand.
    fn all(&self, state: SemanticState) -> usize {
        self.counts.get(state as usize).copied().unwrap_or_default()
    }

    /// How many sessions said something that nobody looked at.
    pub(crate) fn unread(&self) -> usize {
        self.unread.saturating_sub(self.nesting.unread())
    }

    /// Whether there are more rows than are kept.
    pub(crate) fn is_overflowed(&self) -> bool {
        self.overflowed
    }

    /// Whether any row gives a different answer at two moments.
    pub(crate) fn any_differs<T: PartialEq>(
        &self,
        before: UnixMs,
        now: UnixMs,
        age: impl Fn(u64) -> T,
    ) -> bool {
        let moments = |row: &BoardRow| {
            let waiting = row.waiting.as_ref().map_or(row.last_activity_at_ms, |waiting| waiting.since_ms);
            [row.last_activity_at_ms, waiting]
        };
        self.rows.iter().flat_map(moments).any(|at| age(before.since(at)) != age(now.since(at)))
    }

    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Takes a part of the whole board.
    pub(crate) fn apply_page(&mut self, page: Page) -> Applied {
        let same_generation = self.generation.as_ref() == Some(&page.generation);
        if same_generation && self.seq.is_some_and(|seq| seq >= page.seq) {
            return Applied::Ignored;
        }
        if page.page == 0 {
            let started = self
                .loading
                .as_ref()
                .is_some_and(|now| now.generation == page.generation && now.seq == page.seq);
            if started {
                return Applied::Ignored;
            }
            self.epoch = self.epoch.wrapping_add(1);
            self.seq = None;
            self.overflowed = false;
            self.loading = Some(Loading {
                generation: page.generation.clone(),
                seq: page.seq,
                next_page: 0,
                pages: page.pages.max(1),
            });
        }
        let Some(loading) = &mut self.loading else { return Applied::Gap };
        if loading.generation != page.generation || loading.seq != page.seq {
            return Applied::Gap;
        }
        if page.page < loading.next_page {
            return Applied::Ignored;
        }
        if page.page > loading.next_page {
            self.loading = None;
            return Applied::Gap;
        }
        loading.next_page += 1;
        let complete = loading.next_page >= loading.pages;
        for row in page.rows {
            self.upsert(row);
        }
        self.set_warnings(page.warnings);
        if complete {
            self.loading = None;
            self.remove_unconfirmed();
            self.generation = Some(page.generation);
            self.seq = Some(page.seq);
            self.known = true;
        }
        self.nest();
        // The first page is as much as a person sees; the last one brings everything to its place.
        if complete || page.page == 0 { Applied::Changed } else { Applied::Partly }
    }

    /// Takes a change. It applies to exactly the board that it names.
    pub(crate) fn apply_delta(&mut self, delta: Delta) -> Applied {
        if let Some(loading) = &self.loading {
            let later = loading.generation != delta.generation || delta.base >= loading.seq;
            return if later { Applied::Gap } else { Applied::Ignored };
        }
        if self.generation.as_ref() != Some(&delta.generation) {
            return Applied::Gap;
        }
        match self.seq {
            Some(seq) if delta.seq <= seq => return Applied::Ignored,
            Some(seq) if delta.base == seq => {}
            _ => return Applied::Gap,
        }
        for id in &delta.removed {
            self.remove(id);
        }
        for row in delta.upserted {
            self.upsert(row);
        }
        if let Some(warnings) = delta.warnings {
            self.set_warnings(warnings);
        }
        self.seq = Some(delta.seq);
        self.nest();
        Applied::Changed
    }

    fn set_warnings(&mut self, warnings: Vec<Warning>) {
        self.warnings = warnings
            .into_iter()
            .take(MAX_WARNINGS)
            .map(|warning| plain_within(&warning.text, MAX_WARNING_COLUMNS))
            .collect();
    }

    fn upsert(&mut self, row: Row) {
        let row = BoardRow::new(row, self.epoch);
        let key = row.order_key();
        self.changes += 1;
        // A row that stays in its place is replaced there; anything else is taken out and put in.
        if let Some(index) = self.index_of(&row.id) {
            if self.keys.get(&row.id) == Some(&key) {
                if let Some(old) = self.rows.get_mut(index) {
                    self.unread -= usize::from(old.unread);
                    self.unread += usize::from(row.unread);
                    self.shape += u64::from(old.cwd != row.cwd || old.parent != row.parent);
                    self.nesting.put(&row);
                    *old = row;
                }
                return;
            }
            self.remove(&row.id);
        }
        if self.rows.len() >= MAX_ROWS {
            self.overflowed = true;
            return;
        }
        let place = self
            .rows
            .binary_search_by(|other| (other.order_key(), &other.id).cmp(&(key, &row.id)))
            .unwrap_or_else(|place| place);
        self.tally(row.state, row.unread, 1);
        self.shape += 1;
        self.nesting.put(&row);
        self.keys.insert(row.id.clone(), key);
        self.rows.insert(place, row);
    }

    fn remove(&mut self, id: &SessionId) {
        if let Some(index) = self.index_of(id) {
            let row = self.rows.remove(index);
            self.keys.remove(id);
            self.nesting.forget(id);
            self.tally(row.state, row.unread, -1);
            self.shape += 1;
            self.changes += 1;
        }
    }

    /// At the end of a paging-in: what no page named is gone.
    fn remove_unconfirmed(&mut self) {
        let epoch = self.epoch;
        let gone: Vec<SessionId> =
            self.rows.iter().filter(|row| row.epoch != epoch).map(|row| row.id.clone()).collect();
        for id in gone {
            self.remove(&id);
        }
    }

    /// An estimate of what the rows cost, on a machine with wider pointers than the plugin's.
    #[cfg(test)]
    pub(crate) fn heap_bytes(&self) -> usize {
        let rows: usize = self.rows.iter().map(BoardRow::bytes).sum();
        let spare = (self.rows.capacity() - self.rows.len()) * size_of::<BoardRow>();
        rows + spare + self.keys.len() * (size_of::<(SessionId, OrderKey)>() + SessionId::LENGTH)
    }

    fn tally(&mut self, state: SemanticState, unread: bool, by: isize) {
        if let Some(count) = self.counts.get_mut(state as usize) {
            *count = count.saturating_add_signed(by);
        }
        if unread {
            self.unread = self.unread.saturating_add_signed(by);
        }
    }
}

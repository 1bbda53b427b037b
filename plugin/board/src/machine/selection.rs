//! Which row is selected, which rows are marked, which rows the filter shows.
//!
//! The selection follows its row's id (field report L2). Places are those of the arrangement: what is seen is what is
//! moved over.

use super::Board;
use crate::{
    editor::Editor,
    keymap::Room,
    model::{Arrangement, BoardRow, Stands},
    notice::Level,
};
use board_protocol::{
    filter::Filter,
    ids::{SessionId, UnixMs},
    state::SemanticState,
};
use board_text::notice as texts;

/// The selected row, followed by its id.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub(crate) id: Option<SessionId>,
    /// Where it stood last: when the row vanishes, its neighbour is selected.
    pub(super) place: usize,
    /// A session that was just started from here; it is selected once its row comes, unless the person moves first.
    pub(super) awaited: Option<SessionId>,
    /// When the selected row last changed its group: it is shown lit for a moment (field report L2).
    pub(crate) moved_at: Option<UnixMs>,
    group: Option<SemanticState>,
}

/// What is typed behind the slash.
#[derive(Debug, Default)]
pub(crate) struct Typed {
    pub(crate) editor: Editor,
    parsed: Filter,
}

/// For which model and which filter the rows were arranged.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ArrangedFor {
    shape: u64,
    changes: u64,
}

pub(super) enum Step {
    Back,
    Forth,
}

impl Board {
    pub(crate) fn selected_row(&self) -> Option<&BoardRow> {
        self.model.row(self.selection.id.as_ref()?)
    }

    pub(super) fn name_of(&self, id: &SessionId) -> String {
        self.model.row(id).map_or_else(|| id.to_string(), |row| row.name.to_string())
    }

    pub(super) fn step(&mut self, step: Step) {
        let last = self.shown.len().saturating_sub(1);
        let place = self.selection.place;
        self.go_to(match step {
            Step::Back => place.checked_sub(1).unwrap_or(last),
            Step::Forth if place >= last => 0,
            Step::Forth => place + 1,
        });
    }

    pub(super) fn go_to(&mut self, place: usize) {
        let place = place.min(self.shown.len().saturating_sub(1));
        let Some(row) = self.shown.row(&self.model, place) else { return };
        self.selection.id = Some(row.id.clone());
        self.selection.group = self.shown.state_at(place);
        self.selection.place = place;
        self.selection.awaited = None;
        self.selection.moved_at = None;
        self.changed();
    }

    /// Goes to the next row that waits for the person, around the end: one that calls them, and where none does, one that
    /// goes no further without them.
    pub(super) fn seek(&mut self, step: Step) {
        let count = self.shown.len();
        let place = self.selection.place;
        // A terminal belongs to its session: that is what waits for the person.
        let is = |place: usize, what: fn(&BoardRow) -> bool| {
            self.shown.stands(place) == Stands::Alone && self.shown.row(&self.model, place).is_some_and(what)
        };
        let find = |what: fn(&BoardRow) -> bool| match step {
            Step::Forth => (place + 1..count).chain(0..place).find(|place| is(*place, what)),
            Step::Back => (0..place).rev().chain((place + 1..count).rev()).find(|place| is(*place, what)),
        };
        let here = is(place, BoardRow::calls_me) || is(place, BoardRow::rests);
        let found = find(BoardRow::calls_me).or_else(|| find(BoardRow::rests));
        match found {
            Some(place) => self.go_to(place),
            None if here => self.tell_mode(texts::nothing_else_waits()),
            None => self.tell_mode(texts::nothing_waits()),
        }
    }

    /// After the rows changed: the selection follows its row's id (L2); if the row is gone or hidden, its neighbour is
    /// selected.
    pub(super) fn settle_selection(&mut self) {
        self.arrange();
        let awaited = self.selection.awaited.clone().filter(|id| self.model.row(id).is_some());
        if let Some(id) = awaited {
            self.selection.awaited = None;
            self.selection.group = None;
            self.selection.id = Some(id);
        }
        let vanished = self.confirm.as_ref().is_some_and(|confirm| match confirm.subject() {
            Some(session) => self.model.row(session).is_none(),
            None => false,
        });
        if vanished {
            self.leave_to(self.page);
            self.tell(Level::Warn, texts::session_gone_nothing());
        }
        self.leave_what_is_gone();
        self.follow_selection();
    }

    fn follow_selection(&mut self) {
        let id = self.selection.id.clone();
        let place = id.as_ref().and_then(|id| self.shown.place_of(&self.model, id));
        match place.and_then(|place| Some((place, self.shown.state_at(place)?))) {
            Some((place, state)) => {
                if self.selection.group.is_some_and(|group| group != state) {
                    self.selection.moved_at = Some(self.now);
                }
                self.selection.place = place;
                self.selection.group = Some(state);
            }
            // A session that is looked at stays, though the filter would hide it by now.
            None if self.page.is_about_one() && self.selected_row().is_some() => {}
            None => {
                let place = self.selection.place.min(self.shown.len().saturating_sub(1));
                let row = self.shown.row(&self.model, place);
                self.selection.id = row.map(|row| row.id.clone());
                self.selection.group = self.shown.state_at(place);
                self.selection.place = place;
            }
        }
    }

    /// Arranges the rows anew if anything that decides their places has changed.
    fn arrange(&mut self) {
        let filtered = !self.filter.parsed.is_empty();
        let now = ArrangedFor {
            shape: self.model.shape(),
            changes: if filtered { self.model.changes() } else { 0 },
        };
        if now == self.arranged_for {
            return;
        }
        self.arranged_for = now;
        let filter = &self.filter.parsed;
        self.shown = Arrangement::of(&self.model, &self.folded, |row| !filtered || filter.fits(row));
        let marks = &mut self.marks;
        if !marks.is_empty() {
            let shown: std::collections::BTreeSet<_> =
                self.shown.rows(&self.model).map(|row| &row.id).collect();
            marks.retain(|id| shown.contains(id));
        }
    }

    pub(super) fn open_filter(&mut self) {
        self.leave_to(Room::Filter);
        self.tell_mode(texts::mode_filter());
    }

    /// The filter works as it is typed.
    pub(super) fn filter_typed(&mut self) {
        self.filter.parsed = Filter::parse(self.filter.editor.text());
        self.arrange_anew();
    }

    /// What decides which rows are shown has changed, and the rows have not.
    pub(super) fn arrange_anew(&mut self) {
        self.arranged_for = ArrangedFor { shape: u64::MAX, changes: u64::MAX };
        self.settle_selection();
    }

    pub(super) fn clear_filter(&mut self) {
        self.filter.editor.take();
        self.filter_typed();
        self.tell_mode(texts::filter_cleared());
    }

    pub(super) fn enter_select(&mut self) {
        self.marks.clear();
        self.leave_to(Room::Select);
        self.say_marked();
    }

    fn say_marked(&mut self) {
        self.tell_mode(&texts::mode_selected(self.marks.len()));
    }

    pub(super) fn toggle_mark(&mut self) {
        let Some(id) = self.selected_row().map(|row| row.id.clone()) else { return };
        if self.model.above(&id).is_some() {
            return self.tell(Level::Warn, texts::of_its_session());
        }
        if !self.marks.remove(&id) {
            self.marks.insert(id);
        }
        self.say_marked();
    }

    pub(super) fn mark_all(&mut self) {
        self.marks = self.shown.sessions(&self.model).map(|row| row.id.clone()).collect();
        self.say_marked();
    }

    pub(super) fn unmark_all(&mut self) {
        self.marks.clear();
        self.tell_mode(texts::mode_select());
    }

    pub(super) fn leave_select(&mut self) {
        self.marks.clear();
        self.leave_to(Room::List);
        self.tell_mode(texts::mode_normal());
    }
}

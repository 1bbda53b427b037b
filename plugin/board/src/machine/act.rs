//! Keys and what they do to selection, mode and drafts. What a key means stands in the table of `keymap` alone.

use super::{Board, Confirm, Permission};
use crate::{
    effect::Effect,
    input::{Key, KeyCode},
    keymap::{self, Action, Edit, Room},
    model::BoardRow,
    notice::Level,
};
use board_protocol::{ids::SessionId, pipe::Intent};

/// Rows that page up and page down move.
const PAGE_ROWS: usize = 10;

impl Board {
    pub(super) fn key(&mut self, key: Key) {
        // zellij keeps keys to itself while its question is open here. One that comes all the same says that the question
        // was answered at another client, which is not told to this instance: asking again brings the answer.
        if self.permission == Permission::Asked {
            self.emit(Effect::RequestPermissions);
        }
        let action = keymap::action(self.room, key);
        match self.room {
            Room::List => self.list_key(action, key),
            Room::Insert => self.insert_key(action, key),
            Room::Confirm => self.answer(action == Some(Action::Accept)),
            Room::Help => self.leave_to(Room::List),
            Room::Denied => {
                if action == Some(Action::AskPermission) {
                    self.ask_permission();
                }
            }
        }
    }

    pub(super) fn paste(&mut self, text: &str) {
        match self.room {
            Room::List => self.point_to_insert(),
            Room::Insert => self.type_text(text),
            Room::Confirm => self.answer(false),
            Room::Help => self.leave_to(Room::List),
            Room::Denied => {}
        }
    }

    fn list_key(&mut self, action: Option<Action>, key: Key) {
        match action {
            Some(Action::Previous) => self.step(Step::Back),
            Some(Action::Next) => self.step(Step::Forth),
            Some(Action::PageUp) => self.go_to(self.selection.index.saturating_sub(PAGE_ROWS)),
            Some(Action::PageDown) => self.go_to(self.selection.index.saturating_add(PAGE_ROWS)),
            Some(Action::First) => self.go_to(0),
            Some(Action::Last) => self.go_to(usize::MAX),
            Some(Action::Attach) => self.attach(),
            Some(Action::Insert) => {
                self.take_returned();
                self.leave_to(Room::Insert);
                self.tell_mode("INSERT mode — dashboard shortcuts paused; / is literal");
            }
            Some(Action::InterruptOrStop) => self.interrupt_or_stop(),
            Some(Action::Delete) => self.delete(),
            Some(Action::Help) => self.leave_to(Room::Help),
            Some(Action::ClearDraft) if !self.editor.text().is_empty() => {
                self.editor.take();
                self.tell_mode("Draft cleared");
            }
            _ if key.typed().is_some() => self.point_to_insert(),
            _ => {}
        }
    }

    fn point_to_insert(&mut self) {
        self.tell(Level::Warn, "Press i to enter INSERT mode, then type or paste");
    }

    fn insert_key(&mut self, action: Option<Action>, key: Key) {
        match action {
            Some(Action::Submit) => self.submit(),
            Some(Action::KeepDraft) => {
                self.leave_to(Room::List);
                self.tell_mode(if self.editor.text().is_empty() {
                    "NORMAL mode (dashboard shortcuts active)"
                } else {
                    "NORMAL mode (draft kept; i goes on with it)"
                });
            }
            Some(Action::DropDraft) => {
                self.editor.take();
                self.leave_to(Room::List);
                self.tell_mode("NORMAL mode (dashboard shortcuts active)");
            }
            Some(Action::Edit(edit)) => self.edit(edit),
            _ => {
                if let Some(c) = key.typed() {
                    self.type_text(c.encode_utf8(&mut [0; 4]));
                } else if key.code == KeyCode::Tab {
                    self.type_text("\t");
                }
            }
        }
    }

    fn type_text(&mut self, text: &str) {
        if self.editor.insert(text).is_err() {
            self.say_too_long();
        }
        self.changed();
    }

    fn edit(&mut self, edit: Edit) {
        if self.editor.edit(edit).is_err() {
            self.say_too_long();
        }
        self.changed();
    }

    fn say_too_long(&mut self) {
        self.tell(Level::Warn, "Too long: a command holds 30 KiB. Write it to a file and start that");
    }

    fn submit(&mut self) {
        if self.editor.is_blank() {
            self.tell(Level::Warn, "Nothing to start: type a command, then press Enter");
            return;
        }
        // The text leaves the editor only once it is on its way, and comes back if it is refused.
        if self.start(self.editor.text().to_owned()) {
            self.editor.take();
            self.notice = None;
            self.take_returned();
            self.leave_to(Room::List);
        }
    }

    fn leave_to(&mut self, room: Room) {
        self.room = room;
        self.confirm = None;
        self.changed();
    }

    pub(super) fn confirm(&mut self, question: String, session: SessionId, intent: Intent) {
        self.room = Room::Confirm;
        self.notice = None;
        self.confirm = Some(Confirm { question, session, intent });
        self.changed();
    }

    /// Only y accepts; Enter, Esc and everything else cancel, as the printed (y/N) promises (decision 3, B14).
    fn answer(&mut self, accepted: bool) {
        let confirm = self.confirm.take();
        self.leave_to(Room::List);
        if let (true, Some(Confirm { session, intent, .. })) = (accepted, confirm) {
            let name = self.name_of(&session);
            let stopping = matches!(intent, Intent::Stop { .. });
            if self.want(intent, &name) && stopping {
                self.tell(Level::Info, "Stopping…");
            }
        }
    }

    /// Decision 13: a running turn is interrupted; with none running the question is whether to stop. A session
    /// without turns has nothing to interrupt.
    fn interrupt_or_stop(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let (id, name) = (row.id.clone(), row.name.to_string());
        if !row.has_process() {
            self.tell(Level::Warn, "No active run or host to stop");
        } else if row.turn_runs() {
            self.want(Intent::Interrupt { session: id }, &name);
        } else {
            let question = format!("Stop \"{name}\"? The agent ends; its session is kept. (y/N)");
            self.confirm(question, id.clone(), Intent::Stop { session: id });
        }
    }

    fn delete(&mut self) {
        let Some(row) = self.selected_row() else { return };
        let stops = if row.busy || row.has_process() { " Stops the active run." } else { "" };
        let question = format!("Delete \"{}\"?{stops} Session file is preserved. (y/N)", row.name);
        let id = row.id.clone();
        self.confirm(question, id.clone(), Intent::Remove { session: id });
    }

    pub(crate) fn selected_row(&self) -> Option<&BoardRow> {
        self.model.row(self.selection.id.as_ref()?)
    }

    fn name_of(&self, id: &SessionId) -> String {
        self.model.row(id).map_or_else(|| id.to_string(), |row| row.name.to_string())
    }

    fn step(&mut self, step: Step) {
        let last = self.model.len().saturating_sub(1);
        self.go_to(match step {
            Step::Back => self.selection.index.checked_sub(1).unwrap_or(last),
            Step::Forth if self.selection.index >= last => 0,
            Step::Forth => self.selection.index + 1,
        });
    }

    fn go_to(&mut self, index: usize) {
        let index = index.min(self.model.len().saturating_sub(1));
        let Some(row) = self.model.row_at(index) else { return };
        self.selection.id = Some(row.id.clone());
        self.selection.group = Some(row.state);
        self.selection.index = index;
        self.selection.awaited = None;
        self.selection.moved_at = None;
        self.changed();
    }

    /// After the rows changed: the selection follows its row's id (L2); if the row is gone, its neighbour is selected.
    pub(super) fn settle_selection(&mut self) {
        let awaited = self.selection.awaited.clone().filter(|id| self.model.row(id).is_some());
        if let Some(id) = awaited {
            self.selection.awaited = None;
            self.selection.group = None;
            self.selection.id = Some(id);
        }
        let index = self.selection.id.as_ref().and_then(|id| self.model.index_of(id));
        match index.and_then(|index| Some((index, self.model.row_at(index)?.state))) {
            Some((index, state)) => {
                if self.selection.group.is_some_and(|group| group != state) {
                    self.selection.moved_at = Some(self.now);
                }
                self.selection.index = index;
                self.selection.group = Some(state);
            }
            None => {
                let index = self.selection.index.min(self.model.len().saturating_sub(1));
                self.selection.id = self.model.row_at(index).map(|row| row.id.clone());
                self.selection.group = self.model.row_at(index).map(|row| row.state);
                self.selection.index = index;
            }
        }
        let vanished =
            self.confirm.as_ref().is_some_and(|confirm| self.model.row(&confirm.session).is_none());
        if vanished {
            self.leave_to(Room::List);
            self.tell(Level::Warn, "The session is gone; nothing was done");
        }
    }
}

enum Step {
    Back,
    Forth,
}

//! What each action does. What a key means stands in the table of `keymap` alone; what an action does to the selection,
//! to texts, to sessions and to views stands in the neighbours of this file.

use super::{Board, Permission, compose::Submitted, selection::Step, time::after};
use crate::{
    input::Key,
    keymap::{self, Action, Edit, Room, Scroll},
    notice::{Level, Notice, READ_MS},
};
use board_text::notice as texts;

/// Rows that page up and page down move.
const PAGE_ROWS: usize = 10;

impl Board {
    pub(super) fn key(&mut self, key: Key) {
        // zellij keeps keys to itself while its question is open here. One that comes all the same says that the question
        // was answered at another client, which is not told to this instance: asking again brings the answer.
        if self.permission == Permission::Asked {
            self.emit(crate::effect::Effect::RequestPermissions);
        }
        self.pressed_key(keymap::action(self.room, key), Some(key));
    }

    /// What a key with this meaning does, without the key: for what is clicked.
    pub(super) fn pressed(&mut self, action: Action) {
        self.pressed_key(Some(action), None);
    }

    fn pressed_key(&mut self, action: Option<Action>, key: Option<Key>) {
        self.pointer.clicked = None;
        if action != Some(Action::DeleteAtTwice) {
            self.quick = None;
        }
        let told = self.told;
        let works = action.is_some() || self.text_room() || matches!(self.room, Room::Help | Room::Runner);
        match (self.room, action) {
            (Room::Confirm, action) => self.answer(action == Some(Action::Accept)),
            // A help page that does not fit can be paged; any other key returns.
            (Room::Help, Some(Action::Scroll(scroll))) if self.scrollable.get().1 > 0 => self.scroll(scroll),
            (Room::Help | Room::Runner, _) => self.leave_to(self.page),
            // Its start is on its way: only leaving it makes sense.
            (Room::Launch, action) if self.launch_waits() && action != Some(Action::KeepDraft) => {}
            (_, Some(action)) => self.act(action),
            (_, None) => key.into_iter().for_each(|key| self.unbound(key)),
        }
        if works && told == self.told {
            self.forget_read();
        }
    }

    /// A key did something: what failed before it has been read.
    pub(super) fn forget_read(&mut self) {
        let read =
            |notice: &mut Notice| notice.level != Level::Info && after(notice.since, READ_MS) <= self.now;
        if self.notice.take_if(read).is_some() {
            self.changed();
        }
    }

    pub(super) fn paste(&mut self, text: &str) {
        self.quick = None;
        self.pointer.clicked = None;
        match self.room {
            Room::List => self.point_to_insert(),
            Room::Confirm => self.answer(false),
            Room::Help | Room::Runner => self.leave_to(self.page),
            _ => self.type_text(text),
        }
    }

    fn unbound(&mut self, key: Key) {
        if self.text_room() {
            if let Some(c) = key.typed() {
                self.type_text(c.encode_utf8(&mut [0; 4]));
            }
        } else if self.room == Room::List && key.typed().is_some() {
            self.point_to_insert();
        }
    }

    fn point_to_insert(&mut self) {
        self.tell(Level::Warn, texts::press_i());
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Previous
            | Action::Next
            | Action::PageUp
            | Action::PageDown
            | Action::First
            | Action::Last
            | Action::NextNeedsMe
            | Action::PreviousNeedsMe => self.travel(action),
            Action::Scroll(scroll) => self.scroll(scroll),
            Action::Attach => self.attach(),
            Action::Enter if self.editor.is_blank() => self.attach(),
            Action::Enter => self.launch_with_text(),
            Action::Insert => self.insert(),
            Action::Launch => self.open_launch(),
            Action::LaunchWithText => self.launch_with_text(),
            Action::Tab if self.room == Room::Folder => self.complete(),
            Action::Tab => self.launch_tab(),
            Action::BackTab if self.room == Room::Folder => self.ascend(),
            Action::BackTab => self.launch_back_tab(),
            Action::Above => self.launch_vertical(Step::Back),
            Action::Below => self.launch_vertical(Step::Forth),
            Action::Leftward => self.launch_horizontal(Step::Back),
            Action::Rightward => self.launch_horizontal(Step::Forth),
            Action::Space => self.launch_space(),
            Action::InsertGreeting => self.insert_greeting(),
            Action::InterruptOrStop => self.interrupt_or_stop(),
            Action::Done => self.mark_done(),
            Action::Holding => self.toggle_holding(),
            Action::Pin => self.toggle_pin(),
            Action::Unread => self.toggle_unread(),
            Action::Fold => self.fold(),
            Action::SkipWaits => self.skip_waits(),
            Action::Rename => self.open_rename(),
            Action::Tags => self.open_tags(),
            Action::Delete => self.delete(),
            Action::DeleteAtTwice => self.delete_at_twice(),
            Action::DeleteState => self.delete_state(),
            Action::Peek => self.view(Room::Peek),
            Action::Screen => self.view(Room::Screen),
            Action::Transcript => self.open_transcript(),
            Action::Explain => self.view(Room::Explain),
            Action::Queue => self.open_queue(),
            Action::Select => self.enter_select(),
            Action::Filter => self.open_filter(),
            Action::Help => {
                self.views.scroll = 0;
                self.leave_to(Room::Help);
            }
            Action::Runner => self.leave_to(Room::Runner),
            Action::Clear => self.clear(),
            Action::Reply => self.open_reply(),
            Action::Choose => self.choose(),
            Action::Back => self.back(),
            Action::Mark => self.toggle_mark(),
            Action::MarkAll => self.mark_all(),
            Action::UnmarkAll => self.unmark_all(),
            Action::DoneMarked => self.done_marked(),
            Action::DeleteMarked => self.delete_marked(),
            Action::LeaveSelect => self.leave_select(),
            Action::EditQueued => self.edit_queued(),
            Action::RemoveQueued => self.remove_queued(),
            Action::SendQueued => self.send_queued(),
            Action::RaiseQueued => self.move_queued(Step::Back),
            Action::LowerQueued => self.move_queued(Step::Forth),
            Action::ClearQueue => self.clear_queue(),
            Action::ClearLog => self.clear_log(),
            Action::Submit => self.submit(),
            Action::Delivery => self.change_delivery(),
            Action::KeepDraft => self.keep_draft(),
            Action::DropDraft => self.drop_draft(),
            Action::Edit(edit) => self.edit(edit),
            Action::Accept => {}
            Action::AskPermission => self.ask_permission(),
        }
    }

    fn travel(&mut self, action: Action) {
        if self.room == Room::Folder {
            return self.step_offers(if action == Action::Previous { Step::Back } else { Step::Forth });
        }
        if self.room == Room::Queue {
            return self.step_queue(if action == Action::Previous { Step::Back } else { Step::Forth });
        }
        let place = self.selection.place;
        match action {
            Action::Previous => self.step(Step::Back),
            Action::Next => self.step(Step::Forth),
            Action::PageUp => self.go_to(place.saturating_sub(PAGE_ROWS)),
            Action::PageDown => self.go_to(place.saturating_add(PAGE_ROWS)),
            Action::First => self.go_to(0),
            Action::Last => self.go_to(usize::MAX),
            Action::NextNeedsMe => self.seek(Step::Forth),
            _ => self.seek(Step::Back),
        }
        if self.room == Room::Peek {
            self.views.scroll = 0;
        }
    }

    pub(super) fn scroll(&mut self, scroll: Scroll) {
        if self.room == Room::Transcript {
            return self.scroll_transcript(scroll);
        }
        let (page, end) = self.scrollable.get();
        // The end of a terminal is what matters: its picture is scrolled from there.
        let scroll = if self.room == Room::Screen { scroll.reversed() } else { scroll };
        let from = self.views.scroll.min(end);
        self.views.scroll = match scroll {
            Scroll::Up => from.saturating_sub(1),
            Scroll::Down => from + 1,
            Scroll::PageUp => from.saturating_sub(page),
            Scroll::PageDown => from + page,
            Scroll::Top => 0,
            Scroll::End => end,
        }
        .min(end);
        self.changed();
    }

    fn edit(&mut self, edit: Edit) {
        if matches!(self.room, Room::Launch | Room::Folder) {
            return self.edit_launch(edit);
        }
        let history = match self.room {
            Room::Insert => Some(&mut self.history),
            Room::Reply => Some(&mut self.reply_history),
            _ => None,
        };
        let editor = match self.room {
            Room::Insert => &mut self.editor,
            Room::Filter => &mut self.filter.editor,
            _ => &mut self.line,
        };
        let edited = match (edit, history) {
            (Edit::Up, Some(history)) if editor.is_in_first_line() => {
                history.back(editor);
                Ok(())
            }
            (Edit::Down, Some(history)) if editor.is_in_last_line() => {
                history.forth(editor);
                Ok(())
            }
            _ => editor.edit(edit),
        };
        if edited.is_err() {
            self.say_too_long();
        }
        self.text_changed();
    }

    pub(super) fn type_text(&mut self, text: &str) {
        if matches!(self.room, Room::Launch | Room::Folder) {
            return self.type_into_launch(text);
        }
        let one_line = matches!(self.room, Room::Filter | Room::Rename | Room::Tags);
        let text = if one_line { text.replace(['\r', '\n', '\t'], " ") } else { text.to_owned() };
        let editor = match self.room {
            Room::Insert => &mut self.editor,
            Room::Filter => &mut self.filter.editor,
            Room::Reply | Room::Rename | Room::Tags => &mut self.line,
            _ => return,
        };
        if editor.insert(&text).is_err() {
            self.say_too_long();
        }
        self.text_changed();
    }

    fn text_changed(&mut self) {
        if self.room == Room::Filter {
            self.filter_typed();
        }
        self.changed();
    }

    fn text_room(&self) -> bool {
        matches!(
            self.room,
            Room::Insert
                | Room::Launch
                | Room::Folder
                | Room::Reply
                | Room::Filter
                | Room::Rename
                | Room::Tags
        )
    }

    pub(super) fn say_too_long(&mut self) {
        self.tell(Level::Warn, texts::too_long());
    }

    fn submit(&mut self) {
        let submitted = match self.room {
            Room::Insert => self.submit_start(),
            Room::Launch => self.submit_launch(),
            Room::Folder => {
                self.choose_folder();
                Submitted::No
            }
            Room::Reply => self.submit_reply(),
            Room::Rename => self.submit_rename(),
            Room::Tags => self.submit_tags(),
            _ => Submitted::Yes,
        };
        if submitted == Submitted::Yes {
            self.leave_to(self.page);
            if self.room == Room::List && !self.filter.editor.is_blank() {
                self.tell_mode(texts::mode_normal_filter());
            }
        }
    }

    /// Goes to a room; what is laid over the pages closes.
    pub(super) fn leave_to(&mut self, room: Room) {
        self.room = room;
        self.confirm = None;
        if room.is_page() {
            self.page = room;
        }
        self.changed();
    }

    /// Esc in the list: the draft goes first, then the filter.
    fn clear(&mut self) {
        if !self.editor.text().is_empty() {
            self.editor.take();
            self.tell_mode(texts::draft_cleared());
        } else if !self.filter.editor.text().is_empty() {
            self.clear_filter();
        }
    }

    fn back(&mut self) {
        if self.room == Room::Folder {
            return self.close_picker();
        }
        let to = match self.room {
            Room::Queue => Room::Peek,
            Room::Screen | Room::Transcript | Room::Explain if self.views.from == Room::Peek => Room::Peek,
            _ => Room::List,
        };
        // What was said while it was looked at (reference F.2).
        self.read_by_person();
        self.views.scroll = 0;
        self.leave_to(to);
    }
}

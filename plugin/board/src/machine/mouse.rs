//! What the mouse does: a click does what its cells were marked with when they were drawn, the wheel scrolls.
//!
//! A click on a hint, a badge or a button goes the way of the key that it stands for, so it can do nothing that a key
//! cannot. A row is entered by the second click on it: the first one may only have meant to bring the board's pane into
//! focus. A click beside everything that is marked does nothing; above all it answers no question.

use super::{Board, Field, selection::Step};
use crate::{
    input::Mouse,
    keymap::{Action, Room, Scroll},
    region::{Region, Target, hit},
};
use board_protocol::ids::SessionId;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// Most lines of one turn of the wheel: zellij sends three, and a longer way is another turn.
const MAX_WHEEL_LINES: usize = 50;

/// What the mouse can reach, and what it did last.
#[derive(Debug)]
pub(crate) struct Pointer {
    /// What can be clicked in the frame that was drawn last.
    pub(super) regions: RefCell<Rc<[Region]>>,
    /// The row that was clicked last, until a key is pressed.
    pub(super) clicked: Option<SessionId>,
    /// The first line of the list that was drawn last, counted in all its lines.
    pub(crate) top: Cell<usize>,
    /// Once the mouse was used the list moves no more than it must, so that a row stays under the pointer. Before, the
    /// selected row stands in the middle.
    pub(crate) steady: bool,
}

impl Default for Pointer {
    fn default() -> Self {
        let regions = RefCell::new(Rc::from(Vec::new()));
        Self { regions, clicked: None, top: Cell::new(0), steady: false }
    }
}

impl Board {
    pub(super) fn mouse(&mut self, mouse: Mouse) {
        self.quick = None;
        match mouse {
            Mouse::Click { line, column } => self.click(line, column),
            Mouse::WheelUp(lines) => self.wheel(&Step::Back, lines),
            Mouse::WheelDown(lines) => self.wheel(&Step::Forth, lines),
        }
    }

    fn click(&mut self, line: isize, column: usize) {
        let Ok(line) = usize::try_from(line) else { return };
        let target = hit(&self.pointer.regions.borrow(), line, column).cloned();
        let Some(target) = target else { return };
        match target {
            Target::Key(key) => self.key(key.normalised()),
            Target::Act(action) => self.pressed(action),
            Target::Row(id) => self.click_row(id),
            Target::Badge(id, action) => {
                if self.go_to_row(&id) {
                    self.pressed(action);
                }
            }
            Target::Field(field) => self.click_field(field),
            Target::Button(field) => {
                self.click_field(field);
                if self.room == Room::Launch {
                    self.pressed(Action::Submit);
                }
            }
            Target::Choice(field, at) => {
                self.click_field(field);
                self.take_choice(field, at);
            }
            Target::Offer(at) => self.click_offer(at),
            Target::Queued(at) => self.click_queued(at),
        }
    }

    /// Goes to a row that is still shown. Says whether it is.
    fn go_to_row(&mut self, id: &SessionId) -> bool {
        let place = self.shown.place_of(&self.model, id);
        if let Some(place) = place {
            self.pointer.steady = true;
            self.go_to(place);
        }
        place.is_some()
    }

    /// The second click on a row enters it, or marks it where rows are marked.
    fn click_row(&mut self, id: SessionId) {
        let again = self.pointer.clicked.as_ref() == Some(&id) && self.selection.id.as_ref() == Some(&id);
        if !self.go_to_row(&id) {
            return;
        }
        if !again {
            self.forget_read();
            self.pointer.clicked = Some(id);
            return;
        }
        match self.room {
            Room::Select => {
                self.pressed(Action::Mark);
                self.pointer.clicked = Some(id);
            }
            Room::Filter => {
                self.pressed(Action::Submit);
                self.pressed(Action::Attach);
            }
            _ => self.pressed(Action::Attach),
        }
    }

    fn click_queued(&mut self, at: usize) {
        if self.room != Room::Queue || at >= self.queue().len() {
            return;
        }
        if self.views.queued == at {
            return self.pressed(Action::EditQueued);
        }
        self.views.queued = at;
        self.changed();
    }

    /// Brings the keys to a field; a click on the folder that has them opens its list.
    fn click_field(&mut self, field: Field) {
        if self.room != Room::Launch || self.launch_waits() {
            return;
        }
        self.pointer.clicked = None;
        if self.launch.form.field == field && field == Field::Folder {
            return self.pressed(Action::Submit);
        }
        if self.launch.form.is_open(field) {
            self.launch.form.field = field;
            self.changed();
        }
    }

    fn click_offer(&mut self, at: usize) {
        let Some(picker) = self.launch.picker.as_mut().filter(|_| self.room == Room::Folder) else { return };
        if picker.selected == Some(at) {
            return self.pressed(Action::Submit);
        }
        picker.selected = Some(at);
        self.changed();
    }

    /// The wheel: the rows of the list, the lines of a page.
    fn wheel(&mut self, step: &Step, lines: usize) {
        let lines = lines.min(MAX_WHEEL_LINES);
        match self.room {
            Room::List | Room::Select | Room::Filter => self.roll_list(step, lines),
            Room::Folder => self.roll_offers(step, lines),
            Room::Queue => {
                let last = self.queue().len().saturating_sub(1);
                self.views.queued = moved(self.views.queued, step, lines).min(last);
                self.changed();
            }
            Room::Help | Room::Peek | Room::Screen | Room::Transcript | Room::Explain => {
                let way = match step {
                    Step::Back => Scroll::Up,
                    Step::Forth => Scroll::Down,
                };
                for _ in 0..lines {
                    self.scroll(way);
                }
            }
            _ => {}
        }
    }

    /// The selected row goes along, so that it is always to be seen; it stops at the ends.
    fn roll_list(&mut self, step: &Step, lines: usize) {
        if self.shown.len() == 0 {
            return;
        }
        self.pointer.steady = true;
        self.pointer.clicked = None;
        self.pointer.top.set(moved(self.pointer.top.get(), step, lines));
        self.go_to(moved(self.selection.place, step, lines));
    }

    fn roll_offers(&mut self, step: &Step, lines: usize) {
        let count = self.folder_offers().len();
        let Some(picker) = self.launch.picker.as_mut().filter(|_| count > 0) else { return };
        picker.selected = Some(match (picker.selected, step) {
            (None, Step::Back) => return,
            (None, Step::Forth) => lines.saturating_sub(1).min(count - 1),
            (Some(at), step) => moved(at, step, lines).min(count - 1),
        });
        self.changed();
    }
}

fn moved(from: usize, step: &Step, by: usize) -> usize {
    match step {
        Step::Back => from.saturating_sub(by),
        Step::Forth => from.saturating_add(by),
    }
}

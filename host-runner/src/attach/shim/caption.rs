//! The title of the pane: the session's name and state, and what the person has to know. Part of the loop.

use super::Shim;
use crate::attach::machine::Condition;
use board_protocol::host::AttachMode;

impl Shim {
    /// New titles came; the last one counts.
    pub(super) fn on_title(&mut self, buffer: &mut [u8]) {
        if let Some(title) = self.titles.read(buffer) {
            self.title = title;
            self.title_due = true;
        }
    }

    pub(super) fn set_usual_title(&mut self) {
        self.title_due = true;
        self.show_due_title();
    }

    /// Shows the title as soon as that cannot cut one of the session's sequences in two.
    pub(super) fn show_due_title(&mut self) {
        let condition = self.machine.condition();
        let settled = self.machine.is_live() || condition != Condition::Fine;
        if !(self.title_due && settled && self.boundary.is_ground() && !self.ime.is_waiting()) {
            return;
        }
        self.title_due = false;
        let mut title = self.title.clone();
        match condition {
            Condition::Lost => title.push_str(" · reconnecting"),
            Condition::NoScreen => title.push_str(" · its screen does not come, asking again"),
            Condition::Fine if self.mode == AttachMode::ReadOnly => title.push_str(" · read only"),
            Condition::Fine => {}
        }
        if let (Condition::Fine, Some((key, _))) = (condition, &self.way_out) {
            title.push_str(&format!(" · {key} leaves"));
        }
        if self.dropped_until.is_some() {
            title.push_str(" · what you typed was NOT delivered");
        }
        self.tty.show(format!("\x1b]2;{title}\x1b\\").as_bytes());
    }
}

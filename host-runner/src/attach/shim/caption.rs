//! The title of the pane: the session's name and state, and what the person has to know. Part of the loop.

use super::Shim;
use crate::attach::machine::Condition;
use board_protocol::host::AttachMode;
use board_text::attach as texts;

/// Between the parts of a title.
const BETWEEN: &str = " · ";

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
        let way_out = self.way_out.as_ref().map(|(key, _)| key.as_str());
        let mut title = titled(&self.title, condition, self.mode, way_out);
        if self.dropped_until.is_some() {
            title.push_str(BETWEEN);
            title.push_str(texts::not_delivered());
        }
        self.tty.show(format!("\x1b]2;{title}\x1b\\").as_bytes());
    }
}

/// The title of a session, with what the person has to know about this pane: how it stands with the host, and by which key
/// they come out while that is shown.
fn titled(title: &str, condition: Condition, mode: AttachMode, way_out: Option<&str>) -> String {
    let mut parts = vec![title.to_owned()];
    match condition {
        Condition::Lost => parts.push(texts::reconnecting().to_owned()),
        Condition::NoScreen => parts.push(texts::no_screen().to_owned()),
        Condition::Fine => {
            if mode == AttachMode::ReadOnly {
                parts.push(texts::read_only().to_owned());
            }
            parts.extend(way_out.map(texts::key_leaves));
        }
    }
    parts.join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_text::{Language, speaking};

    #[test]
    fn the_title_says_what_the_person_has_to_know() {
        let said = |condition, mode, way_out| titled("job · Running", condition, mode, way_out);
        let (looks, types) = (AttachMode::ReadOnly, AttachMode::Interactive);
        assert_eq!(said(Condition::Fine, types, None), "job · Running");
        assert_eq!(said(Condition::Fine, types, Some("Ctrl+\\")), "job · Running · Ctrl+\\ leaves");
        assert_eq!(said(Condition::Fine, looks, Some("x")), "job · Running · read only · x leaves");
        assert_eq!(said(Condition::Lost, looks, Some("x")), "job · Running · reconnecting");
        assert_eq!(
            said(Condition::NoScreen, types, Some("x")),
            "job · Running · its screen does not come, asking again"
        );
    }

    #[test]
    fn i8_the_title_speaks_the_language_of_its_reader() {
        let said = |language| {
            speaking(language, || titled("job", Condition::Fine, AttachMode::ReadOnly, Some("Ctrl+\\")))
        };
        assert_eq!(said(Language::Chinese), "job · 只读 · Ctrl+\\ 离开");
        assert_eq!(said(Language::Japanese), "job · 読み取り専用 · Ctrl+\\ で出る");
    }
}

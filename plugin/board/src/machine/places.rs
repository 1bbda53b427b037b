//! Where a session is shown that is entered (`attach_in`), and how its pane is left again.
//!
//! Used by `attach` for panes that it opens, by `anywhere` for the keys that lead back to the board.

use super::{Board, attach::Place};
use crate::{
    effect::{Effect, PanePlace},
    input::PaneRef,
    settings::AttachIn,
    view,
};
use board_protocol::{ids::SessionId, state::GlyphSet, text::plain_within};

/// The name of the pane that gives its place to the first session beside the board. It is that of the side layout.
const AREA: &str = "Sessions";
/// Widest name of a tab in cells.
const MAX_TAB_COLUMNS: usize = 30;

impl Board {
    /// Where the next pane goes; `None`: into a tab of its own.
    pub(super) fn next_place(&self) -> Option<PanePlace> {
        match self.settings.attach_in {
            AttachIn::Tab => None,
            AttachIn::Beside => Some(self.room_beside()),
            AttachIn::InPlace => Some(PanePlace::InsteadOfBoard),
            AttachIn::Floating => Some(PanePlace::Floating),
        }
    }

    /// On the stack of sessions that are beside the board already, else where the layout wants them.
    fn room_beside(&self) -> PanePlace {
        let listed = self.panes.beside.iter().map(|(pane, _)| *pane).rev();
        let shown = listed.filter(|pane| self.shows_a_session(*pane));
        let stack = self.panes.opened_beside().chain(shown).find(|pane| self.panes.shows(*pane));
        let area = || self.panes.beside.iter().find(|(_, name)| name == AREA);
        match (stack, area()) {
            (Some(pane), _) => PanePlace::Stacked(pane),
            (None, Some((pane, _))) => PanePlace::Instead(*pane),
            (None, None) => PanePlace::Near,
        }
    }

    /// The name of a session's tab.
    pub(super) fn tab_title(&self, id: &SessionId) -> String {
        let Some(row) = self.model.row(id) else { return String::new() };
        let waits = if row.waiting.is_some() { self.hourglass() } else { "" };
        plain_within(&format!("{} {waits}{}", view::glyph(self, row), row.name), MAX_TAB_COLUMNS)
    }

    /// Says in a tab's name that an agent waits there.
    fn hourglass(&self) -> &'static str {
        match self.glyphs {
            GlyphSet::Unicode => "⏳ ",
            GlyphSet::Ascii => "(w) ",
        }
    }

    /// A tab tells how its session stands, also while the board is out of sight.
    pub(super) fn retitle_tabs(&mut self) {
        let mut news = Vec::new();
        for (session, tab, title) in self.panes.tabs() {
            let to = self.tab_title(session);
            if !to.is_empty() && to != *title {
                news.push((tab, title.clone(), to));
            }
        }
        for (tab, from, to) in news {
            self.panes.retitle(tab, &to);
            self.emit(Effect::RetitleTab { tab, from, to });
        }
    }

    /// The person is done with this pane: the board comes before them.
    pub(super) fn return_from(&mut self, pane: u32) {
        // The board must be back in its place before it gets the focus: zellij would give a replaced pane a new one.
        if self.panes.place_of(pane) == Some(Place::InsteadOfBoard) {
            self.emit(Effect::CloseTerminal(pane));
        }
        self.return_to_board();
    }

    /// Leaves the session in a pane. A pane that was opened for it closes, and its client with it; in the person's own
    /// shell the client goes on.
    pub(super) fn leave_pane(&mut self, pane: u32) {
        self.return_from(pane);
        if self.panes.is_ours(pane) {
            if self.panes.place_of(pane) != Some(Place::InsteadOfBoard) {
                self.emit(Effect::CloseTerminal(pane));
            }
            self.panes.leave(pane);
        }
    }

    /// The board comes before the person, wherever they are.
    pub(super) fn go_to_board(&mut self) {
        match self.panes.instead_of_board() {
            Some(pane) => self.leave_pane(pane),
            None => self.return_to_board(),
        }
    }

    /// In the board's own tab the mode follows the focus.
    pub(super) fn focus_moved_to(&mut self, focus: Option<PaneRef>) {
        match focus {
            Some(PaneRef::Terminal(pane)) if self.shows_a_session(pane) && self.panes.shows(pane) => {
                // One that was locked before may have been unlocked by the person since.
                let entered = !std::mem::replace(&mut self.locked_by_us, true);
                entered.then(|| self.lock());
            }
            Some(_) if std::mem::take(&mut self.locked_by_us) => {
                self.emit(Effect::SwitchMode(crate::input::Mode::Normal));
            }
            _ => {}
        }
    }
}

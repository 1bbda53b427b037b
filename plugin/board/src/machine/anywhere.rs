//! What zellij keeps for itself, and three keys that work from anywhere in its session: the board, the next session that
//! needs an answer, out of a session.
//!
//! Each instance binds them at run time for its own client (`MessagePluginId`), so that a key moves the person who pressed
//! it and nobody else. What the person's own configuration binds is left alone; help says so.

use super::{Board, Permission, focus::Question};
use crate::{
    effect::Effect,
    input::{BoundTo, Key, KeyCode, Keybinds, PaneRef},
    keymap::Words,
    model::{Arrangement, BoardRow},
    notice::Level,
};
use board_protocol::state::SemanticState;
use board_text::hotkey;
use board_text::notice as texts;
use std::collections::BTreeSet;

/// The pipe on which such a key arrives.
pub(crate) const KEY_PIPE: &str = "agent-board-key";
/// Most chords of zellij that are remembered; its own configuration has about two hundred.
const MAX_KEPT: usize = 1_024;

/// What such a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// The board.
    Board,
    /// The next session that needs an answer.
    Next,
    /// Out of the session, back to the board.
    Leave,
}

/// A key that works from anywhere.
#[derive(Debug)]
pub(crate) struct Chord {
    wish: Wish,
    pub(super) key: Key,
    /// As a binding names it.
    kdl: &'static str,
    /// What its message says.
    word: &'static str,
    /// As people read it.
    pub(crate) shown: &'static str,
    /// What it is for.
    pub(crate) help: Words,
}

/// Control and Alt together: zellij's own chords use Alt alone, and so do shells, editors and agents for editing. Of the
/// letters, OpenCode takes b d e f g k t u y, pi x, Claude Code q, this board g, and desktops l and t.
pub(crate) const CHORDS: [Chord; 3] = [
    Chord {
        wish: Wish::Board,
        key: Key::ctrl_alt(KeyCode::Char('a')),
        kdl: "Ctrl Alt a",
        word: "board",
        shown: "ctrl+alt+a",
        help: hotkey::anywhere_board,
    },
    Chord {
        wish: Wish::Next,
        key: Key::ctrl_alt(KeyCode::Char('n')),
        kdl: "Ctrl Alt n",
        word: "next",
        shown: "ctrl+alt+n",
        help: hotkey::anywhere_next,
    },
    Chord {
        wish: Wish::Leave,
        key: Key::ctrl_alt(KeyCode::Char('o')),
        kdl: "Ctrl Alt o",
        word: "leave",
        shown: "ctrl+alt+o",
        help: hotkey::anywhere_leave,
    },
];

/// How it stands with one of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Binding {
    /// Not bound yet.
    #[default]
    Free,
    /// zellij was asked to bind it.
    Asked,
    /// It is bound.
    Bound,
    /// The person's configuration has another use for it.
    Foreign,
}

/// Chords of zellij and of this board.
#[derive(Debug, Default)]
pub(crate) struct Anywhere {
    /// Whether zellij has said what it binds: before that, nothing of the person's may be overwritten.
    known: bool,
    /// What zellij takes while the board has the focus.
    kept: Vec<Key>,
    pub(crate) bindings: [Binding; CHORDS.len()],
}

impl Anywhere {
    /// Whether zellij takes this chord before the board can have it.
    pub(crate) fn keeps(&self, key: Key) -> bool {
        self.kept.contains(&key)
    }
}

impl Board {
    pub(super) fn note_keys(&mut self, keybinds: Keybinds) {
        let before = self.anywhere.bindings;
        for (chord, binding) in CHORDS.iter().zip(&mut self.anywhere.bindings) {
            let mut uses =
                keybinds.normal.iter().chain(&keybinds.locked).filter(|used| used.key == chord.key);
            let (foreign, message) = uses
                .try_fold(false, |_, used| match used.what {
                    BoundTo::Zellij => Err(()),
                    BoundTo::Message => Ok(true),
                })
                .map_or((true, false), |message| (false, message));
            *binding = match *binding {
                _ if foreign => Binding::Foreign,
                Binding::Asked if message => Binding::Bound,
                // A configuration that takes it away at once would otherwise be fought for ever.
                Binding::Asked => Binding::Asked,
                Binding::Bound if message => Binding::Bound,
                // Bound by an earlier life, by an instance that is gone, or by the person for every instance.
                Binding::Bound | Binding::Free | Binding::Foreign => Binding::Free,
            };
        }
        let kept = keybinds.normal.into_iter().filter(|bound| bound.what == BoundTo::Zellij);
        let kept: Vec<Key> = kept.map(|bound| bound.key).take(MAX_KEPT).collect();
        self.anywhere.known = true;
        self.bind_keys();
        let foreign = |bindings: [Binding; CHORDS.len()]| bindings.map(|binding| binding == Binding::Foreign);
        if kept != self.anywhere.kept || foreign(before) != foreign(self.anywhere.bindings) {
            self.anywhere.kept = kept;
            self.changed();
        }
    }

    /// Binds what is free. zellij's KDL wants one node a line.
    pub(super) fn bind_keys(&mut self) {
        let Some(me) = self.me.as_ref().filter(|_| self.permission == Permission::Granted) else { return };
        if !self.anywhere.known {
            return;
        }
        let plugin = me.plugin_id;
        let mut binds = String::new();
        for (chord, binding) in CHORDS.iter().zip(&mut self.anywhere.bindings) {
            if *binding == Binding::Free {
                *binding = Binding::Asked;
                binds.push_str(&format!(
                    "        bind \"{}\" {{\n            MessagePluginId {plugin} {{\n                name \"{KEY_PIPE}\"\n                payload \"{}\"\n            }}\n        }}\n",
                    chord.kdl, chord.word
                ));
            }
        }
        if !binds.is_empty() {
            self.emit(Effect::Reconfigure(format!("keybinds {{\n    shared {{\n{binds}    }}\n}}\n")));
        }
    }

    /// A key of the person's own configuration reaches every instance, also that of a client that has left: only one
    /// whose client looks at something acts.
    pub(super) fn pressed_anywhere(&mut self, word: &str) {
        if let Some(chord) = CHORDS.iter().find(|chord| chord.word == word.trim()) {
            self.ask(Question::Pressed(chord.wish));
        }
    }

    pub(super) fn pressed_at(&mut self, wish: Wish, focus: PaneRef) {
        match (wish, focus) {
            (Wish::Leave, PaneRef::Terminal(pane)) if self.shows_a_session(pane) => self.leave_pane(pane),
            (Wish::Board | Wish::Leave, _) => self.go_to_board(),
            (Wish::Next, _) => self.enter_next(focus),
        }
    }

    /// Around the end, from the session that the person looks at; the filter hides nothing from this key.
    fn enter_next(&mut self, focus: PaneRef) {
        let here = match focus {
            PaneRef::Terminal(pane) => self.session_in(pane),
            PaneRef::Plugin(_) => None,
        };
        // Whoever looks at a terminal of an agent is where its session stands.
        let from = here.as_ref().map(|here| self.model.above(here).unwrap_or(here));
        let needs_input = |row: &BoardRow| row.state == SemanticState::NeedsInput;
        let all = Arrangement::of(&self.model, &BTreeSet::new(), |row| {
            self.model.above(&row.id).is_none() && (needs_input(row) || from == Some(&row.id))
        });
        let rows: Vec<&BoardRow> = all.sessions(&self.model).collect();
        let first = rows.iter().position(|row| Some(&row.id) == from).map_or(0, |place| place + 1);
        let mut others = rows.iter().cycle().skip(first).take(rows.len());
        let next = others.find(|row| needs_input(row) && Some(&row.id) != here.as_ref());
        let Some(next) = next.map(|row| row.id.clone()) else {
            let text = if here.is_some_and(|here| {
                self.model.row(&here).is_some_and(|row| row.state == SemanticState::NeedsInput)
            }) {
                return;
            } else {
                texts::none_needs_answer()
            };
            self.go_to_board();
            self.tell(Level::Info, text);
            return;
        };
        if let Some(place) = self.shown.place_of(&self.model, &next) {
            self.go_to(place);
        }
        if !self.enter(&next) {
            self.go_to_board();
        }
    }
}

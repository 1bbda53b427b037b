//! The one table of keys: what handles a key and what the help page says about it are the same rows.
//!
//! zellij takes Ctrl+p t n h s o q g b in its default modes, so every action has a plain key too (decision 5).

use crate::input::{Key, KeyCode};

pub use crate::editor::Edit;

/// Where keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Room {
    /// The list: NORMAL mode.
    List,
    /// The editor: INSERT mode.
    Insert,
    /// A question with (y/N).
    Confirm,
    /// The help page.
    Help,
    /// The page that says that the permission is missing.
    Denied,
}

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Selects the row above; from the first one the last.
    Previous,
    /// Selects the row below; from the last one the first.
    Next,
    /// Selects a row a page above.
    PageUp,
    /// Selects a row a page below.
    PageDown,
    /// Selects the first row.
    First,
    /// Selects the last row.
    Last,
    /// Enters the selected session.
    Attach,
    /// Goes to the editor.
    Insert,
    /// Interrupts a running turn, else asks to stop the session (decision 13).
    InterruptOrStop,
    /// Asks to delete the selected session.
    Delete,
    /// Shows the help page.
    Help,
    /// Throws the draft away.
    ClearDraft,
    /// Starts what was typed.
    Submit,
    /// Leaves the editor, the text stays.
    KeepDraft,
    /// Leaves the editor, the text goes.
    DropDraft,
    /// Changes the text or moves in it.
    Edit(Edit),
    /// Yes.
    Accept,
    /// Asks for the permissions again.
    AskPermission,
}

/// One row of the table.
#[derive(Debug)]
pub struct Binding {
    /// Where it holds.
    pub room: Room,
    /// The keys.
    pub keys: &'static [Key],
    /// What they do.
    pub action: Action,
    /// The keys as people read them.
    pub shown: &'static str,
    /// What the help page says; empty for keys that another row explains.
    pub help: &'static str,
    /// What the hint line says; empty for keys that are not hinted at.
    pub hint: &'static str,
}

const fn plain(c: char) -> Key {
    Key::plain(KeyCode::Char(c))
}

const fn ctrl(c: char) -> Key {
    Key::ctrl(KeyCode::Char(c))
}

macro_rules! bindings {
    ($($room:ident [$($key:expr),*] $action:expr, $shown:literal, $help:literal, $hint:literal;)*) => {
        &[$(Binding {
            room: Room::$room,
            keys: &[$($key),*],
            action: $action,
            shown: $shown,
            help: $help,
            hint: $hint,
        }),*]
    };
}

/// The table.
pub const BINDINGS: &[Binding] = bindings! {
    List [plain('i'), plain('n'), ctrl('n')] Action::Insert, "i, n", "type a command", "i insert";
    List [Key::plain(KeyCode::Right), plain('>'), Key::plain(KeyCode::Enter)]
        Action::Attach, "→, >, enter", "enter the session", "→ attach";
    List [Key::plain(KeyCode::Up), plain('k')] Action::Previous, "↑, k", "row above", "";
    List [Key::plain(KeyCode::Down), plain('j')] Action::Next, "↓, j", "row below", "↑↓ move";
    List [Key::plain(KeyCode::PageUp)] Action::PageUp, "pgup", "ten rows up", "";
    List [Key::plain(KeyCode::PageDown)] Action::PageDown, "pgdn", "ten rows down", "";
    List [Key::plain(KeyCode::Home)] Action::First, "home", "first row", "";
    List [Key::plain(KeyCode::End)] Action::Last, "end", "last row", "";
    List [plain('s'), ctrl('s')] Action::InterruptOrStop, "s, ctrl+s", "interrupt, or stop", "s stop";
    List [plain('x')] Action::Delete, "x", "delete (y/N)", "x delete";
    List [Key::plain(KeyCode::Esc), ctrl('c')] Action::ClearDraft, "esc", "clear the draft", "";
    List [plain('?')] Action::Help, "?", "this page", "? help";

    Insert [Key::plain(KeyCode::Enter)] Action::Submit, "enter", "start in background", "enter start";
    Insert [Key::shift(KeyCode::Enter), Key::alt(KeyCode::Enter), ctrl('j')]
        Action::Edit(Edit::NewLine), "shift+enter", "new line, or alt+enter", "";
    Insert [Key::plain(KeyCode::Esc)] Action::KeepDraft, "esc", "back, the draft stays", "esc keep draft";
    Insert [ctrl('c')] Action::DropDraft, "ctrl+c", "back, the draft goes", "ctrl+c drop";
    Insert [Key::plain(KeyCode::Left)] Action::Edit(Edit::Left), "←, →", "one character", "";
    Insert [Key::plain(KeyCode::Right)] Action::Edit(Edit::Right), "→", "", "";
    Insert [Key::ctrl(KeyCode::Left), Key::alt(KeyCode::Left), Key::alt(KeyCode::Char('b'))]
        Action::Edit(Edit::WordLeft), "ctrl/alt+←, →", "one word", "";
    Insert [Key::ctrl(KeyCode::Right), Key::alt(KeyCode::Right), Key::alt(KeyCode::Char('f'))]
        Action::Edit(Edit::WordRight), "ctrl+→", "", "";
    Insert [Key::plain(KeyCode::Home), ctrl('a')] Action::Edit(Edit::Home), "home, end", "start, end", "";
    Insert [Key::plain(KeyCode::End), ctrl('e')] Action::Edit(Edit::End), "end", "", "";
    Insert [Key::plain(KeyCode::Backspace)] Action::Edit(Edit::Backspace), "backspace", "delete left", "";
    Insert [Key::plain(KeyCode::Delete), ctrl('d')] Action::Edit(Edit::Delete), "del", "delete right", "";
    Insert [ctrl('w'), Key::alt(KeyCode::Backspace), Key::ctrl(KeyCode::Backspace)]
        Action::Edit(Edit::DeleteWord), "ctrl+w", "delete the word", "";
    Insert [ctrl('u')] Action::Edit(Edit::DeleteToStart), "ctrl+u", "delete to the start", "";
    Insert [ctrl('k')] Action::Edit(Edit::DeleteToEnd), "ctrl+k", "delete to the end", "";

    Confirm [plain('y'), plain('Y')] Action::Accept, "y", "yes; any other key: no", "y yes · any other key no";

    Denied [Key::plain(KeyCode::Enter)] Action::AskPermission, "enter", "ask for the permissions again", "enter ask again";
};

/// What a key does in a room, if anything.
pub fn action(room: Room, key: Key) -> Option<Action> {
    BINDINGS
        .iter()
        .find(|binding| binding.room == room && binding.keys.contains(&key))
        .map(|binding| binding.action)
}

/// What the help page says about a room: keys and their meaning.
pub fn explanations(room: Room) -> impl Iterator<Item = (&'static str, &'static str)> {
    BINDINGS
        .iter()
        .filter(move |binding| binding.room == room && !binding.help.is_empty())
        .map(|binding| (binding.shown, binding.help))
}

/// The hints of a room, in order.
pub fn hints(room: Room) -> impl Iterator<Item = &'static str> {
    BINDINGS
        .iter()
        .filter(move |binding| binding.room == room && !binding.hint.is_empty())
        .map(|binding| binding.hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_key_has_two_meanings_in_a_room() {
        let mut seen = BTreeSet::new();
        for binding in BINDINGS {
            for key in binding.keys {
                assert!(seen.insert((binding.room, *key)), "{:?} {key:?}", binding.room);
                assert_eq!(key.normalised(), *key, "a key is written as it arrives");
            }
        }
    }

    // Decision 5: zellij keeps these chords, so no action may need them.
    #[test]
    fn every_action_has_a_key_that_zellij_leaves_alone() {
        for binding in BINDINGS {
            let free = |key: &Key| {
                !(key.modifiers.ctrl
                    && matches!(key.code, KeyCode::Char('p' | 't' | 'n' | 'h' | 's' | 'o' | 'q' | 'g' | 'b')))
            };
            assert!(binding.keys.iter().any(free), "{:?}", binding.action);
        }
    }

    // Decision 3, field report B14.
    #[test]
    fn b14_only_y_accepts() {
        let accepting: Vec<Key> = BINDINGS
            .iter()
            .filter(|b| b.room == Room::Confirm)
            .flat_map(|b| b.keys.iter().copied())
            .collect();
        assert_eq!(accepting, [plain('y'), plain('Y')]);
    }
}

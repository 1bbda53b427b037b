//! Modes, actions, and the look-up in the one table of keys (`table`): what handles a key, what the help page says about
//! it and what the hint line shows are the same rows.
//!
//! zellij takes Ctrl+p t n h s o q g b in its default modes, so every action has a plain key too (decision 5).

mod table;

use crate::input::{Key, KeyCode};
use board_text::hotkey;

pub use crate::editor::Edit;
pub use table::BINDINGS;

/// Where keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Room {
    /// The list: NORMAL mode.
    #[default]
    List,
    /// The list, with rows to be marked.
    Select,
    /// One session, large.
    Peek,
    /// What waits for one session's agent.
    Queue,
    /// One session's terminal, to look at.
    Screen,
    /// What was said in one session.
    Transcript,
    /// Why one session stands where it stands, and its diagnostics.
    Explain,
    /// The editor: INSERT mode.
    Insert,
    /// The launch dialog.
    Launch,
    /// The list under its folder.
    Folder,
    /// The editor for words to one session.
    Reply,
    /// The filter's line.
    Filter,
    /// The line of a name.
    Rename,
    /// The line of tags.
    Tags,
    /// A question with (y/N).
    Confirm,
    /// The help page.
    Help,
    /// The page about runner, link and versions.
    Runner,
    /// The page that says that the permission is missing.
    Denied,
}

impl Room {
    /// Every room in the order of the help page.
    pub const ALL: [Self; 18] = [
        Self::List,
        Self::Launch,
        Self::Folder,
        Self::Peek,
        Self::Select,
        Self::Insert,
        Self::Reply,
        Self::Filter,
        Self::Rename,
        Self::Tags,
        Self::Queue,
        Self::Screen,
        Self::Transcript,
        Self::Explain,
        Self::Confirm,
        Self::Help,
        Self::Runner,
        Self::Denied,
    ];

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::List => hotkey::room_list(),
            Self::Select => hotkey::room_select(),
            Self::Peek => hotkey::room_peek(),
            Self::Queue => hotkey::room_queue(),
            Self::Screen => hotkey::room_screen(),
            Self::Transcript => hotkey::room_transcript(),
            Self::Explain => hotkey::room_explain(),
            Self::Insert => hotkey::room_insert(),
            Self::Launch => hotkey::room_launch(),
            Self::Folder => hotkey::room_folder(),
            Self::Reply => hotkey::room_reply(),
            Self::Filter => hotkey::room_filter(),
            Self::Rename => hotkey::room_rename(),
            Self::Tags => hotkey::room_tags(),
            Self::Confirm => hotkey::room_confirm(),
            Self::Help => hotkey::room_help(),
            Self::Runner => hotkey::room_runner(),
            Self::Denied => hotkey::room_denied(),
        }
    }

    /// Whether it is a place to be in, and not something laid over one for a moment.
    pub(crate) const fn is_page(self) -> bool {
        matches!(
            self,
            Self::List
                | Self::Select
                | Self::Peek
                | Self::Queue
                | Self::Screen
                | Self::Transcript
                | Self::Explain
                | Self::Denied
        )
    }

    /// Whether it is about the one session that is selected.
    pub(crate) const fn is_about_one(self) -> bool {
        matches!(self, Self::Peek | Self::Queue | Self::Screen | Self::Transcript | Self::Explain)
    }
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
    /// Selects the next row that needs the person.
    NextNeedsMe,
    /// Selects the one before.
    PreviousNeedsMe,
    /// Scrolls.
    Scroll(Scroll),
    /// Enters the selected session.
    Attach,
    /// Opens the launch dialog with a kept draft (reference F.2), else enters the selected session.
    Enter,
    /// Goes to the editor.
    Insert,
    /// Opens the launch dialog.
    Launch,
    /// Opens it with the text of the editor.
    LaunchWithText,
    /// Goes on to the next field; completes the folder.
    Tab,
    /// Goes back to the field before; up a level in the folder.
    BackTab,
    /// A line up, or the field above.
    Above,
    /// A line down, or the field below.
    Below,
    /// A character to the left, or another choice.
    Leftward,
    /// A character to the right, or another choice.
    Rightward,
    /// A blank in a text, else another choice.
    Space,
    /// Goes to the editor, with a greeting in it for an agent.
    InsertGreeting,
    /// Interrupts a running turn, else asks to stop the session (decision 13).
    InterruptOrStop,
    /// Asks whether the session is done.
    Done,
    /// Puts the session on hold, or takes it off.
    Holding,
    /// Pins or unpins.
    Pin,
    /// Marks read or unread.
    Unread,
    /// Folds the terminals of a session away, or shows them.
    Fold,
    /// Asks to end what an agent waits for in its terminals.
    SkipWaits,
    /// Goes to the line of the name.
    Rename,
    /// Goes to the line of tags.
    Tags,
    /// Asks to delete the selected session.
    Delete,
    /// Deletes the selected session when it comes twice.
    DeleteAtTwice,
    /// Asks to delete every shown session of the selected one's state (decision 4).
    DeleteState,
    /// Shows one session, large.
    Peek,
    /// Shows what waits for it.
    Queue,
    /// Shows its terminal.
    Screen,
    /// Shows what was said in it.
    Transcript,
    /// Shows why it stands where it stands.
    Explain,
    /// Goes to the mode in which rows are marked.
    Select,
    /// Goes to the filter's line.
    Filter,
    /// Shows the help page.
    Help,
    /// Shows the page about the runner.
    Runner,
    /// Throws the draft away, else the filter.
    Clear,
    /// Writes to the session.
    Reply,
    /// Answers the pending question with one of its choices.
    Choose,
    /// Back to where one came from.
    Back,
    /// Marks or unmarks the selected row.
    Mark,
    /// Marks every shown row.
    MarkAll,
    /// Unmarks every row.
    UnmarkAll,
    /// Asks whether the marked sessions are done.
    DoneMarked,
    /// Asks to delete the marked sessions that are done.
    DeleteMarked,
    /// Leaves the mode in which rows are marked.
    LeaveSelect,
    /// Changes words that wait.
    EditQueued,
    /// Takes words out of the queue.
    RemoveQueued,
    /// Sends words that wait now.
    SendQueued,
    /// Moves words in the queue up.
    RaiseQueued,
    /// Moves them down.
    LowerQueued,
    /// Asks to empty the queue.
    ClearQueue,
    /// Asks to forget the diagnostics.
    ClearLog,
    /// Carries out what was typed.
    Submit,
    /// Changes when a reply is delivered.
    Delivery,
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

/// How far to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scroll {
    /// A line up.
    Up,
    /// A line down.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the start.
    Top,
    /// To the end.
    End,
}

impl Scroll {
    /// The same way, for what is counted from its end.
    pub(crate) const fn reversed(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::PageUp => Self::PageDown,
            Self::PageDown => Self::PageUp,
            Self::Top => Self::End,
            Self::End => Self::Top,
        }
    }
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
    pub shown: Words,
    /// What the help page says; empty for keys that another row explains.
    pub help: Words,
    /// What the hint line says; empty for keys that are not hinted at.
    pub hint: Words,
}

/// A text in the language that is spoken when it is asked for.
pub type Words = fn() -> &'static str;

/// What a key does in a room, if anything. Every room with a text has the editor's keys; its own come first.
pub fn action(room: Room, key: Key) -> Option<Action> {
    let bound = |room| {
        let mut own = BINDINGS.iter().filter(|binding| binding.room == room);
        own.find(|binding| binding.keys.contains(&key)).map(|binding| binding.action)
    };
    let edit = || bound(Room::Insert).filter(|action| matches!(action, Action::Edit(_)));
    match room {
        Room::Reply | Room::Launch => bound(room).or_else(edit),
        // A line has no line breaks.
        Room::Filter | Room::Rename | Room::Tags | Room::Folder => {
            bound(room).or_else(|| edit().filter(|edit| *edit != Action::Edit(Edit::NewLine)))
        }
        _ => bound(room),
    }
}

/// Whether some key of a room does this.
pub(crate) fn has(room: Room, action: Action) -> bool {
    BINDINGS.iter().any(|binding| binding.room == room && binding.action == action)
}

/// What the help page says about a room: keys and their meaning.
pub fn explanations(room: Room) -> impl Iterator<Item = (&'static str, &'static str)> {
    BINDINGS
        .iter()
        .filter(move |binding| binding.room == room)
        .map(|binding| ((binding.shown)(), (binding.help)()))
        .filter(|(_, help)| !help.is_empty())
}

/// The hints of a room, in order.
pub fn hints(room: Room) -> impl Iterator<Item = &'static str> {
    BINDINGS
        .iter()
        .filter(move |binding| binding.room == room)
        .map(|binding| (binding.hint)())
        .filter(|hint| !hint.is_empty())
}

/// The keys that the first word of a hint names, each with the place of its name in it, in bytes: `k/j` names two, `↑↓`
/// too.
pub fn named_keys(word: &str) -> Vec<(std::ops::Range<usize>, Key)> {
    let mut keys = Vec::new();
    let mut start = 0;
    for name in word.split('/') {
        // The key / itself.
        let name = if word == "/" { word } else { name };
        if let Some(key) = named_key(name) {
            keys.push((start..start + name.len(), key));
        } else {
            let each = name.char_indices().filter_map(|(at, c)| {
                let end = at + c.len_utf8();
                Some((start + at..start + end, arrow(c)?))
            });
            keys.extend(each);
        }
        if word == "/" {
            break;
        }
        start += name.len() + 1;
    }
    keys
}

const fn arrow(c: char) -> Option<Key> {
    Some(Key::plain(match c {
        '↑' => KeyCode::Up,
        '↓' => KeyCode::Down,
        '←' => KeyCode::Left,
        '→' => KeyCode::Right,
        _ => return None,
    }))
}

/// The key of a name, as hints write it.
fn named_key(name: &str) -> Option<Key> {
    if let Some(key) = name.strip_prefix("ctrl+").and_then(named_key) {
        return Some(Key::ctrl(key.code));
    }
    if let Some(key) = name.strip_prefix("shift+").and_then(named_key) {
        return Some(Key::shift(key.code));
    }
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return arrow(c).or(Some(Key::plain(KeyCode::Char(c))));
    }
    Some(Key::plain(match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "space" => KeyCode::Char(' '),
        "tab" => KeyCode::Tab,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_text::{Language, speaking};
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

    // A hint can be clicked: its words must name keys that do what it says.
    #[test]
    fn every_hint_names_keys_that_mean_something_in_its_room() {
        for (binding, language) in BINDINGS.iter().flat_map(|b| Language::ALL.map(|language| (b, language))) {
            let hint = speaking(language, binding.hint);
            if hint.is_empty() {
                continue;
            }
            let word = hint.split(' ').next().unwrap_or_default();
            let named = named_keys(word);
            assert!(!named.is_empty(), "{hint:?}");
            let does: Vec<_> = named.iter().map(|(_, key)| action(binding.room, *key)).collect();
            assert!(does.contains(&Some(binding.action)), "{hint:?}: {named:?}");
            assert!(!does.contains(&None), "{hint:?}: {named:?}");
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
        assert_eq!(accepting, ['y', 'Y'].map(|c| Key::plain(KeyCode::Char(c))));
    }
}

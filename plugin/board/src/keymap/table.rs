//! The table: room, keys, action, the keys as people read them, what help says, what the hint line says.

use super::{Action, Binding, Edit, Room, Scroll};
use crate::input::{Key, KeyCode};

const fn plain(c: char) -> Key {
    Key::plain(KeyCode::Char(c))
}

const fn ctrl(c: char) -> Key {
    Key::ctrl(KeyCode::Char(c))
}

const UP: Key = Key::plain(KeyCode::Up);
const DOWN: Key = Key::plain(KeyCode::Down);
const LEFT: Key = Key::plain(KeyCode::Left);
const RIGHT: Key = Key::plain(KeyCode::Right);
const HOME: Key = Key::plain(KeyCode::Home);
const END: Key = Key::plain(KeyCode::End);
const PAGE_UP: Key = Key::plain(KeyCode::PageUp);
const PAGE_DOWN: Key = Key::plain(KeyCode::PageDown);
const ENTER: Key = Key::plain(KeyCode::Enter);
const ESC: Key = Key::plain(KeyCode::Esc);
const TAB: Key = Key::plain(KeyCode::Tab);

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
    List [plain('i')] Action::Insert, "i", "type what to start", "i insert";
    List [plain('n')] Action::Launch, "n", "new session", "n new";
    List [plain('N'), ctrl('n')] Action::InsertGreeting, "N, ctrl+n", "greet an agent", "";
    List [ENTER] Action::Enter, "enter", "the draft, else enter", "";
    List [RIGHT, plain('>')] Action::Attach, "→, >", "enter the session", "→ attach";
    List [plain(' ')] Action::Peek, "space", "look closer, reply", "space peek";
    List [UP, plain('k')] Action::Previous, "↑↓, k j", "move", "";
    List [DOWN, plain('j')] Action::Next, "↓, j", "", "";
    List [PAGE_UP] Action::PageUp, "pgup, pgdn", "ten rows", "";
    List [PAGE_DOWN] Action::PageDown, "pgdn", "", "";
    List [HOME] Action::First, "home, end", "first row, last row", "";
    List [END] Action::Last, "end", "", "";
    List [plain('g')] Action::NextNeedsMe, "g, G", "next that needs you", "g next for you";
    List [plain('G')] Action::PreviousNeedsMe, "G", "", "";
    List [plain('d')] Action::Done, "d", "done (y/N)", "d done";
    List [plain('h')] Action::Holding, "h", "on hold, and back", "h hold / unhold";
    List [plain('s'), ctrl('s')] Action::InterruptOrStop, "s, ctrl+s", "interrupt, or stop", "s stop";
    List [plain('x')] Action::Delete, "x", "delete (y/N)", "x delete";
    List [ctrl('x')] Action::DeleteAtTwice, "ctrl+x twice", "delete at once", "ctrl+x x2 quick";
    List [plain('X')] Action::DeleteState, "X", "delete the state (y/N)", "X delete state";
    List [plain('m')] Action::Select, "m", "mark several", "m multi-select";
    List [plain('/')] Action::Filter, "/", "filter", "/ filter";
    List [plain('u')] Action::Unread, "u", "read, unread", "";
    List [plain('p'), ctrl('t')] Action::Pin, "p, ctrl+t", "pin, unpin", "p pin";
    List [plain('R'), ctrl('r')] Action::Rename, "R, ctrl+r", "rename", "R rename";
    List [plain('t')] Action::Tags, "t", "tags", "";
    List [plain('w')] Action::SkipWaits, "w", "skip waits (y/N)", "w skip waits";
    List [plain('z')] Action::Fold, "z", "fold its terminals", "";
    List [plain('l')] Action::Screen, "l", "its screen", "l screen";
    List [plain('v')] Action::Transcript, "v", "transcript", "v transcript";
    List [plain('e')] Action::Explain, "e", "evidence", "e evidence";
    List [plain('!')] Action::Runner, "!", "runner, versions", "! runner";
    List [ESC, ctrl('c')] Action::Clear, "esc", "clear draft, filter", "";
    List [plain('?')] Action::Help, "?", "this page", "? help";

    Select [UP, plain('k')] Action::Previous, "↑↓, k j", "move", "";
    Select [DOWN, plain('j')] Action::Next, "↓, j", "", "";
    Select [PAGE_UP] Action::PageUp, "pgup", "", "";
    Select [PAGE_DOWN] Action::PageDown, "pgdn", "", "";
    Select [HOME] Action::First, "home", "", "";
    Select [END] Action::Last, "end", "", "";
    Select [plain(' ')] Action::Mark, "space", "mark, unmark", "space mark";
    Select [plain('m'), ESC, ctrl('c')] Action::LeaveSelect, "m, esc", "leave", "esc leave";
    Select [plain('a')] Action::MarkAll, "a", "mark all shown", "a all";
    Select [plain('u')] Action::UnmarkAll, "u", "unmark all", "u clear";
    Select [plain('d')] Action::DoneMarked, "d", "done (y/N)", "d done";
    Select [ctrl('x')] Action::DeleteMarked, "ctrl+x", "delete done ones (y/N)", "ctrl+x delete done";
    Select [plain('!')] Action::Runner, "!", "", "";
    Select [plain('?')] Action::Help, "?", "", "? help";

    Peek [UP, plain('k')] Action::Previous, "↑↓, k j", "previous, next", "↑↓ prev/next";
    Peek [DOWN, plain('j')] Action::Next, "↓, j", "", "";
    Peek [RIGHT, plain('>'), plain('a')] Action::Attach, "→, >, a", "enter the session", "→/> attach";
    Peek [ENTER, plain('r')] Action::Reply, "enter, r", "reply", "r reply";
    Peek [ESC, ctrl('c'), LEFT, plain(' ')] Action::Back, "esc", "back", "esc back";
    Peek [plain('1'), plain('2'), plain('3'), plain('4'), plain('5'), plain('6'), plain('7'), plain('8'), plain('9')]
        Action::Choose, "1-9", "", "";
    Peek [plain('d')] Action::Done, "d", "done (y/N)", "d done";
    Peek [plain('h')] Action::Holding, "h", "on hold, and back", "";
    Peek [plain('v')] Action::Transcript, "v", "transcript", "v transcript";
    Peek [plain('e')] Action::Explain, "e", "evidence", "e evidence";
    Peek [plain('l')] Action::Screen, "l", "its screen", "l screen";
    Peek [plain('w')] Action::SkipWaits, "w", "skip waits (y/N)", "w skip waits";
    Peek [plain('q')] Action::Queue, "q", "what waits for it", "";
    Peek [PAGE_UP] Action::Scroll(Scroll::PageUp), "pgup, pgdn", "scroll", "";
    Peek [PAGE_DOWN] Action::Scroll(Scroll::PageDown), "pgdn", "", "";
    Peek [plain('!')] Action::Runner, "!", "", "";
    Peek [plain('?')] Action::Help, "?", "", "? help";

    Queue [UP, plain('k')] Action::Previous, "↑↓, k j", "move", "↑↓ move";
    Queue [ESC, ctrl('c'), LEFT] Action::Back, "esc", "back", "esc back";
    Queue [DOWN, plain('j')] Action::Next, "↓, j", "", "";
    Queue [ENTER, plain('e')] Action::EditQueued, "enter, e", "change", "e edit";
    Queue [plain('x')] Action::RemoveQueued, "x", "take out", "x remove";
    Queue [plain('s')] Action::SendQueued, "s", "send now", "s send now";
    Queue [plain('K')] Action::RaiseQueued, "K, J", "earlier, later", "K/J order";
    Queue [plain('J')] Action::LowerQueued, "J", "", "";
    Queue [plain('X')] Action::ClearQueue, "X", "empty it (y/N)", "X clear";
    Queue [plain('?')] Action::Help, "?", "", "? help";

    Screen [UP, plain('k')] Action::Scroll(Scroll::Up), "↑↓, k j", "scroll", "↑↓ scroll";
    Screen [ESC, ctrl('c'), LEFT, plain('<'), plain('l')] Action::Back, "esc, ←, <", "back", "←/< back";
    Screen [DOWN, plain('j')] Action::Scroll(Scroll::Down), "↓, j", "", "";
    Screen [PAGE_UP] Action::Scroll(Scroll::PageUp), "pgup, pgdn", "page", "pgup/pgdn page";
    Screen [PAGE_DOWN] Action::Scroll(Scroll::PageDown), "pgdn", "", "";
    Screen [HOME] Action::Scroll(Scroll::Top), "home, end", "start, end", "";
    Screen [END] Action::Scroll(Scroll::End), "end", "", "";
    Screen [ENTER, RIGHT, plain('>'), plain('a')] Action::Attach, "enter, →, a", "enter the session", "enter attach";
    Screen [plain('r')] Action::Reply, "r", "reply", "r reply";
    Screen [plain(' ')] Action::Peek, "space", "look closer", "space peek";
    Screen [plain('v')] Action::Transcript, "v", "transcript", "v transcript";
    Screen [plain('e')] Action::Explain, "e", "evidence", "e evidence";
    Screen [plain('d')] Action::Done, "d", "done (y/N)", "d done";
    Screen [plain('h')] Action::Holding, "h", "on hold, and back", "";
    Screen [plain('!')] Action::Runner, "!", "", "";
    Screen [plain('?')] Action::Help, "?", "", "? help";

    Transcript [ESC, ctrl('c'), LEFT, plain('<'), plain('v')] Action::Back, "esc, ←, <", "back", "←/< back";
    Transcript [UP, plain('k')] Action::Scroll(Scroll::Up), "↑↓, k j", "scroll", "↑↓ scroll";
    Transcript [DOWN, plain('j')] Action::Scroll(Scroll::Down), "↓, j", "", "";
    Transcript [PAGE_UP] Action::Scroll(Scroll::PageUp), "pgup, pgdn", "page", "pgup/pgdn page";
    Transcript [PAGE_DOWN] Action::Scroll(Scroll::PageDown), "pgdn", "", "";
    Transcript [HOME] Action::Scroll(Scroll::Top), "home, end", "first, newest", "";
    Transcript [END] Action::Scroll(Scroll::End), "end", "", "";
    Transcript [ENTER, RIGHT, plain('>'), plain('a')] Action::Attach, "enter, →, a", "enter the session", "enter attach";
    Transcript [plain('d')] Action::Done, "d", "done (y/N)", "d done";
    Transcript [plain('r')] Action::Reply, "r", "reply", "r reply";
    Transcript [plain(' ')] Action::Peek, "space", "look closer", "space peek";
    Transcript [plain('h')] Action::Holding, "h", "on hold, and back", "";
    Transcript [plain('e')] Action::Explain, "e", "evidence", "";
    Transcript [plain('l')] Action::Screen, "l", "its screen", "";
    Transcript [plain('!')] Action::Runner, "!", "", "";
    Transcript [plain('?')] Action::Help, "?", "", "? help";

    Explain [UP, plain('k')] Action::Scroll(Scroll::Up), "↑↓, k j", "scroll", "↑↓ scroll";
    Explain [ESC, ctrl('c'), LEFT, plain('<'), plain('e')] Action::Back, "esc, ←, <", "back", "←/< back";
    Explain [DOWN, plain('j')] Action::Scroll(Scroll::Down), "↓, j", "", "";
    Explain [PAGE_UP] Action::Scroll(Scroll::PageUp), "pgup, pgdn", "page", "pgup/pgdn page";
    Explain [PAGE_DOWN] Action::Scroll(Scroll::PageDown), "pgdn", "", "";
    Explain [HOME] Action::Scroll(Scroll::Top), "home, end", "start, end", "";
    Explain [END] Action::Scroll(Scroll::End), "end", "", "";
    Explain [ENTER, RIGHT, plain('>'), plain('a')] Action::Attach, "enter, →, a", "enter the session", "enter attach";
    Explain [plain('r')] Action::Reply, "r", "reply", "r reply";
    Explain [plain(' ')] Action::Peek, "space", "look closer", "space peek";
    Explain [plain('v')] Action::Transcript, "v", "transcript", "v transcript";
    Explain [plain('x')] Action::ClearLog, "x", "clear diagnostics (y/N)", "x clear diagnostics";
    Explain [plain('l')] Action::Screen, "l", "its screen", "l screen";
    Explain [plain('!')] Action::Runner, "!", "", "";
    Explain [plain('?')] Action::Help, "?", "", "? help";

    Insert [ENTER] Action::Submit, "enter", "start in background", "enter start";
    Insert [Key::shift(KeyCode::Enter), Key::alt(KeyCode::Enter), ctrl('j')]
        Action::Edit(Edit::NewLine), "shift+enter", "new line, or alt+enter", "shift+enter new line";
    Insert [ESC] Action::KeepDraft, "esc", "back, the draft stays", "esc keep draft";
    Insert [ctrl('c')] Action::DropDraft, "ctrl+c", "back, the draft goes", "ctrl+c drop";
    Insert [UP] Action::Edit(Edit::Up), "↑, ↓", "line, what was sent", "";
    Insert [DOWN] Action::Edit(Edit::Down), "↓", "", "";
    Insert [LEFT] Action::Edit(Edit::Left), "←, →", "one character", "";
    Insert [RIGHT] Action::Edit(Edit::Right), "→", "", "";
    Insert [Key::ctrl(KeyCode::Left), Key::alt(KeyCode::Left), Key::alt(KeyCode::Char('b'))]
        Action::Edit(Edit::WordLeft), "ctrl/alt+←, →", "one word", "";
    Insert [Key::ctrl(KeyCode::Right), Key::alt(KeyCode::Right), Key::alt(KeyCode::Char('f'))]
        Action::Edit(Edit::WordRight), "ctrl+→", "", "";
    Insert [HOME, ctrl('a')] Action::Edit(Edit::Home), "home, end", "start, end of line", "";
    Insert [END, ctrl('e')] Action::Edit(Edit::End), "end", "", "";
    Insert [Key::plain(KeyCode::Backspace)] Action::Edit(Edit::Backspace), "backspace", "delete left", "";
    Insert [Key::plain(KeyCode::Delete), ctrl('d')] Action::Edit(Edit::Delete), "del", "delete right", "";
    Insert [ctrl('w'), Key::alt(KeyCode::Backspace), Key::ctrl(KeyCode::Backspace)]
        Action::Edit(Edit::DeleteWord), "ctrl+w", "delete the word", "";
    Insert [ctrl('u')] Action::Edit(Edit::DeleteToStart), "ctrl+u", "delete to the start", "";
    Insert [ctrl('k')] Action::Edit(Edit::DeleteToEnd), "ctrl+k", "delete to the end", "";

    Insert [TAB] Action::LaunchWithText, "tab", "launch dialog with it", "tab dialog";

    Launch [ENTER] Action::Submit, "enter", "start; open a list", "enter start";
    Launch [TAB] Action::Tab, "tab", "next field; complete", "tab next";
    Launch [Key::shift(KeyCode::Tab)] Action::BackTab, "shift+tab", "back; up a level", "";
    Launch [UP] Action::Above, "↑, ↓", "line, field", "↑↓ fields";
    Launch [DOWN] Action::Below, "↓", "", "";
    Launch [LEFT] Action::Leftward, "←, →", "choose; one character", "←→ choose";
    Launch [RIGHT] Action::Rightward, "→", "", "";
    Launch [plain(' ')] Action::Space, "space", "choose; a blank", "";
    Launch [Key::shift(KeyCode::Enter), Key::alt(KeyCode::Enter), ctrl('j')]
        Action::Edit(Edit::NewLine), "shift+enter", "new line, or alt+enter", "shift+enter new line";
    Launch [ctrl('c')] Action::DropDraft, "ctrl+c", "back, the draft goes", "ctrl+c drop";
    Launch [ESC] Action::KeepDraft, "esc", "back, the draft stays", "esc keep draft";

    Folder [ENTER] Action::Submit, "enter", "choose", "enter choose";
    Folder [TAB] Action::Tab, "tab", "complete, go inside", "tab complete";
    Folder [Key::shift(KeyCode::Tab)] Action::BackTab, "shift+tab", "up a level", "shift+tab up";
    Folder [UP] Action::Previous, "↑, ↓", "move", "↑↓ move";
    Folder [DOWN] Action::Next, "↓", "", "";
    Folder [ESC, ctrl('c')] Action::Back, "esc", "back, as it was", "esc back";

    Reply [ENTER] Action::Submit, "enter", "send", "enter send";
    Reply [TAB] Action::Delivery, "tab", "when it is delivered", "tab when";
    Reply [Key::shift(KeyCode::Enter), Key::alt(KeyCode::Enter), ctrl('j')]
        Action::Edit(Edit::NewLine), "shift+enter", "new line, or alt+enter", "shift+enter new line";
    Reply [ESC] Action::KeepDraft, "esc", "back, the draft stays", "esc keep draft";
    Reply [ctrl('c')] Action::DropDraft, "ctrl+c", "back, the draft goes", "ctrl+c drop";

    Filter [ENTER] Action::Submit, "enter", "back, it stays", "enter keep";
    Filter [ESC, ctrl('c')] Action::DropDraft, "esc", "back, it goes", "esc clear";
    Filter [UP] Action::Previous, "↑, ↓", "move", "↑↓ move";
    Filter [DOWN] Action::Next, "↓", "", "";

    Rename [ENTER] Action::Submit, "enter", "save", "enter save";
    Rename [ESC, ctrl('c')] Action::DropDraft, "esc", "cancel", "esc cancel";

    Tags [ENTER] Action::Submit, "enter", "save", "enter save";
    Tags [ESC, ctrl('c')] Action::DropDraft, "esc", "cancel", "esc cancel";

    Confirm [plain('y'), plain('Y')] Action::Accept, "y", "yes; any other key: no", "y yes · any other key no";

    Help [UP, PAGE_UP] Action::Scroll(Scroll::PageUp), "↑, pgup", "", "";
    Help [DOWN, PAGE_DOWN] Action::Scroll(Scroll::PageDown), "↓, pgdn", "", "";

    Denied [ENTER] Action::AskPermission, "enter", "ask for the permissions again", "enter ask again";
};

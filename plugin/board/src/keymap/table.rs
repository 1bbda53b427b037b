//! The table: room, keys, action, the keys as people read them, what help says, what the hint line says.

use super::{Action, Binding, Edit, Room, Scroll};
use crate::input::{Key, KeyCode};
use board_text::hotkey;

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
    ($($room:ident [$($key:expr),*] $action:expr, $shown:expr, $help:expr, $hint:expr;)*) => {
        &[$(Binding {
            room: Room::$room,
            keys: &[$($key),*],
            action: $action,
            shown: || $shown,
            help: || $help,
            hint: || $hint,
        }),*]
    };
}

/// The table.
pub const BINDINGS: &[Binding] = bindings! {
    List [plain('i')] Action::Insert, "i", hotkey::insert(), hotkey::hint_insert();
    List [plain('n')] Action::Launch, "n", hotkey::launch(), hotkey::hint_launch();
    List [plain('N'), ctrl('n')] Action::InsertGreeting, "N, ctrl+n", hotkey::greeting(), "";
    List [ENTER] Action::Enter, "enter", hotkey::enter(), "";
    List [RIGHT, plain('>')] Action::Attach, "→, >", hotkey::attach(), hotkey::hint_attach();
    List [plain(' ')] Action::Peek, "space", hotkey::peek(), hotkey::hint_peek();
    List [UP, plain('k')] Action::Previous, "↑↓, k j", hotkey::moves(), "";
    List [DOWN, plain('j')] Action::Next, "↓, j", "", "";
    List [PAGE_UP] Action::PageUp, "pgup, pgdn", hotkey::ten_rows(), "";
    List [PAGE_DOWN] Action::PageDown, "pgdn", "", "";
    List [HOME] Action::First, "home, end", hotkey::first_last(), "";
    List [END] Action::Last, "end", "", "";
    List [plain('g')] Action::NextNeedsMe, "g, G", hotkey::next_needs_me(), hotkey::hint_next_needs_me();
    List [plain('G')] Action::PreviousNeedsMe, "G", "", "";
    List [plain('d')] Action::Done, "d", hotkey::done(), hotkey::hint_done();
    List [plain('h')] Action::Holding, "h", hotkey::holding(), hotkey::hint_holding();
    List [plain('s'), ctrl('s')] Action::InterruptOrStop, "s, ctrl+s", hotkey::stop(), hotkey::hint_stop();
    List [plain('x')] Action::Delete, "x", hotkey::delete(), hotkey::hint_delete();
    List [ctrl('x')] Action::DeleteAtTwice, hotkey::twice_keys(), hotkey::delete_at_once(), hotkey::hint_delete_at_twice();
    List [plain('X')] Action::DeleteState, "X", hotkey::delete_state(), hotkey::hint_delete_state();
    List [plain('m')] Action::Select, "m", hotkey::select(), hotkey::hint_select();
    List [plain('/')] Action::Filter, "/", hotkey::filter(), hotkey::hint_filter();
    List [plain('u')] Action::Unread, "u", hotkey::unread(), "";
    List [plain('p'), ctrl('t')] Action::Pin, "p, ctrl+t", hotkey::pin(), hotkey::hint_pin();
    List [plain('R'), ctrl('r')] Action::Rename, "R, ctrl+r", hotkey::rename(), hotkey::hint_rename();
    List [plain('t')] Action::Tags, "t", hotkey::tags(), "";
    List [plain('w')] Action::SkipWaits, "w", hotkey::skip_waits(), hotkey::hint_skip_waits();
    List [plain('z')] Action::Fold, "z", hotkey::fold(), "";
    List [plain('l')] Action::Screen, "l", hotkey::screen(), hotkey::hint_screen();
    List [plain('v')] Action::Transcript, "v", hotkey::transcript(), hotkey::hint_transcript();
    List [plain('e')] Action::Explain, "e", hotkey::explain(), hotkey::hint_explain();
    List [plain('!')] Action::Runner, "!", hotkey::runner(), hotkey::hint_runner();
    List [ESC, ctrl('c')] Action::Clear, "esc", hotkey::clear(), "";
    List [plain('?')] Action::Help, "?", hotkey::help(), hotkey::hint_help();

    Select [UP, plain('k')] Action::Previous, "↑↓, k j", hotkey::moves(), "";
    Select [DOWN, plain('j')] Action::Next, "↓, j", "", "";
    Select [PAGE_UP] Action::PageUp, "pgup", "", "";
    Select [PAGE_DOWN] Action::PageDown, "pgdn", "", "";
    Select [HOME] Action::First, "home", "", "";
    Select [END] Action::Last, "end", "", "";
    Select [plain(' ')] Action::Mark, "space", hotkey::mark(), hotkey::hint_mark();
    Select [plain('m'), ESC, ctrl('c')] Action::LeaveSelect, "m, esc", hotkey::leave(), hotkey::hint_leave();
    Select [plain('a')] Action::MarkAll, "a", hotkey::mark_all(), hotkey::hint_mark_all();
    Select [plain('u')] Action::UnmarkAll, "u", hotkey::unmark_all(), hotkey::hint_unmark_all();
    Select [plain('d')] Action::DoneMarked, "d", hotkey::done(), hotkey::hint_done();
    Select [ctrl('x')] Action::DeleteMarked, "ctrl+x", hotkey::delete_marked(), hotkey::hint_delete_marked();
    Select [plain('!')] Action::Runner, "!", "", "";
    Select [plain('?')] Action::Help, "?", "", hotkey::hint_help();

    Peek [UP, plain('k')] Action::Previous, "↑↓, k j", hotkey::previous_next(), hotkey::hint_previous_next();
    Peek [DOWN, plain('j')] Action::Next, "↓, j", "", "";
    Peek [RIGHT, plain('>'), plain('a')] Action::Attach, "→, >, a", hotkey::attach(), hotkey::hint_attach_either();
    Peek [ENTER, plain('r')] Action::Reply, "enter, r", hotkey::reply(), hotkey::hint_reply();
    Peek [ESC, ctrl('c'), LEFT, plain(' ')] Action::Back, "esc", hotkey::back(), hotkey::hint_back();
    Peek [plain('1'), plain('2'), plain('3'), plain('4'), plain('5'), plain('6'), plain('7'), plain('8'), plain('9')]
        Action::Choose, "1-9", "", "";
    Peek [plain('d')] Action::Done, "d", hotkey::done(), hotkey::hint_done();
    Peek [plain('h')] Action::Holding, "h", hotkey::holding(), "";
    Peek [plain('v')] Action::Transcript, "v", hotkey::transcript(), hotkey::hint_transcript();
    Peek [plain('e')] Action::Explain, "e", hotkey::explain(), hotkey::hint_explain();
    Peek [plain('l')] Action::Screen, "l", hotkey::screen(), hotkey::hint_screen();
    Peek [plain('w')] Action::SkipWaits, "w", hotkey::skip_waits(), hotkey::hint_skip_waits();
    Peek [plain('q')] Action::Queue, "q", hotkey::queue(), "";
    Peek [PAGE_UP] Action::Scroll(Scroll::PageUp), "pgup, pgdn", hotkey::scroll(), "";
    Peek [PAGE_DOWN] Action::Scroll(Scroll::PageDown), "pgdn", "", "";
    Peek [plain('!')] Action::Runner, "!", "", "";
    Peek [plain('?')] Action::Help, "?", "", hotkey::hint_help();

    Queue [UP, plain('k')] Action::Previous, "↑↓, k j", hotkey::moves(), hotkey::hint_move();
    Queue [ESC, ctrl('c'), LEFT] Action::Back, "esc", hotkey::back(), hotkey::hint_back();
    Queue [DOWN, plain('j')] Action::Next, "↓, j", "", "";
    Queue [ENTER, plain('e')] Action::EditQueued, "enter, e", hotkey::edit_queued(), hotkey::hint_edit_queued();
    Queue [plain('x')] Action::RemoveQueued, "x", hotkey::remove_queued(), hotkey::hint_remove_queued();
    Queue [plain('s')] Action::SendQueued, "s", hotkey::send_queued(), hotkey::hint_send_queued();
    Queue [plain('K')] Action::RaiseQueued, "K, J", hotkey::order_queued(), hotkey::hint_order_queued();
    Queue [plain('J')] Action::LowerQueued, "J", "", "";
    Queue [plain('X')] Action::ClearQueue, "X", hotkey::clear_queue(), hotkey::hint_clear_queue();
    Queue [plain('?')] Action::Help, "?", "", hotkey::hint_help();

    Screen [UP, plain('k')] Action::Scroll(Scroll::Up), "↑↓, k j", hotkey::scroll(), hotkey::hint_scroll();
    Screen [ESC, ctrl('c'), LEFT, plain('<'), plain('l')] Action::Back, "esc, ←, <", hotkey::back(), hotkey::hint_back_either();
    Screen [DOWN, plain('j')] Action::Scroll(Scroll::Down), "↓, j", "", "";
    Screen [PAGE_UP] Action::Scroll(Scroll::PageUp), "pgup, pgdn", hotkey::page(), hotkey::hint_page();
    Screen [PAGE_DOWN] Action::Scroll(Scroll::PageDown), "pgdn", "", "";
    Screen [HOME] Action::Scroll(Scroll::Top), "home, end", hotkey::start_end(), "";
    Screen [END] Action::Scroll(Scroll::End), "end", "", "";
    Screen [ENTER, RIGHT, plain('>'), plain('a')] Action::Attach, "enter, →, a", hotkey::attach(), hotkey::hint_enter_attach();
    Screen [plain('r')] Action::Reply, "r", hotkey::reply(), hotkey::hint_reply();
    Screen [plain(' ')] Action::Peek, "space", hotkey::look_closer(), hotkey::hint_peek();
    Screen [plain('v')] Action::Transcript, "v", hotkey::transcript(), hotkey::hint_transcript();
    Screen [plain('e')] Action::Explain, "e", hotkey::explain(), hotkey::hint_explain();
    Screen [plain('d')] Action::Done, "d", hotkey::done(), hotkey::hint_done();
    Screen [plain('h')] Action::Holding, "h", hotkey::holding(), "";
    Screen [plain('!')] Action::Runner, "!", "", "";
    Screen [plain('?')] Action::Help, "?", "", hotkey::hint_help();

    Transcript [ESC, ctrl('c'), LEFT, plain('<'), plain('v')] Action::Back, "esc, ←, <", hotkey::back(), hotkey::hint_back_either();
    Transcript [UP, plain('k')] Action::Scroll(Scroll::Up), "↑↓, k j", hotkey::scroll(), hotkey::hint_scroll();
    Transcript [DOWN, plain('j')] Action::Scroll(Scroll::Down), "↓, j", "", "";
    Transcript [PAGE_UP] Action::Scroll(Scroll::PageUp), "pgup, pgdn", hotkey::page(), hotkey::hint_page();
    Transcript [PAGE_DOWN] Action::Scroll(Scroll::PageDown), "pgdn", "", "";
    Transcript [HOME] Action::Scroll(Scroll::Top), "home, end", hotkey::first_newest(), "";
    Transcript [END] Action::Scroll(Scroll::End), "end", "", "";
    Transcript [ENTER, RIGHT, plain('>'), plain('a')] Action::Attach, "enter, →, a", hotkey::attach(), hotkey::hint_enter_attach();
    Transcript [plain('d')] Action::Done, "d", hotkey::done(), hotkey::hint_done();
    Transcript [plain('r')] Action::Reply, "r", hotkey::reply(), hotkey::hint_reply();
    Transcript [plain(' ')] Action::Peek, "space", hotkey::look_closer(), hotkey::hint_peek();
    Transcript [plain('h')] Action::Holding, "h", hotkey::holding(), "";
    Transcript [plain('e')] Action::Explain, "e", hotkey::explain(), "";
    Transcript [plain('l')] Action::Screen, "l", hotkey::screen(), "";
    Transcript [plain('!')] Action::Runner, "!", "", "";
    Transcript [plain('?')] Action::Help, "?", "", hotkey::hint_help();

    Explain [UP, plain('k')] Action::Scroll(Scroll::Up), "↑↓, k j", hotkey::scroll(), hotkey::hint_scroll();
    Explain [ESC, ctrl('c'), LEFT, plain('<'), plain('e')] Action::Back, "esc, ←, <", hotkey::back(), hotkey::hint_back_either();
    Explain [DOWN, plain('j')] Action::Scroll(Scroll::Down), "↓, j", "", "";
    Explain [PAGE_UP] Action::Scroll(Scroll::PageUp), "pgup, pgdn", hotkey::page(), hotkey::hint_page();
    Explain [PAGE_DOWN] Action::Scroll(Scroll::PageDown), "pgdn", "", "";
    Explain [HOME] Action::Scroll(Scroll::Top), "home, end", hotkey::start_end(), "";
    Explain [END] Action::Scroll(Scroll::End), "end", "", "";
    Explain [ENTER, RIGHT, plain('>'), plain('a')] Action::Attach, "enter, →, a", hotkey::attach(), hotkey::hint_enter_attach();
    Explain [plain('r')] Action::Reply, "r", hotkey::reply(), hotkey::hint_reply();
    Explain [plain(' ')] Action::Peek, "space", hotkey::look_closer(), hotkey::hint_peek();
    Explain [plain('v')] Action::Transcript, "v", hotkey::transcript(), hotkey::hint_transcript();
    Explain [plain('x')] Action::ClearLog, "x", hotkey::clear_log(), hotkey::hint_clear_log();
    Explain [plain('l')] Action::Screen, "l", hotkey::screen(), hotkey::hint_screen();
    Explain [plain('!')] Action::Runner, "!", "", "";
    Explain [plain('?')] Action::Help, "?", "", hotkey::hint_help();

    Insert [ENTER] Action::Submit, "enter", hotkey::submit_start(), hotkey::hint_start();
    Insert [Key::shift(KeyCode::Enter), Key::alt(KeyCode::Enter), ctrl('j')]
        Action::Edit(Edit::NewLine), "shift+enter", hotkey::new_line(), hotkey::hint_new_line();
    Insert [ESC] Action::KeepDraft, "esc", hotkey::keep_draft(), hotkey::hint_keep_draft();
    Insert [ctrl('c')] Action::DropDraft, "ctrl+c", hotkey::drop_draft(), hotkey::hint_drop_draft();
    Insert [UP] Action::Edit(Edit::Up), "↑, ↓", hotkey::line_or_sent(), "";
    Insert [DOWN] Action::Edit(Edit::Down), "↓", "", "";
    Insert [LEFT] Action::Edit(Edit::Left), "←, →", hotkey::character(), "";
    Insert [RIGHT] Action::Edit(Edit::Right), "→", "", "";
    Insert [Key::ctrl(KeyCode::Left), Key::alt(KeyCode::Left), Key::alt(KeyCode::Char('b'))]
        Action::Edit(Edit::WordLeft), "ctrl/alt+←, →", hotkey::word(), "";
    Insert [Key::ctrl(KeyCode::Right), Key::alt(KeyCode::Right), Key::alt(KeyCode::Char('f'))]
        Action::Edit(Edit::WordRight), "ctrl+→", "", "";
    Insert [HOME, ctrl('a')] Action::Edit(Edit::Home), "home, end", hotkey::line_ends(), "";
    Insert [END, ctrl('e')] Action::Edit(Edit::End), "end", "", "";
    Insert [Key::plain(KeyCode::Backspace)] Action::Edit(Edit::Backspace), "backspace", hotkey::delete_left(), "";
    Insert [Key::plain(KeyCode::Delete), ctrl('d')] Action::Edit(Edit::Delete), "del", hotkey::delete_right(), "";
    Insert [ctrl('w'), Key::alt(KeyCode::Backspace), Key::ctrl(KeyCode::Backspace)]
        Action::Edit(Edit::DeleteWord), "ctrl+w", hotkey::delete_word(), "";
    Insert [ctrl('u')] Action::Edit(Edit::DeleteToStart), "ctrl+u", hotkey::delete_to_start(), "";
    Insert [ctrl('k')] Action::Edit(Edit::DeleteToEnd), "ctrl+k", hotkey::delete_to_end(), "";

    Insert [TAB] Action::LaunchWithText, "tab", hotkey::launch_with_text(), hotkey::hint_launch_with_text();

    Launch [ENTER] Action::Submit, "enter", hotkey::submit_launch(), hotkey::hint_start();
    Launch [TAB] Action::Tab, "tab", hotkey::next_field(), hotkey::hint_next_field();
    Launch [Key::shift(KeyCode::Tab)] Action::BackTab, "shift+tab", hotkey::back_field(), "";
    Launch [UP] Action::Above, "↑, ↓", hotkey::line_field(), hotkey::hint_fields();
    Launch [DOWN] Action::Below, "↓", "", "";
    Launch [LEFT] Action::Leftward, "←, →", hotkey::choose_character(), hotkey::hint_choices();
    Launch [RIGHT] Action::Rightward, "→", "", "";
    Launch [plain(' ')] Action::Space, "space", hotkey::choose_blank(), "";
    Launch [Key::shift(KeyCode::Enter), Key::alt(KeyCode::Enter), ctrl('j')]
        Action::Edit(Edit::NewLine), "shift+enter", hotkey::new_line(), hotkey::hint_new_line();
    Launch [ctrl('c')] Action::DropDraft, "ctrl+c", hotkey::drop_draft(), hotkey::hint_drop_draft();
    Launch [ESC] Action::KeepDraft, "esc", hotkey::keep_draft(), hotkey::hint_keep_draft();

    Folder [ENTER] Action::Submit, "enter", hotkey::choose(), hotkey::hint_choose();
    Folder [TAB] Action::Tab, "tab", hotkey::complete(), hotkey::hint_complete();
    Folder [Key::shift(KeyCode::Tab)] Action::BackTab, "shift+tab", hotkey::up_a_level(), hotkey::hint_up_a_level();
    Folder [UP] Action::Previous, "↑, ↓", hotkey::moves(), hotkey::hint_move();
    Folder [DOWN] Action::Next, "↓", "", "";
    Folder [ESC, ctrl('c')] Action::Back, "esc", hotkey::back_unchanged(), hotkey::hint_back();

    Reply [ENTER] Action::Submit, "enter", hotkey::send(), hotkey::hint_send();
    Reply [TAB] Action::Delivery, "tab", hotkey::delivery(), hotkey::hint_delivery();
    Reply [Key::shift(KeyCode::Enter), Key::alt(KeyCode::Enter), ctrl('j')]
        Action::Edit(Edit::NewLine), "shift+enter", hotkey::new_line(), hotkey::hint_new_line();
    Reply [ESC] Action::KeepDraft, "esc", hotkey::keep_draft(), hotkey::hint_keep_draft();
    Reply [ctrl('c')] Action::DropDraft, "ctrl+c", hotkey::drop_draft(), hotkey::hint_drop_draft();

    Filter [ENTER] Action::Submit, "enter", hotkey::keep_filter(), hotkey::hint_keep_filter();
    Filter [ESC, ctrl('c')] Action::DropDraft, "esc", hotkey::drop_filter(), hotkey::hint_drop_filter();
    Filter [UP] Action::Previous, "↑, ↓", hotkey::moves(), hotkey::hint_move();
    Filter [DOWN] Action::Next, "↓", "", "";

    Rename [ENTER] Action::Submit, "enter", hotkey::save(), hotkey::hint_save();
    Rename [ESC, ctrl('c')] Action::DropDraft, "esc", hotkey::cancel(), hotkey::hint_cancel();

    Tags [ENTER] Action::Submit, "enter", hotkey::save(), hotkey::hint_save();
    Tags [ESC, ctrl('c')] Action::DropDraft, "esc", hotkey::cancel(), hotkey::hint_cancel();

    Confirm [plain('y'), plain('Y')] Action::Accept, "y", hotkey::accept(), hotkey::hint_accept();

    Help [UP, PAGE_UP] Action::Scroll(Scroll::PageUp), "↑, pgup", "", "";
    Help [DOWN, PAGE_DOWN] Action::Scroll(Scroll::PageDown), "↓, pgdn", "", "";

    Denied [ENTER] Action::AskPermission, "enter", hotkey::ask_permission(), hotkey::hint_ask_permission();
};

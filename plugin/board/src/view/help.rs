//! The help page, made from the table that handles the keys. Any key leaves it.

use super::MARGIN;
use crate::{
    cells::width,
    frame::{Line, Style},
    input::{Key, KeyCode},
    keymap::{self, Room},
    machine::{Board, anywhere},
    region::Target,
};
use board_protocol::state::{ColourRole, GlyphSet, SemanticState};
use board_text::view as texts;

/// Narrowest column: keys and what they mean.
const LEAST_COLUMNS: usize = 38;
/// Room for the keys of one entry.
const KEY_COLUMNS: usize = 14;

#[derive(Clone)]
enum Entry {
    Blank,
    Title(&'static str),
    Key(&'static str, &'static str),
    Text(String),
    /// The signs of a state, read and unread, and its label.
    Sign(Style, &'static str, &'static str, &'static str),
}

/// The page: what holds where the person comes from stands first.
pub(super) fn lines(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let page = board.page;
    let title = texts::help_title();
    let mut lines = vec![
        Line::new(columns).pad_to(MARGIN).put(Style::of(ColourRole::Accent).bold(), title),
        Line::new(columns),
    ];
    let room = rows.saturating_sub(lines.len() + 1);
    let blocks = blocks(board);
    let count = columns_for(columns, blocks.iter().map(Vec::len).sum(), room);
    let wide = columns / count;
    let filled = fill(blocks, count, room);
    let height = filled.iter().map(Vec::len).max().unwrap_or(0);
    let end = height.saturating_sub(room);
    board.scrollable.set((room.max(1), end));
    let top = board.views.scroll.min(end);
    for index in top..height.min(top + room) {
        let mut line = Line::new(columns);
        for (column, entries) in filled.iter().enumerate() {
            line = put(line.pad_to(column * wide), entries.get(index), wide);
        }
        lines.push(line);
    }
    let bottom = rows.saturating_sub(1);
    lines.truncate(bottom);
    lines.resize_with(bottom, || Line::new(columns));
    let more = match (top > 0, top < end) {
        (_, true) => texts::more_below(),
        (true, false) => texts::more_above(),
        (false, false) => "",
    };
    let foot = texts::any_key(page.title());
    let foot_line = Line::new(columns).pad_to(MARGIN).put(Style::PLAIN, more);
    let start = foot_line.used();
    let key = |code| Target::Key(Key::plain(code));
    let way = if top < end { KeyCode::PageDown } else { KeyCode::PageUp };
    let foot_line = foot_line.linked_from(MARGIN, key(way)).put(Style::FAINT, &foot);
    lines.push(foot_line.linked_from(start, key(KeyCode::Esc)));
    lines
}

/// Keys that belong to an entered session, not to the board: they are in no table here.
fn locked() -> [(&'static str, &'static str); 3] {
    [
        ("ctrl+\\", texts::leave_session()),
        ("ctrl+←", texts::the_same()),
        ("ctrl+alt+g", texts::keys_of_zellij()),
    ]
}

/// What the mouse does.
fn mouse() -> [(&'static str, &'static str); 3] {
    [
        (texts::mouse_click(), texts::mouse_click_does()),
        (texts::mouse_wheel(), texts::mouse_wheel_does()),
        (texts::mouse_hint(), texts::mouse_hint_does()),
    ]
}

/// As many columns as are needed, if there is room for them.
fn columns_for(columns: usize, entries: usize, rows: usize) -> usize {
    let most = (columns / LEAST_COLUMNS).max(1);
    entries.div_ceil(rows.max(1)).clamp(1, most)
}

/// Blocks one below the other, in a new column where the last one is full.
fn fill(blocks: Vec<Vec<Entry>>, count: usize, rows: usize) -> Vec<Vec<Entry>> {
    let mut filled: Vec<Vec<Entry>> = vec![Vec::new()];
    for block in blocks {
        let more_columns = filled.len() < count;
        let Some(column) = filled.last_mut() else { continue };
        if !column.is_empty() && column.len() + 1 + block.len() > rows && more_columns {
            filled.push(block);
        } else {
            if !column.is_empty() {
                column.push(Entry::Blank);
            }
            column.extend(block);
        }
    }
    filled
}

fn blocks(board: &Board) -> Vec<Vec<Entry>> {
    let (page, glyphs) = (board.page, board.glyphs);
    let rooms = std::iter::once(page).chain(Room::ALL.into_iter().filter(|room| *room != page));
    let mut blocks: Vec<Vec<Entry>> = Vec::new();
    for room in rooms {
        let keys = keymap::explanations(room).map(|(keys, meaning)| Entry::Key(keys, meaning));
        let keys: Vec<Entry> = keys.collect();
        if !keys.is_empty() {
            blocks.push(std::iter::once(Entry::Title(room.title())).chain(keys).collect());
        }
    }
    let inside = locked().into_iter().map(|(keys, meaning)| Entry::Key(keys, meaning));
    blocks.insert(1, std::iter::once(Entry::Title(texts::in_session())).chain(inside).collect());
    blocks.insert(2, from_anywhere(board));
    blocks.insert(3, legend(glyphs));
    let mouse = mouse().into_iter().map(|(what, meaning)| Entry::Key(what, meaning));
    blocks.insert(4, std::iter::once(Entry::Title(texts::mouse())).chain(mouse).collect());
    let kept: Vec<Entry> = kept(board, page).into_iter().map(Entry::Text).collect();
    if !kept.is_empty() {
        blocks.insert(1, std::iter::once(Entry::Title(texts::kept())).chain(kept).collect());
    }
    blocks
}

/// Keys that zellij brings to the board, whatever the person looks at.
fn from_anywhere(board: &Board) -> Vec<Entry> {
    let keys = anywhere::CHORDS.iter().zip(board.anywhere.bindings).map(|(chord, binding)| match binding {
        anywhere::Binding::Foreign => Entry::Text(texts::kept_key(spelled(chord.shown))),
        _ => Entry::Key(chord.shown, (chord.help)()),
    });
    std::iter::once(Entry::Title(texts::anywhere())).chain(keys).collect()
}

/// What the board would do with a chord that the running zellij takes first, and which other key does it.
fn kept(board: &Board, page: Room) -> Vec<String> {
    let chord = |key: Key| key.modifiers.ctrl || key.modifiers.alt;
    let mut lines = Vec::new();
    for binding in keymap::BINDINGS.iter().filter(|binding| binding.room == page) {
        for key in binding.keys.iter().filter(|key| chord(**key) && board.anywhere.keeps(**key)) {
            let other = binding.keys.iter().find(|key| !board.anywhere.keeps(**key));
            let chord = spelled(&key.spelled());
            lines.push(match other {
                Some(other) => texts::kept_key_instead(chord, other.spelled()),
                None => texts::kept_key(chord),
            });
        }
    }
    lines
}

/// A chord in the middle of a sentence.
fn spelled(chord: &str) -> String {
    let word = |word: &str| match word {
        "ctrl" => "Ctrl".to_owned(),
        "alt" => "Alt".to_owned(),
        other => other.to_owned(),
    };
    chord.split('+').map(word).collect::<Vec<_>>().join("+")
}

/// The signs of rows: made from the table that draws them.
fn legend(glyphs: GlyphSet) -> Vec<Entry> {
    let states = SemanticState::ALL.into_iter().map(|state| {
        let facts = state.facts();
        let [read, unread] = match glyphs {
            GlyphSet::Unicode => facts.glyphs,
            GlyphSet::Ascii => facts.ascii,
        };
        Entry::Sign(Style::of(facts.role), read, unread, state.label())
    });
    let gone = SemanticState::Working.facts();
    let stopped = match glyphs {
        GlyphSet::Unicode => Some(Entry::Sign(
            Style::of(gone.role),
            gone.glyphs_not_alive[0],
            gone.glyphs_not_alive[1],
            texts::sign_no_process(),
        )),
        GlyphSet::Ascii => None,
    };
    let badges = signs().into_iter().map(|(sign, meaning)| Entry::Key(sign, meaning));
    std::iter::once(Entry::Title(texts::signs())).chain(states).chain(stopped).chain(badges).collect()
}

/// Signs beside a name.
fn signs() -> [(&'static str, &'static str); 11] {
    [
        ("★", texts::sign_pinned()),
        ("⚠14m", texts::sign_silent()),
        ("⧖", texts::sign_waits()),
        ("!2", texts::sign_errors()),
        ("q3", texts::sign_queued()),
        ("&1", texts::sign_tasks()),
        ("π", texts::sign_plan()),
        ("⌥", texts::sign_worktree()),
        ("▾2", texts::sign_terminals()),
        ("~", texts::sign_resumes()),
        ("#web", texts::sign_tag()),
    ]
}

fn put(line: Line, entry: Option<&Entry>, columns: usize) -> Line {
    let start = line.used();
    match entry {
        None | Some(Entry::Blank) => line,
        Some(Entry::Title(title)) => {
            line.pad_to(start + MARGIN).put_within(Style::BOLD, title, columns.saturating_sub(MARGIN))
        }
        Some(Entry::Text(text)) => {
            let room = columns.saturating_sub(MARGIN + 2);
            line.pad_to(start + MARGIN + 1).put_within(Style::PLAIN, text, room)
        }
        Some(Entry::Sign(style, read, unread, label)) => {
            let line = line.pad_to(start + MARGIN + 1).put(*style, read).put(Style::PLAIN, " ");
            let line = line.put(style.bold(), unread).pad_to(start + MARGIN + 1 + KEY_COLUMNS);
            let room = (start + columns).saturating_sub(line.used() + 1);
            line.put_within(Style::PLAIN, label, room)
        }
        Some(Entry::Key(keys, meaning)) => {
            let keys_end = start + MARGIN + 1 + KEY_COLUMNS.max(width(keys) + 1);
            let line = line
                .pad_to(start + MARGIN + 1)
                .put_within(Style::of(ColourRole::Accent), keys, columns.saturating_sub(MARGIN + 1))
                .pad_to(keys_end);
            let room = (start + columns).saturating_sub(line.used() + 1);
            line.put_within(Style::PLAIN, meaning, room)
        }
    }
}

//! The help page, made from the table that handles the keys. Any key leaves it.

use super::MARGIN;
use crate::{
    cells::width,
    frame::{Line, Style},
    input::{Key, KeyCode},
    keymap::{self, Room},
    machine::Board,
    region::Target,
};
use board_protocol::state::{ColourRole, GlyphSet, SemanticState};

/// Narrowest column: keys and what they mean.
const LEAST_COLUMNS: usize = 38;
/// Room for the keys of one entry.
const KEY_COLUMNS: usize = 14;

#[derive(Clone)]
enum Entry {
    Blank,
    Title(&'static str),
    Key(&'static str, &'static str),
    /// The signs of a state, read and unread, and its label.
    Sign(Style, &'static str, &'static str, &'static str),
}

/// The page: what holds where the person comes from stands first.
pub(super) fn lines(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let page = board.page;
    let title = "Hotkeys / keybindings";
    let mut lines = vec![
        Line::new(columns).pad_to(MARGIN).put(Style::of(ColourRole::Accent).bold(), title),
        Line::new(columns),
    ];
    let room = rows.saturating_sub(lines.len() + 1);
    let blocks = blocks(page, board.glyphs);
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
        (_, true) => "↓ more · ",
        (true, false) => "↑ more · ",
        (false, false) => "",
    };
    let foot = format!("press any key to return to {}", page.title());
    let foot_line = Line::new(columns).pad_to(MARGIN).put(Style::PLAIN, more);
    let start = foot_line.used();
    let key = |code| Target::Key(Key::plain(code));
    let way = if top < end { KeyCode::PageDown } else { KeyCode::PageUp };
    let foot_line = foot_line.linked_from(MARGIN, key(way)).put(Style::FAINT, &foot);
    lines.push(foot_line.linked_from(start, key(KeyCode::Esc)));
    lines
}

/// Keys that belong to an entered session, not to the board: they are in no table here.
const LOCKED: [(&str, &str); 3] =
    [("ctrl+\\", "leave, it goes on"), ("ctrl+←", "the same"), ("ctrl+alt+g", "zellij's own keys")];

/// What the mouse does.
const MOUSE: [(&str, &str); 3] =
    [("click", "select; again: enter"), ("wheel", "scroll"), ("hint, badge", "click: as its key")];

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

fn blocks(page: Room, glyphs: GlyphSet) -> Vec<Vec<Entry>> {
    let rooms = std::iter::once(page).chain(Room::ALL.into_iter().filter(|room| *room != page));
    let mut blocks: Vec<Vec<Entry>> = Vec::new();
    for room in rooms {
        let keys = keymap::explanations(room).map(|(keys, meaning)| Entry::Key(keys, meaning));
        let keys: Vec<Entry> = keys.collect();
        if !keys.is_empty() {
            blocks.push(std::iter::once(Entry::Title(room.title())).chain(keys).collect());
        }
    }
    let inside = LOCKED.iter().map(|(keys, meaning)| Entry::Key(keys, meaning));
    blocks.insert(1, std::iter::once(Entry::Title("In a session")).chain(inside).collect());
    blocks.insert(2, legend(glyphs));
    let mouse = MOUSE.iter().map(|(what, meaning)| Entry::Key(what, meaning));
    blocks.insert(3, std::iter::once(Entry::Title("Mouse")).chain(mouse).collect());
    blocks
}

/// The signs of rows: made from the table that draws them.
fn legend(glyphs: GlyphSet) -> Vec<Entry> {
    let states = SemanticState::ALL.into_iter().map(|state| {
        let facts = state.facts();
        let [read, unread] = match glyphs {
            GlyphSet::Unicode => facts.glyphs,
            GlyphSet::Ascii => facts.ascii,
        };
        Entry::Sign(Style::of(facts.role), read, unread, facts.label)
    });
    let gone = SemanticState::Working.facts();
    let stopped = match glyphs {
        GlyphSet::Unicode => Some(Entry::Sign(
            Style::of(gone.role),
            gone.glyphs_not_alive[0],
            gone.glyphs_not_alive[1],
            "Running, without a process",
        )),
        GlyphSet::Ascii => None,
    };
    let badges = SIGNS.iter().map(|(sign, meaning)| Entry::Key(sign, meaning));
    std::iter::once(Entry::Title("Signs (read, unread)")).chain(states).chain(stopped).chain(badges).collect()
}

/// Signs beside a name.
const SIGNS: [(&str, &str); 9] = [
    ("★", "pinned"),
    ("⚠14m", "silent for so long"),
    ("!2", "errors in its log"),
    ("q3", "messages that wait"),
    ("&1", "tasks in the background"),
    ("π", "a plan"),
    ("⌥", "a linked git worktree"),
    ("~", "resumes on attach"),
    ("#web", "a tag"),
];

fn put(line: Line, entry: Option<&Entry>, columns: usize) -> Line {
    let start = line.used();
    match entry {
        None | Some(Entry::Blank) => line,
        Some(Entry::Title(title)) => {
            line.pad_to(start + MARGIN).put_within(Style::BOLD, title, columns.saturating_sub(MARGIN))
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

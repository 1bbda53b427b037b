//! The help page, made from the table that handles the keys. Any key leaves it.

use super::MARGIN;
use crate::{
    cells::width,
    frame::{Line, Style},
    keymap::{self, Room},
};
use board_protocol::state::ColourRole;

/// Rooms in the order of the page, with their titles.
const ROOMS: [(Room, &str); 3] =
    [(Room::List, "NORMAL"), (Room::Insert, "INSERT"), (Room::Confirm, "Questions (y/N)")];
/// From this width on the page has two columns.
const TWO_COLUMNS: usize = 76;
/// Room for the keys of one entry.
const KEY_COLUMNS: usize = 14;

#[derive(Clone)]
enum Entry {
    Blank,
    Title(&'static str),
    Key(&'static str, &'static str),
}

pub(super) fn lines(rows: usize, columns: usize) -> Vec<Line> {
    let mut lines = vec![
        Line::new(columns).pad_to(MARGIN).put(Style::of(ColourRole::Accent).bold(), "Hotkeys / keybindings"),
        Line::new(columns),
    ];
    let foot = Line::new(columns).pad_to(MARGIN).put(Style::FAINT, "press any key to return to NORMAL");
    let room = rows.saturating_sub(lines.len() + 1);
    let left = entries(&ROOMS[..1], &LOCKED);
    let right = entries(&ROOMS[1..], &[]);
    if columns >= TWO_COLUMNS {
        let half = columns / 2;
        for index in 0..left.len().max(right.len()) {
            let line = put(Line::new(columns), left.get(index), half);
            lines.push(put(line.pad_to(half), right.get(index), columns - half));
        }
    } else {
        let all = left.into_iter().chain([Entry::Blank]).chain(right);
        lines.extend(all.map(|entry| put(Line::new(columns), Some(&entry), columns)));
    }
    let bottom = rows.saturating_sub(1);
    if lines.len() - 2 > room {
        let hidden = lines.len() - bottom;
        lines.truncate(bottom.saturating_sub(1));
        lines.push(Line::new(columns).put(Style::FAINT, &format!("  ↓ {hidden} more: make the pane larger")));
    }
    lines.truncate(bottom);
    lines.resize_with(bottom, || Line::new(columns));
    lines.push(foot);
    lines
}

/// Keys that belong to an entered session, not to the board: they are in no table here.
const LOCKED: [(&str, &str); 3] =
    [("ctrl+\\", "leave, it goes on"), ("ctrl+←", "the same"), ("ctrl+alt+g", "zellij's own keys")];

fn entries(rooms: &[(Room, &'static str)], more: &[(&'static str, &'static str)]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (room, title) in rooms {
        if !entries.is_empty() {
            entries.push(Entry::Blank);
        }
        entries.push(Entry::Title(title));
        entries.extend(keymap::explanations(*room).map(|(keys, meaning)| Entry::Key(keys, meaning)));
    }
    if !more.is_empty() {
        entries.push(Entry::Blank);
        entries.push(Entry::Title("In a session"));
        entries.extend(more.iter().map(|(keys, meaning)| Entry::Key(keys, meaning)));
    }
    entries
}

fn put(line: Line, entry: Option<&Entry>, columns: usize) -> Line {
    let start = line.used();
    match entry {
        None | Some(Entry::Blank) => line,
        Some(Entry::Title(title)) => {
            line.pad_to(start + MARGIN).put_within(Style::BOLD, title, columns.saturating_sub(MARGIN))
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

//! The last lines: what is typed, what happened, which keys there are. A question is always visible.

use super::{
    MARGIN, mark_line,
    text::{Caret, typed},
};
use crate::{
    cells::width,
    editor::Editor,
    frame::{Line, Style},
    input::{Key, KeyCode},
    keymap::{self, Action, Room},
    machine::{Board, Standing},
    notice::Level,
    region::Target,
};
use board_protocol::{command::ReplyDelivery, filter::unknown_word, state::ColourRole};
use board_text::view as texts;

/// From this height on the footer has all its lines.
const FULL_ROWS: usize = 14;
/// From this height on it has two.
const TWO_ROWS: usize = 8;
/// A text that is typed takes at most this part of the height.
const INPUT_PART: usize = 3;
/// And at most so many lines.
const MAX_INPUT_ROWS: usize = 12;
/// Widest name of a session before what is typed for it.
const MAX_NAME_COLUMNS: usize = 24;
/// Below this width the name is left out.
const NAME_FROM_COLUMNS: usize = 56;
/// Shows a line break in a text of one line.
const LINE_BREAK: &str = "↵";

pub(super) struct Footer {
    pub(super) lines: Vec<Line>,
    /// Column, and line inside the footer.
    pub(super) cursor: Option<(usize, usize)>,
}

pub(super) fn lines(board: &Board, rows: usize, columns: usize) -> Footer {
    let mut footer = Footer { lines: Vec::new(), cursor: None };
    let notice = notice(board, columns);
    if rows >= FULL_ROWS {
        footer.lines.push(rule(columns));
        footer.push_input(board, (rows / INPUT_PART).min(MAX_INPUT_ROWS), columns);
        footer.lines.push(notice.unwrap_or_else(|| Line::new(columns)));
        footer.lines.push(hints(board, columns));
        return footer;
    }
    // Little room: a question before all, then what is typed, then what happened.
    let first = if board.room == Room::Confirm { notice.clone() } else { None };
    match first {
        Some(question) => footer.lines.push(question),
        None if text_of(board).is_some() => footer.push_input(board, 1, columns),
        None => footer.lines.extend(notice),
    }
    if footer.lines.is_empty() || rows >= TWO_ROWS {
        footer.lines.push(hints(board, columns));
    }
    footer
}

/// The text that is being typed.
fn text_of(board: &Board) -> Option<&Editor> {
    match board.room {
        Room::Insert => Some(&board.editor),
        Room::Filter => Some(&board.filter.editor),
        Room::Reply | Room::Rename | Room::Tags => Some(&board.line),
        _ => None,
    }
}

fn rule(columns: usize) -> Line {
    Line::new(columns).pad_to(MARGIN).repeat(Style::FAINT, '─', columns.saturating_sub(2 * MARGIN))
}

fn notice(board: &Board, columns: usize) -> Option<Line> {
    if let Some(confirm) = &board.confirm {
        let question = fitted_question(confirm.shown(board.now), columns);
        let line = mark_line(Level::Warn, &question, columns);
        // Both letters of (y/N), once they are there.
        let end = line.used();
        return Some(if question.ends_with("(y/N)") && end > 4 {
            line.linked_in(end - 4..end - 3, Target::Key(YES)).linked_in(end - 2..end - 1, Target::Key(NO))
        } else {
            line
        });
    }
    if let Some(unknown) =
        (board.room == Room::Filter).then(|| unknown_word(board.filter.editor.text())).flatten()
    {
        return Some(mark_line(Level::Warn, &unknown, columns));
    }
    let notice = board.notice.as_ref()?;
    Some(mark_line(notice.level, &notice.text, columns))
}

/// A question that does not fit keeps its end: what to press must be readable.
fn fitted_question(question: &str, columns: usize) -> String {
    let room = columns.saturating_sub(MARGIN + 2);
    let end = " (y/N)";
    if width(question) <= room || !question.ends_with(end) {
        return question.to_owned();
    }
    let (start, _) = crate::cells::clip(question, room.saturating_sub(end.len()));
    format!("{start}{end}")
}

pub(super) fn hints(board: &Board, columns: usize) -> Line {
    let mut line = Line::new(columns).pad_to(MARGIN);
    let room = match board.link.standing() {
        // Nothing can be changed: only what still works is offered.
        Standing::ReadOnly(_) if board.room == Room::List => {
            return line.put(Style::FAINT, texts::hints_read_only());
        }
        _ => board.room,
    };
    // The last hint of a room is the way to all the others, or out: it is never the one that is left out.
    let mut all: Vec<&str> = keymap::hints(room).collect();
    // What can be done about a wait is worth more than anything else while there is one.
    if board.selected_row().is_some_and(|row| row.waits() > 0) {
        all.sort_by_key(|hint| !hint.starts_with("w "));
    }
    let Some((last, others)) = all.split_last() else { return line };
    let mut left = line.room().saturating_sub(MARGIN + width(last));
    let mut shown: Vec<&str> = Vec::new();
    for hint in others {
        let needed = width(hint) + SEPARATOR_COLUMNS;
        if needed > left {
            break;
        }
        left -= needed;
        shown.push(hint);
    }
    shown.push(last);
    for (index, hint) in shown.iter().enumerate() {
        if index > 0 {
            line = line.put(Style::FAINT, " · ");
        }
        line = put_hint(line, room, hint);
    }
    line
}

/// A hint, which can be clicked: the whole of it if it names one thing to do, else each of its keys.
fn put_hint(line: Line, room: Room, hint: &str) -> Line {
    let start = line.used();
    let (keys, meaning) = hint.split_once(' ').unwrap_or((hint, ""));
    let named = keymap::named_keys(keys);
    let does: Vec<_> = named.iter().map(|(_, key)| keymap::action(room, *key)).collect();
    let mut line = line.put(Style::PLAIN, keys);
    if let (Room::Confirm, Some((yes, no))) = (room, meaning.split_once(" · ")) {
        let line = line.put(Style::FAINT, &format!(" {yes}")).linked_from(start, Target::Key(YES));
        let line = line.put(Style::FAINT, " · ");
        let start = line.used();
        return line.put(Style::FAINT, no).linked_from(start, Target::Key(NO));
    }
    let several = does.windows(2).any(|pair| pair[0] != pair[1]);
    if several {
        for (place, key) in &named {
            let before = start + width(keys.get(..place.start).unwrap_or_default());
            let wide = width(keys.get(place.clone()).unwrap_or_default());
            line = line.linked_in(before..before + wide, Target::Key(*key));
        }
    }
    if !meaning.is_empty() {
        line = line.put(Style::FAINT, &format!(" {meaning}"));
    }
    match named.first() {
        Some((_, key)) if !several => line.linked_from(start, Target::Key(*key)),
        _ => line,
    }
}

const YES: Key = Key::plain(KeyCode::Char('y'));
const NO: Key = Key::plain(KeyCode::Char('n'));

/// The width of what stands between two hints.
const SEPARATOR_COLUMNS: usize = 3;

impl Footer {
    fn push_input(&mut self, board: &Board, rows: usize, columns: usize) {
        if let Some(editor) = text_of(board) {
            let typed = typed(editor, &lead(board, columns), rows, columns, Caret::Shown);
            let (x, y) = typed.cursor;
            self.cursor = Some((x, self.lines.len() + y));
            self.lines.extend(typed.lines);
            return;
        }
        let first = self.lines.len();
        self.push_page_line(board, columns);
        // Behind a question it only stands there.
        if board.room != board.page {
            let lines = self.lines.split_off(first);
            self.lines.extend(lines.into_iter().map(Line::unlinked));
        }
    }

    /// The line of the page on which nothing is typed.
    fn push_page_line(&mut self, board: &Board, columns: usize) {
        let line = Line::new(columns).pad_to(MARGIN);
        let mode = |style, text: &str| line.clone().put(style, text);
        match board.page {
            Room::List if board.editor.text().is_empty() && !board.launch.form.task.is_blank() => {
                let text = board.launch.form.task.text().replace('\n', LINE_BREAK).replace('\t', " ");
                let line = mode(Style::of(ColourRole::Success), texts::draft()).put(Style::FAINT, " › ");
                let key = " n ";
                let room = line.room().saturating_sub(key.len() + MARGIN);
                let line = line.put_within(Style::FAINT, &text, room).put_right(Style::FAINT, key);
                self.lines.push(line.linked(Target::Key(Key::plain(KeyCode::Char('n')))));
            }
            Room::List if board.editor.text().is_empty() => {
                let line = mode(Style::FAINT, &format!("› {}", board.invitation()));
                self.lines.push(line.linked(Target::Act(Action::Insert)));
            }
            Room::List => {
                let text = board.editor.text().replace('\n', LINE_BREAK).replace('\t', " ");
                let line = mode(Style::of(ColourRole::Success), texts::draft()).put(Style::FAINT, " › ");
                self.lines.push(line.put(Style::FAINT, &text).linked(Target::Act(Action::Insert)));
            }
            Room::Select => {
                let line = mode(Style::of(ColourRole::Accent).bold(), board.page.title());
                let count = board.marks.len();
                self.lines.push(line.put(Style::FAINT, &texts::selected(count)));
            }
            _ => {
                let draft = board.selection.id.as_ref().and_then(|id| board.drafts.get(id));
                if let Some(draft) = draft {
                    let text = draft.text().replace('\n', LINE_BREAK).replace('\t', " ");
                    let line = mode(Style::of(ColourRole::Success), texts::draft()).put(Style::FAINT, " › ");
                    self.lines.push(line.put(Style::FAINT, &text).linked(Target::Act(Action::Reply)));
                }
            }
        }
    }
}

/// What stands before the text: the mode, and whom the text is for.
fn lead(board: &Board, columns: usize) -> Line {
    let colour = match board.room {
        Room::Insert | Room::Reply => ColourRole::Success,
        Room::Filter => ColourRole::Warning,
        _ => ColourRole::Accent,
    };
    let mut line = Line::new(columns).pad_to(MARGIN).put(Style::of(colour).bold(), board.room.title());
    let addressee = board.addressee.as_ref();
    if let Some(addressee) =
        addressee.filter(|_| matches!(board.room, Room::Reply | Room::Rename | Room::Tags))
    {
        if columns >= NAME_FROM_COLUMNS && board.room != Room::Rename {
            line = line.put(Style::FAINT, " ").put_within(Style::FAINT, &addressee.name, MAX_NAME_COLUMNS);
        }
        if board.room == Room::Reply {
            let when = match (board.delivery, &addressee.item) {
                (_, Some(_)) => texts::in_the_queue(),
                (ReplyDelivery::Auto, None) => "",
                (ReplyDelivery::Now, None) => texts::deliver_now(),
                (ReplyDelivery::Queue, None) => texts::deliver_queued(),
            };
            line = line.put(Style::of(ColourRole::Warning), when);
        }
    }
    line.put(Style::FAINT, " › ")
}

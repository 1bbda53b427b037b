//! The fields, a line or a few each: a mark where the keys are, a label, a value.

use super::Content;
use crate::{
    cells::{clip, width},
    frame::{Line, Style},
    keymap::Room,
    machine::{Board, Field, Words},
    region::Target,
    view::text::{Caret, typed},
};
use board_protocol::state::ColourRole;
use board_text::launch as texts;

/// Cells of the mark and the label.
const LABEL_COLUMNS: usize = 12;
/// The same where there is little room.
const SHORT_LABEL_COLUMNS: usize = 8;
/// Below this width labels are short.
const SHORT_BELOW: usize = 36;

/// The mark and the label of a field.
fn label(board: &Board, field: Field, columns: usize) -> Line {
    name(board, field, columns).pad_to(value_column(columns))
}

/// The same, up to where the bracket of a choice stands: its word begins where texts begin.
fn choice_label(board: &Board, field: Field, columns: usize) -> Line {
    let end = value_column(columns);
    name(board, field, columns).pad_to(if columns < SHORT_BELOW { end } else { end - 2 })
}

/// Where values begin: as far to the left as the longest label of the language allows.
fn value_column(columns: usize) -> usize {
    let labels = [Field::Agent, Field::Folder, Field::Task, Field::Model, Field::Thinking];
    let short = columns < SHORT_BELOW;
    // A command is a task, and both have a label.
    let words = labels.into_iter().flat_map(|field| [(field, true), (field, false)]);
    let words = words.map(|(field, takes_task)| words_of(field, takes_task));
    let widest = words.map(|(long, shorter)| width(if short { shorter } else { long })).max().unwrap_or(0);
    let (least, around) = if short { (SHORT_LABEL_COLUMNS, 3) } else { (LABEL_COLUMNS, 4) };
    least.max(widest + around)
}

/// The label of a field, and a shorter one.
fn words_of(field: Field, takes_task: bool) -> (&'static str, &'static str) {
    match field {
        Field::Agent => (texts::label_agent(), texts::label_agent()),
        Field::Folder => (texts::label_folder(), texts::short_folder()),
        Field::Task if !takes_task => (texts::label_command(), texts::short_command()),
        Field::Task => (texts::label_task(), texts::label_task()),
        Field::Model => (texts::label_model(), texts::label_model()),
        Field::Thinking => (texts::label_thinking(), texts::short_thinking()),
        Field::Start | Field::StartAndEnter => ("", ""),
    }
}

fn name(board: &Board, field: Field, columns: usize) -> Line {
    let (long, short) = words_of(field, board.launch.form.takes_task());
    let text = if columns < SHORT_BELOW { short } else { long };
    let has_keys = has_keys(board, field);
    let (mark, style) =
        if has_keys { ("› ", Style::of(ColourRole::Accent).bold()) } else { ("  ", Style::FAINT) };
    Line::new(columns).put(style, mark).put(style, text)
}

fn has_keys(board: &Board, field: Field) -> bool {
    board.launch.form.field == field && matches!(board.room, Room::Launch | Room::Folder)
}

/// Choices in a row, the chosen one between ‹ ›; where they do not fit, that one alone.
fn choices(line: Line, field: Field, all: &[(&str, bool)], chosen: &str, has_keys: bool) -> Line {
    let style = if has_keys {
        Style { reversed: true, ..Style::of(ColourRole::Accent).bold() }
    } else {
        Style::of(ColourRole::Accent).bold()
    };
    let needed: usize = all.iter().map(|(name, _)| width(name) + 4).sum();
    if needed > line.room() || all.is_empty() {
        let (name, _) = clip(chosen, line.room().saturating_sub(4));
        return line.put(Style::FAINT, "‹").put(style, &format!(" {name} ")).put(Style::FAINT, "›");
    }
    all.iter().enumerate().fold(line, |line, (at, (name, usable))| {
        let start = line.used();
        let line = if *name == chosen {
            line.put(Style::FAINT, "‹").put(style, &format!(" {name} ")).put(Style::FAINT, "›")
        } else {
            let style = if *usable { Style::PLAIN } else { Style::FAINT };
            line.put(style, &format!("  {name}")).put(Style::FAINT, if *usable { "  " } else { " ×" })
        };
        line.linked_from(start, Target::Choice(field, at))
    })
}

pub(super) fn agent(board: &Board, columns: usize) -> Line {
    let form = &board.launch.form;
    let all: Vec<(&str, bool)> =
        form.agents.iter().map(|choice| (choice.name.as_str(), choice.problem.is_none())).collect();
    let line = choice_label(board, Field::Agent, columns);
    choices(line, Field::Agent, &all, &form.agent, has_keys(board, Field::Agent))
}

pub(super) fn thinking(board: &Board, columns: usize) -> Line {
    let form = &board.launch.form;
    if !form.is_open(Field::Thinking) {
        return label(board, Field::Thinking, columns).put(Style::FAINT, "—");
    }
    let line = choice_label(board, Field::Thinking, columns);
    let words: Vec<(&str, bool)> =
        form.thinking_words().into_iter().map(|word| (shown(word), true)).collect();
    choices(line, Field::Thinking, &words, shown(&form.thinking), has_keys(board, Field::Thinking))
}

fn shown(word: &str) -> &str {
    if word.is_empty() { texts::default() } else { word }
}

pub(super) fn folder(board: &Board, columns: usize) -> (Line, Option<(usize, usize)>) {
    let form = &board.launch.form;
    let lead = label(board, Field::Folder, columns);
    if has_keys(board, Field::Folder) {
        return one_line(typed(&form.folder, &lead, 1, columns, Caret::Shown), lead);
    }
    let room = lead.room();
    (lead.put(Style::PLAIN, &crate::view::list::tail(form.folder.text(), room)), None)
}

pub(super) fn model(board: &Board, columns: usize) -> Content {
    let form = &board.launch.form;
    let lead = label(board, Field::Model, columns);
    if !form.is_open(Field::Model) {
        return (vec![lead.put(Style::FAINT, "—")], None);
    }
    if has_keys(board, Field::Model) {
        let (line, cursor) = one_line(typed(&form.model, &lead, 1, columns, Caret::Shown), lead);
        return (vec![line], cursor);
    }
    let line = match form.model.text() {
        "" => lead.put(Style::FAINT, texts::default()),
        text => lead.put(Style::PLAIN, text),
    };
    (vec![line], None)
}

fn one_line(typed: crate::view::text::Typed, lead: Line) -> (Line, Option<(usize, usize)>) {
    let (x, _) = typed.cursor;
    (typed.lines.into_iter().next().unwrap_or(lead), Some((x, 0)))
}

pub(super) fn task(board: &Board, rows: usize, columns: usize) -> Content {
    let form = &board.launch.form;
    let lead = label(board, Field::Task, columns);
    let focused = has_keys(board, Field::Task);
    let (mut lines, cursor) = if focused {
        let typed = typed(&form.task, &lead, rows, columns, Caret::Shown);
        (typed.lines, Some(typed.cursor))
    } else if form.task.is_blank() {
        let nothing = if form.takes_task() { texts::no_task() } else { texts::shell_command() };
        (vec![lead.put(Style::FAINT, nothing)], None)
    } else {
        (typed(&form.task, &lead, rows, columns, Caret::Hidden).lines, None)
    };
    lines.resize_with(rows, || Line::new(columns));
    (lines, cursor)
}

/// Name and tags as they were read from the task.
pub(super) fn words(words: &Words, columns: usize) -> Line {
    let mut line = Line::new(columns).pad_to(value_column(columns));
    if let Some(name) = &words.name {
        line = line
            .put(Style::FAINT, texts::name())
            .put(Style::of(ColourRole::Success), name)
            .put(Style::PLAIN, "  ");
    }
    for tag in &words.tags {
        line = line.put(Style::of(ColourRole::Accent), &format!("#{tag} "));
    }
    line
}

pub(super) fn buttons(board: &Board, columns: usize) -> Line {
    let texts = [
        [texts::start_long(), texts::start_enter_long()],
        [texts::start(), texts::start_enter()],
        [texts::start_short(), texts::start_enter_short()],
    ];
    // Where even these do not fit, the brackets stand close.
    let close = columns < 4 + texts[2].iter().map(|text| width(text) + 4).sum::<usize>();
    let start = if columns < SHORT_BELOW { 2 } else { value_column(columns) };
    let fits =
        |pair: &[&str; 2]| pair.iter().map(|text| width(text) + 4).sum::<usize>() + 2 + start <= columns;
    let pair = texts.iter().find(|pair| fits(pair)).unwrap_or(&texts[2]);
    let button = |line: Line, field: Field, text: &str| {
        let style = if has_keys(board, field) {
            Style { reversed: true, ..Style::of(ColourRole::Success).bold() }
        } else {
            Style::PLAIN
        };
        let text = if close { text.to_owned() } else { format!(" {text} ") };
        let start = line.used();
        let line = line.put(Style::FAINT, "[").put(style, &text).put(Style::FAINT, "]");
        line.linked_from(start, Target::Button(field))
    };
    let marked = matches!(board.launch.form.field, Field::Start | Field::StartAndEnter);
    let mark = if marked { "› " } else { "  " };
    let line = Line::new(columns).put(Style::of(ColourRole::Accent).bold(), mark).pad_to(start);
    let line = button(line, Field::Start, pair[0]).put(Style::PLAIN, if close { " " } else { "  " });
    button(line, Field::StartAndEnter, pair[1])
}

//! The launch dialog: a box of fixed fields, the same at every moment for a given size; a small terminal has the fields
//! without the box. The list of folders lies over what stands below its field.

mod fields;
mod folders;

use super::{MARGIN, footer, header, mark_line, page::wrapped};
use crate::{
    cells::width,
    frame::{Line, Style},
    keymap::Room,
    machine::{Board, Field, Words},
    notice::Level,
    region::Target,
};
use board_protocol::state::ColourRole;
use board_text::launch as texts;

/// Widest box (reference F.8).
const MAX_COLUMNS: usize = 88;
/// From this width on there is a box.
const BOX_COLUMNS: usize = 44;
/// From this height on there is a box.
const BOX_ROWS: usize = 14;
/// From this height on the board's header stands above it.
const HEADER_ROWS: usize = 20;
/// Tallest content: more would only be empty.
const MAX_CONTENT_ROWS: usize = 22;
/// Most lines of a task.
const MAX_TASK_ROWS: usize = 10;
/// Most lines of the list of folders: eight favourites, the home directory, and what they are.
const MAX_LIST_ROWS: usize = 11;
/// Cells that the box takes of a line: a border and a blank on both sides.
const BORDER_COLUMNS: usize = 4;

/// How many lines each part has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plan {
    task: usize,
    /// The line with name and tags.
    words: usize,
    /// Blank lines: below the folder, below the task, above the buttons, above the message.
    gaps: [usize; 4],
    message: usize,
}

/// Lines of the fields that are always there: agent, folder, model, thinking, buttons.
const FIXED_ROWS: usize = 5;

impl Plan {
    /// What matters most gets its lines first.
    fn of(rows: usize) -> Self {
        let mut left = rows.saturating_sub(FIXED_ROWS + 1);
        let mut take = |wanted: usize| {
            let got = wanted.min(left);
            left -= got;
            got
        };
        let message = take(1);
        let words = take(1);
        let more_task = take(2);
        let buttons_gap = take(1);
        let message_gap = take(1);
        let more_message = take(1);
        let folder_gap = take(1);
        let task_gap = take(1);
        let task = (1 + more_task + take(MAX_TASK_ROWS)).min(MAX_TASK_ROWS);
        Self {
            task,
            words,
            gaps: [folder_gap, task_gap, buttons_gap, message_gap],
            message: message + more_message,
        }
    }
}

/// The whole page, and where the cursor stands.
pub(super) fn page(board: &Board, rows: usize, columns: usize) -> (Vec<Line>, Option<(usize, usize)>) {
    let boxed = columns >= BOX_COLUMNS && rows >= BOX_ROWS;
    // The header's keys are not those of a dialog in which one types.
    let mut lines: Vec<Line> = if rows >= HEADER_ROWS {
        header::lines(board, rows, columns).into_iter().map(Line::unlinked).collect()
    } else {
        Vec::new()
    };
    let wide = columns.min(MAX_COLUMNS);
    let left = (columns - wide) / 2;
    let (inner, inset) = if boxed {
        (wide.saturating_sub(BORDER_COLUMNS), left + BORDER_COLUMNS / 2)
    } else {
        (wide.saturating_sub(MARGIN), left + MARGIN)
    };
    // A title or two borders, and the hints.
    let around = if boxed { 3 } else { 2 };
    let room = rows.saturating_sub(lines.len() + around).min(MAX_CONTENT_ROWS);
    let plan = Plan::of(room);
    let (mut content, cursor) = content(board, &plan, inner, room);
    content.truncate(room);
    content.resize_with(room, || Line::new(inner));
    let title = title(board, &plan, columns, boxed.then_some((left, wide)));
    lines.push(title);
    let top = lines.len();
    for line in content {
        lines.push(if boxed {
            let start = Line::new(columns).pad_to(left).put(Style::FAINT, "│ ");
            start.append(line).pad_to(left + wide - 2).put(Style::FAINT, " │")
        } else {
            Line::new(columns).pad_to(inset).append(line)
        });
    }
    if boxed {
        let bottom = Line::new(columns).pad_to(left).put(Style::FAINT, "╰");
        lines.push(bottom.repeat(Style::FAINT, '─', wide - 2).put(Style::FAINT, "╯"));
    }
    let last = rows.saturating_sub(1);
    lines.truncate(last);
    lines.resize_with(last, || Line::new(columns));
    lines.push(footer::hints(board, columns));
    (lines, cursor.map(|(x, y)| (inset + x, top + y)))
}

/// The upper border, or the title alone. Where nothing else has room for it, what happened stands here.
fn title(board: &Board, plan: &Plan, columns: usize, border: Option<(usize, usize)>) -> Line {
    let style = Style::of(ColourRole::Accent).bold();
    let Some((left, wide)) = border else {
        return match message(board) {
            Some((level, text)) if plan.message == 0 => mark_line(level, &text, columns),
            _ => Line::new(columns).pad_to(MARGIN).put(style, texts::title()),
        };
    };
    let line = Line::new(columns)
        .pad_to(left)
        .put(Style::FAINT, "╭─ ")
        .put(style, texts::title())
        .put(Style::PLAIN, " ");
    let rule = (left + wide - 1).saturating_sub(line.used());
    line.repeat(Style::FAINT, '─', rule).put(Style::FAINT, "╮")
}

/// Lines, and the cursor in them.
type Content = (Vec<Line>, Option<(usize, usize)>);

fn content(board: &Board, plan: &Plan, columns: usize, rows: usize) -> Content {
    let mut lines = vec![fields::agent(board, columns).linked(Target::Field(Field::Agent))];
    let (folder, mut cursor) = fields::folder(board, columns);
    cursor = cursor.map(|(x, _)| (x, lines.len()));
    lines.push(folder.linked(Target::Field(Field::Folder)));
    let gap = |lines: &mut Vec<Line>, which: usize| {
        let count = plan.gaps.get(which).copied().unwrap_or(0);
        lines.extend(std::iter::repeat_n(Line::new(columns), count));
    };
    gap(&mut lines, 0);
    let mut put = |lines: &mut Vec<Line>, field: Field, (new, at): Content| {
        if let Some((x, y)) = at {
            cursor = Some((x, lines.len() + y));
        }
        lines.extend(new.into_iter().map(|line| line.linked(Target::Field(field))));
    };
    put(&mut lines, Field::Task, fields::task(board, plan.task, columns));
    if plan.words > 0 {
        lines.push(fields::words(&Words::read(board.launch.form.task.text()), columns));
    }
    gap(&mut lines, 1);
    put(&mut lines, Field::Model, fields::model(board, columns));
    lines.push(fields::thinking(board, columns).linked(Target::Field(Field::Thinking)));
    gap(&mut lines, 2);
    lines.push(fields::buttons(board, columns));
    gap(&mut lines, 3);
    lines.extend(message_lines(board, plan.message, columns));
    if board.room == Room::Folder || board.launch.form.sending.is_some() {
        lines = lines.into_iter().map(Line::unlinked).collect();
    }
    if board.room == Room::Folder {
        lines.resize_with(rows, || Line::new(columns));
        cover(&mut lines, folders::lines(board, rows.saturating_sub(2).min(MAX_LIST_ROWS), columns), columns);
    }
    (lines, cursor)
}

/// Lays the list over what stands below the folder; a blank line sets it off where something is still to be seen.
fn cover(lines: &mut [Line], list: Vec<Line>, columns: usize) {
    let below = lines.iter_mut().skip(2);
    for (line, over) in below.zip(list.into_iter().chain([Line::new(columns)])) {
        *line = over;
    }
}

/// What happened, or what the person has to know about the chosen agent.
fn message(board: &Board) -> Option<(Level, String)> {
    if board.launch.form.sending.is_some() && board.notice.is_none() {
        return Some((Level::Info, texts::starting().to_owned()));
    }
    if let Some(notice) = &board.notice {
        return Some((notice.level, notice.text.clone()));
    }
    let problem = board.launch.form.choice().and_then(|choice| choice.problem.clone());
    problem.or_else(|| board.launch.asking.problem.clone()).map(|text| (Level::Warn, text))
}

fn message_lines(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let Some((level, text)) = message(board) else {
        let quiet = if board.launch.form.task.is_blank() { texts::advice() } else { "" };
        return vec![Line::new(columns).put(Style::FAINT, if width(quiet) <= columns { quiet } else { "" })];
    };
    let room = columns.saturating_sub(3).max(1);
    let mut parts = wrapped(&text, room);
    if parts.len() > rows && rows > 0 {
        // What does not fit is cut visibly.
        let rest = parts.split_off(rows - 1).join(" ");
        parts.push(rest);
    }
    let style = super::level_style(level);
    let mut lines = Vec::new();
    for (index, part) in parts.iter().take(rows).enumerate() {
        lines.push(if index == 0 {
            mark_line(level, part, columns)
        } else {
            Line::new(columns).pad_to(3).put(style, part)
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_height_from_eight_up_has_a_line_for_every_field() {
        let mut before = 0;
        for rows in 6..60 {
            let plan = Plan::of(rows);
            let used = FIXED_ROWS + plan.task + plan.words + plan.gaps.iter().sum::<usize>() + plan.message;
            assert!(plan.task >= 1 && used <= rows, "{rows}: {plan:?}");
            assert!(used >= before, "{rows}: {plan:?}");
            before = used;
        }
        assert_eq!(Plan::of(6), Plan { task: 1, words: 0, gaps: [0; 4], message: 0 });
        assert_eq!(Plan::of(7).message, 1, "what happened comes before everything that is nice to have");
    }
}

//! What was said in a session: who, and what, wrapped once for each answer and width; only what is seen becomes cells.

use super::{MARGIN, nothing_yet};
use crate::{
    cells,
    frame::{Line, Style},
    machine::{Board, age},
    model::BoardRow,
};
use board_protocol::{
    ids::UnixMs,
    pipe::QueryKind,
    state::ColourRole,
    transcript::{TranscriptHead, TranscriptItem, TranscriptRole},
};
use board_text::session as texts;

/// Blank cells before what was said.
const INDENT: usize = 2;
/// Most lines of what a tool answered: the rest is in its file, and on `host-runner transcript`.
const OUTPUT_LINES: usize = 6;
/// Most lines of what a tool was given.
const GIVEN_LINES: usize = 4;
/// The mark of a list and its blank.
const LIST_COLUMNS: usize = 2;
/// Stands before every line of what a tool answered.
const BAR: &str = "│ ";

/// A line that was wrapped.
#[derive(Debug)]
pub(crate) struct Wrapped {
    style: Style,
    lead: Lead,
    text: String,
}

/// What stands before a line.
#[derive(Debug)]
enum Lead {
    /// The margin.
    Margin,
    /// Who speaks, and when; the text follows on the same line.
    Label(Style, String, Option<UnixMs>),
    /// The indent.
    Indent,
    /// The indent and the bar of a tool's answer.
    Bar,
}

/// Everything that was wrapped, and for which answer and width.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    answer: u64,
    columns: usize,
    lines: Vec<Wrapped>,
}

#[cfg(test)]
impl Memory {
    /// Where the lines lie: elsewhere, once they were made anew.
    pub(crate) fn lines_at(&self) -> (*const Wrapped, usize) {
        (self.lines.as_ptr(), self.columns)
    }
}

/// The line about what is shown, the lines from `top` on, and how many there are in all.
pub(super) fn lines(board: &Board, row: &BoardRow, rows: usize, columns: usize) -> Shown {
    let head = rule(board, columns);
    let fixed = |line: Line| Shown { head: head.clone(), lines: vec![Line::new(columns), line], all: 0 };
    if let Some(line) = nothing_yet(board, QueryKind::Transcript, columns) {
        return fixed(line);
    }
    let mut memory = board.wrapped.borrow_mut();
    let answer = board.answer_number(QueryKind::Transcript);
    if memory.answer != answer || memory.columns != columns {
        let Some((head, items)) = board.transcript() else {
            return fixed(Line::new(columns).pad_to(MARGIN).put(Style::FAINT, texts::answer_empty()));
        };
        *memory = Memory { answer, columns, lines: wrap(row, head, &items, columns) };
    }
    let all = memory.lines.len();
    let room = rows.saturating_sub(1);
    let top = board.views.reading.top.min(all.saturating_sub(room));
    let shown = memory.lines.iter().skip(top).take(room).map(|line| draw(board, line, columns));
    Shown { head, lines: shown.collect(), all }
}

/// What there is to be seen.
pub(super) struct Shown {
    pub(super) head: Line,
    pub(super) lines: Vec<Line>,
    /// Lines of the whole part; 0 when there is nothing to scroll.
    pub(super) all: usize,
}

fn rule(board: &Board, columns: usize) -> Line {
    let place = match board.transcript_place() {
        Some(head) if head.total > head.count => {
            let last = head.first.saturating_add(head.count);
            texts::transcript_part(head.first.saturating_add(1).min(last), last, head.total)
        }
        _ => texts::transcript().to_owned(),
    };
    let line = Line::new(columns).pad_to(MARGIN).put(Style::FAINT, "──").put(Style::FAINT, &place);
    let rest = line.room().saturating_sub(MARGIN);
    line.repeat(Style::FAINT, '─', rest)
}

fn draw(board: &Board, wrapped: &Wrapped, columns: usize) -> Line {
    let line = Line::new(columns).pad_to(MARGIN);
    match &wrapped.lead {
        Lead::Margin => line.put(wrapped.style, &wrapped.text),
        Lead::Indent => line.pad_to(MARGIN + INDENT).put(wrapped.style, &wrapped.text),
        Lead::Bar => line.pad_to(MARGIN + INDENT).put(Style::FAINT, BAR).put(wrapped.style, &wrapped.text),
        Lead::Label(style, label, at) => {
            let age = at.map(|at| format!(" {} ", age(board.now.since(at)))).unwrap_or_default();
            let room = columns.saturating_sub(MARGIN + cells::width(&age));
            let line = line.put_within(*style, label, room);
            let room = room.saturating_sub(line.used());
            let line = if wrapped.text.is_empty() {
                line
            } else {
                line.put_within(Style::PLAIN, "  ", room).put_within(
                    wrapped.style,
                    &wrapped.text,
                    room.saturating_sub(2),
                )
            };
            line.put_right(Style::FAINT, &age)
        }
    }
}

fn wrap(row: &BoardRow, head: &TranscriptHead, items: &[TranscriptItem], columns: usize) -> Vec<Wrapped> {
    let mut lines = Vec::new();
    let mut note = |text: String| lines.push(Wrapped { style: Style::FAINT, lead: Lead::Margin, text });
    if let Some(cwd) = head.cwd.as_ref().filter(|cwd| ***cwd != *row.cwd) {
        note(texts::transcript_cwd(cwd));
    }
    if head.first > 0 {
        note(texts::transcript_earlier(head.first));
    } else if head.incomplete {
        note(texts::transcript_incomplete().to_owned());
    }
    if items.is_empty() {
        note(texts::transcript_empty().to_owned());
    }
    let mut before = None;
    for item in items {
        // Tools that follow each other stand together.
        let together = item.role == TranscriptRole::Tool && before == Some(TranscriptRole::Tool);
        if !together {
            lines.push(Wrapped { style: Style::PLAIN, lead: Lead::Margin, text: String::new() });
        }
        said(&mut lines, item, columns);
        before = Some(item.role);
    }
    let later = head.total.saturating_sub(head.first.saturating_add(head.count));
    if later > 0 {
        let text = texts::transcript_later(later);
        lines.push(Wrapped { style: Style::PLAIN, lead: Lead::Margin, text: String::new() });
        lines.push(Wrapped { style: Style::FAINT, lead: Lead::Margin, text });
    }
    lines
}

fn said(lines: &mut Vec<Wrapped>, item: &TranscriptItem, columns: usize) {
    let room = columns.saturating_sub(2 * MARGIN + INDENT).max(1);
    let style = match item.role {
        TranscriptRole::You => Style::of(ColourRole::Accent).bold(),
        TranscriptRole::Agent => Style::of(ColourRole::Success).bold(),
        TranscriptRole::Custom => Style::of(ColourRole::Warning).bold(),
        TranscriptRole::Tool if item.failed => Style::of(ColourRole::Error),
        TranscriptRole::Note if item.label == "error" => Style::of(ColourRole::Error).bold(),
        TranscriptRole::Tool | TranscriptRole::Thinking | TranscriptRole::Note => Style::FAINT,
    };
    let words = match item.role {
        TranscriptRole::Thinking => Style::FAINT,
        TranscriptRole::Note if item.label == "error" => Style::of(ColourRole::Error),
        _ => Style::PLAIN,
    };
    if item.role != TranscriptRole::Tool {
        let lead = Lead::Label(style, item.label_said().to_owned(), item.at_ms);
        lines.push(Wrapped { style: words, lead, text: String::new() });
        let text = item.text.lines().flat_map(|line| folded(line, room));
        lines.extend(text.map(|text| Wrapped { style: words, lead: Lead::Indent, text }));
        return;
    }
    tool(lines, item, style, columns, room);
}

/// A tool: its name and what it was given on one line as far as that goes, then what it answered.
fn tool(lines: &mut Vec<Wrapped>, item: &TranscriptItem, style: Style, columns: usize, room: usize) {
    let mark = if item.failed { "✗ " } else { "" };
    let label = format!("{mark}{}", item.label_said());
    // Room for a label, an age and the blanks around them.
    let beside = columns.saturating_sub(cells::width(&label) + 2 * MARGIN + INDENT + 6);
    let one_line = !item.text.contains('\n') && cells::width(&item.text) <= beside;
    let text = if one_line { item.text.clone() } else { String::new() };
    lines.push(Wrapped { style: Style::PLAIN, lead: Lead::Label(style, label, item.at_ms), text });
    if !one_line {
        let given = item.text.lines().flat_map(|line| folded(line, room));
        bounded(lines, given, GIVEN_LINES, || Lead::Indent, Style::PLAIN);
    }
    let narrow = room.saturating_sub(cells::width(BAR)).max(1);
    // There is room for few lines: none of them is a blank one.
    let answer = item.output.iter().flat_map(|output| output.lines()).filter(|line| !line.trim().is_empty());
    let answer = answer.flat_map(|line| folded(line, narrow));
    bounded(lines, answer, OUTPUT_LINES, || Lead::Bar, Style::FAINT);
}

/// At most so many lines; the last one says how many there are beyond it.
fn bounded(
    lines: &mut Vec<Wrapped>,
    texts: impl Iterator<Item = String>,
    most: usize,
    lead: impl Fn() -> Lead,
    style: Style,
) {
    let mut texts = texts.peekable();
    for at in 1.. {
        let Some(text) = texts.next() else { return };
        if at == most && texts.peek().is_some() {
            let text = texts::output_more(texts.count() + 1);
            lines.push(Wrapped { style: Style::FAINT, lead: lead(), text });
            return;
        }
        lines.push(Wrapped { style, lead: lead(), text });
    }
}

/// A line in as many as it needs. What is indented stays so, all of it, and what follows a list's mark stands behind it.
fn folded(line: &str, columns: usize) -> Vec<String> {
    let words = line.trim_start_matches(' ');
    let indent = (line.len() - words.len()).min(columns / 2);
    let hang = if words.starts_with("- ") || words.starts_with("* ") { LIST_COLUMNS } else { 0 };
    let hang = if indent + hang < columns / 2 { hang } else { 0 };
    let (mark, rest) = words.split_at_checked(hang).unwrap_or(("", words));
    let parts = super::wrapped(rest, columns.saturating_sub(indent + hang).max(1)).into_iter().enumerate();
    parts
        .map(|(at, part)| {
            let mark = if at == 0 { mark } else { "" };
            format!("{:indent$}{mark:hang$}{part}", "")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn what_is_indented_stays_so() {
        let table: [(&str, usize, &[&str]); 7] = [
            ("- one two three", 9, &["- one two", "  three"]),
            ("  * one two", 10, &["  * one", "    two"]),
            ("    let a = 1;", 40, &["    let a = 1;"]),
            ("  one two three", 9, &["  one two", "  three"]),
            ("                    x", 8, &["    x"]),
            ("", 8, &[""]),
            ("漢字", 1, &["漢", "字"]),
        ];
        for (line, columns, lines) in table {
            assert_eq!(folded(line, columns), lines, "{line:?}");
        }
    }
}

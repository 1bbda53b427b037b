//! `terminal_read`: the screen of a terminal, or a page of everything that it printed.

use super::{Effect, Outcome, define, read_arguments};
use crate::mcp::{
    desk::{Desk, Reply},
    results::Answered,
    trouble::Trouble,
};
use board_protocol::{
    ids::Size,
    terminals::{AgentTerminal, TERMINAL_PAGE_LINES, TerminalAnswer, TerminalAsk, TextPage},
    text::plain,
};
use rmcp::{
    model::{JsonObject, Tool},
    schemars::{self, JsonSchema},
};
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "terminal_read";

/// Lines of a page when nothing else was asked for: a screen or two.
const USUAL_LINES: u32 = 100;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The terminal's id.
    id: String,
    /// The first line of the transcript to read, counted from the first one ever (0). Without it you get the last lines.
    from: Option<u64>,
    /// How many lines, at most 500; 100 without it.
    #[schemars(range(min = 1, max = 500))]
    lines: Option<u32>,
    /// Read the screen as the person sees it instead of the transcript: for programs that draw, such as editors and menus.
    #[serde(default)]
    screen: bool,
}

/// Where lines come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Source {
    /// Everything that was printed: escape sequences removed, wrapped lines joined, progress lines as last shown.
    Transcript,
    /// The screen.
    Screen,
    /// The last screen of a program that has ended.
    LastScreen,
}

/// What it answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
struct Lines {
    /// The terminal.
    id: String,
    /// Where the lines come from.
    source: Source,
    /// The lines, from the top.
    lines: Vec<String>,
    /// Transcript: the number of the first of these lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u64>,
    /// Transcript: the `from` of the next page; absent when these are the last lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
    /// Transcript: how many lines were printed in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_lines: Option<u64>,
    /// Transcript: the oldest line that is still kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    oldest_line: Option<u64>,
    /// Screen: column and row of the cursor, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<[u16; 2]>,
    /// Screen: columns and rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<[u16; 2]>,
    /// How the program ended, once it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
}

pub(super) fn tool() -> Tool {
    let description = format!(
        "Reads one of your terminals: the end of its transcript (plain text, everything that it printed), a page of it from line `from`, or with `screen: true` the screen as it stands. A page has at most {TERMINAL_PAGE_LINES} lines; `next` in the answer is where the next one begins. Of a program that has ended you get the last screen.\n\nExamples: {{\"id\": \"3f9a01c2d4\"}}; {{\"id\": \"3f9a01c2d4\", \"from\": 0, \"lines\": 500}}; {{\"id\": \"3f9a01c2d4\", \"screen\": true}}."
    );
    define::<Arguments, Lines>(NAME, "Read a terminal", description, Effect::Looks)
}

pub(super) async fn call(desk: &Desk, arguments: JsonObject) -> Outcome {
    let Arguments { id, from, lines, screen } = read_arguments(NAME, arguments)?;
    let ask = if screen {
        TerminalAsk::Screen
    } else {
        TerminalAsk::Read { from, lines: lines.unwrap_or(USUAL_LINES).clamp(1, TERMINAL_PAGE_LINES) }
    };
    match desk.ask(&id, ask).await? {
        Reply::Answer(TerminalAnswer::Text(page)) => Ok(answered(text(id, page))),
        Reply::Answer(TerminalAnswer::Screen { lines, cursor, size, .. }) => {
            Ok(answered(shown(id, lines, cursor, size)))
        }
        Reply::Answer(_) => Err(Trouble::new("the terminal's host gave another answer. Try again")),
        Reply::Ended(terminal) => {
            let last = desk.last_screen(&terminal).await?;
            Ok(answered(left(&terminal, last.as_deref())))
        }
    }
}

fn text(id: String, page: TextPage) -> Lines {
    let TextPage { from, lines, total_lines, oldest_line } = page;
    let end = from.saturating_add(lines.len() as u64);
    Lines {
        from: Some(from),
        next: (end < total_lines).then_some(end),
        total_lines: Some(total_lines),
        oldest_line: Some(oldest_line),
        ..nothing(id, Source::Transcript, lines)
    }
}

fn shown(id: String, lines: Vec<String>, cursor: [u16; 2], size: Size) -> Lines {
    Lines { cursor: Some(cursor), size: Some([size.cols, size.rows]), ..nothing(id, Source::Screen, lines) }
}

fn left(terminal: &AgentTerminal, last: Option<&str>) -> Lines {
    let lines = last.unwrap_or_default().lines().map(str::to_owned).collect();
    Lines {
        ended: Some(terminal.ended.clone().unwrap_or_else(|| "nobody knows how".to_owned())),
        ..nothing(terminal.id.as_str().to_owned(), Source::LastScreen, lines)
    }
}

fn nothing(id: String, source: Source, lines: Vec<String>) -> Lines {
    Lines {
        id,
        source,
        lines,
        from: None,
        next: None,
        total_lines: None,
        oldest_line: None,
        cursor: None,
        size: None,
        ended: None,
    }
}

/// The lines below one that says what they are.
fn answered(lines: Lines) -> Answered {
    let head = match &lines {
        Lines { from: Some(from), total_lines: Some(total), next, .. } if !lines.lines.is_empty() => {
            let last = from + lines.lines.len() as u64 - 1;
            let more = next.map_or(String::new(), |next| format!("; the next page is from {next}"));
            format!("Lines {from} to {last} of {total}{more}:")
        }
        Lines { total_lines: Some(total), .. } => format!("No lines there; {total} were printed in all."),
        Lines { ended: Some(how), .. } => format!("The program has ended ({}). Its last screen:", plain(how)),
        Lines { cursor: Some([column, row]), size: Some([cols, rows]), .. } => {
            format!("Screen of {cols}x{rows}, cursor at column {column}, row {row}:")
        }
        _ => "Screen:".to_owned(),
    };
    Answered::new(format!("{head}\n{}", lines.lines.join("\n")), &lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_where_the_next_one_begins_and_the_last_page_does_not() {
        let page = |from, count: usize, total_lines| TextPage {
            from,
            lines: (0..count).map(|line| format!("line {line}")).collect(),
            total_lines,
            oldest_line: 0,
        };
        let first = answered(text("a".into(), page(0, 500, 700)));
        assert_eq!((&first.structured["next"], &first.structured["total_lines"]), (&500.into(), &700.into()));
        assert!(
            first.text.starts_with("Lines 0 to 499 of 700; the next page is from 500:\nline 0\n"),
            "{}",
            first.text
        );
        let last = answered(text("a".into(), page(500, 200, 700)));
        assert_eq!(last.structured.get("next"), None);
        let beyond = answered(text("a".into(), page(700, 0, 700)));
        assert!(beyond.text.starts_with("No lines there; 700"), "{}", beyond.text);
    }

    #[test]
    fn a_screen_has_a_cursor_and_a_size() {
        let screen = answered(shown("a".into(), vec!["$ ls".into()], [4, 0], Size { cols: 80, rows: 24 }));
        assert_eq!(screen.structured["source"], "screen");
        assert_eq!(screen.structured["cursor"], serde_json::json!([4, 0]));
        assert_eq!(screen.text, "Screen of 80x24, cursor at column 4, row 0:\n$ ls");
    }
}

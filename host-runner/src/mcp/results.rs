//! What tools answer: structures with schemas, and the text beside them. Pure.
//!
//! Made by the files of [`super::tools`]. Every structure says in a `message` what the text says, since clients give their
//! model the one or the other.

use board_protocol::{
    ids::Size,
    state::HostState,
    terminals::{AgentTerminal, WaitEnd},
    text::plain,
};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use serde_json::Value;

/// Most characters of a needle in a message; the whole one stands in its field.
const SHOWN_OF_NEEDLE: usize = 200;

/// What a tool answers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answered {
    /// For models that read text.
    pub(super) text: String,
    /// For clients that read structures.
    pub(super) structured: Value,
}

impl Answered {
    /// Puts both together.
    pub(super) fn new(text: impl Into<String>, structure: &impl Serialize) -> Self {
        // Our structures are plain data with text keys: they always are JSON.
        let structured = serde_json::to_value(structure).unwrap_or_default();
        Self { text: text.into(), structured }
    }
}

/// Whether the program of a terminal runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// It is being started.
    Starting,
    /// It runs.
    Running,
    /// It has ended.
    Ended,
}

/// One terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Terminal {
    /// The id for every other tool.
    pub(super) id: String,
    /// Its name on the person's board.
    pub(super) title: String,
    /// What it runs.
    pub(super) command: String,
    /// The directory in which it was started.
    pub(super) cwd: String,
    /// Whether its program runs.
    pub(super) state: State,
    /// How the program ended, once it has: `exit code 0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended: Option<String>,
    /// Columns.
    pub(super) cols: u16,
    /// Rows.
    pub(super) rows: u16,
}

impl From<&AgentTerminal> for Terminal {
    fn from(terminal: &AgentTerminal) -> Self {
        let AgentTerminal { id, title, cwd, command, host_state, ended, size: Size { cols, rows }, .. } =
            terminal;
        let state = match host_state {
            HostState::Starting => State::Starting,
            HostState::Alive | HostState::Stopping => State::Running,
            HostState::None | HostState::Exited | HostState::Failed => State::Ended,
        };
        let (id, title, command, cwd) = (id.as_str().to_owned(), title.clone(), command.clone(), cwd.clone());
        Self { id, title, command, cwd, state, ended: ended.clone(), cols: *cols, rows: *rows }
    }
}

impl Terminal {
    /// It in one line.
    pub(super) fn line(&self) -> String {
        let state = match (self.state, &self.ended) {
            (State::Starting, _) => "starting".to_owned(),
            (State::Running, _) => "running".to_owned(),
            (State::Ended, Some(how)) => format!("ended: {how}"),
            (State::Ended, None) => "ended".to_owned(),
        };
        let Self { id, title, command, cwd, cols, rows, .. } = self;
        format!("{id}  {state}  {cols}x{rows}  {}  `{}` in {}", plain(title), plain(command), plain(cwd))
    }
}

/// That something was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Done {
    /// The terminal.
    pub(super) id: String,
    /// What was done.
    pub(super) message: String,
}

/// How a wait ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Waited {
    /// The needle appeared.
    Found {
        /// What was waited for.
        needle: String,
        /// The line, counted from the first one ever (0).
        line: u64,
        /// The column in characters, from 0.
        column: u32,
        /// The text that matched.
        #[serde(rename = "match")]
        matched: String,
        /// Milliseconds since the wait began.
        elapsed_ms: u64,
    },
    /// It did not appear in time. The program goes on.
    Timeout {
        /// What was waited for.
        needle: String,
        /// How long, in milliseconds.
        timeout_ms: u64,
        /// Lines of output by then.
        total_lines: u64,
    },
    /// The program ended before it appeared.
    Exited {
        /// What was waited for.
        needle: String,
        /// The code that the program returned; null if a signal ended it, or nobody knows.
        exit_code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
    },
    /// The person ended the wait. The program goes on.
    Skipped {
        /// What was waited for.
        needle: String,
    },
}

/// How a wait ended, and what there is to say about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Wait {
    /// How.
    #[serde(flatten)]
    pub(super) end: Waited,
    /// Why the needle was taken literally: it is no regular expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) literal: Option<String>,
    /// The same in words.
    pub(super) message: String,
}

impl Wait {
    /// `None`: it was taken back, and nobody hears an answer.
    pub(super) fn of(end: WaitEnd, literal: Option<String>) -> Option<Self> {
        let end = match end {
            WaitEnd::Aborted => return None,
            WaitEnd::Found { needle, line, column, matched, elapsed_ms } => {
                Waited::Found { needle, line, column, matched, elapsed_ms }
            }
            WaitEnd::Timeout { needle, timeout_ms, total_lines } => {
                Waited::Timeout { needle, timeout_ms, total_lines }
            }
            WaitEnd::Exited { needle, exit_code, signal } => Waited::Exited { needle, exit_code, signal },
            WaitEnd::Skipped { needle } => Waited::Skipped { needle },
        };
        let mut message = words(&end);
        if let Some(why) = &literal {
            message.push_str(&format!(
                " (The needle was taken literally, since it is no regular expression: {why})"
            ));
        }
        Some(Self { end, literal, message })
    }
}

fn words(end: &Waited) -> String {
    match end {
        Waited::Found { needle, line, column, matched, elapsed_ms } => format!(
            "Found \"{}\" at line {line}, column {column}, after {elapsed_ms} ms: {}",
            shown(needle),
            shown(matched)
        ),
        Waited::Timeout { needle, timeout_ms, total_lines } => format!(
            "\"{}\" did not appear within {timeout_ms} ms ({total_lines} lines of output so far). The program goes on: call terminal_read to see what it printed, or wait again.",
            shown(needle)
        ),
        Waited::Exited { needle, exit_code, signal } => {
            let how = match (exit_code, signal) {
                (Some(code), _) => format!("with exit code {code}"),
                (None, Some(signal)) => format!("by signal {signal}"),
                (None, None) => "and nobody knows how".to_owned(),
            };
            format!(
                "The program ended {how} before \"{}\" appeared; call terminal_read to see its last screen.",
                shown(needle)
            )
        }
        // The text of reference G.2, word for word.
        Waited::Skipped { needle } => format!(
            "Skipped by user while waiting for \"{}\" — the wait ended early; call terminal_read to inspect the transcript if needed.",
            shown(needle)
        ),
    }
}

/// A needle, or what it matched, as far as a sentence can carry it.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN_OF_NEEDLE) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(end: WaitEnd, literal: Option<&str>) -> (Value, String) {
        let wait = Wait::of(end, literal.map(str::to_owned)).unwrap();
        let mut value = serde_json::to_value(&wait).unwrap();
        let message = value.as_object_mut().unwrap().remove("message").unwrap();
        assert_eq!(message, wait.message.as_str());
        (value, wait.message)
    }

    // Reference G.1: the four kinds and what each carries.
    #[test]
    fn each_kind_of_end_has_its_fields_and_no_other() {
        let needle = || "ready".to_owned();
        let (found, _) = told(
            WaitEnd::Found { needle: needle(), line: 7, column: 3, matched: "ready!".into(), elapsed_ms: 12 },
            None,
        );
        let expected = json!({"kind": "found", "needle": "ready", "line": 7, "column": 3, "match": "ready!", "elapsed_ms": 12});
        assert_eq!(found, expected);
        let (timeout, text) =
            told(WaitEnd::Timeout { needle: needle(), timeout_ms: 100, total_lines: 4 }, None);
        assert_eq!(
            timeout,
            json!({"kind": "timeout", "needle": "ready", "timeout_ms": 100, "total_lines": 4})
        );
        assert!(text.contains("100 ms") && text.contains("terminal_read"), "{text}");
        let (exited, text) =
            told(WaitEnd::Exited { needle: needle(), exit_code: Some(3), signal: None }, None);
        assert_eq!(exited, json!({"kind": "exited", "needle": "ready", "exit_code": 3, "signal": null}));
        assert!(text.contains("exit code 3"), "{text}");
        assert_eq!(Wait::of(WaitEnd::Aborted, None), None);
    }

    // Reference G.2: the text by which an agent knows that a person did it.
    #[test]
    fn a_skipped_wait_says_that_the_person_did_it() {
        let (skipped, text) = told(WaitEnd::Skipped { needle: "ready".into() }, None);
        assert_eq!(skipped, json!({"kind": "skipped", "needle": "ready"}));
        assert_eq!(
            text,
            "Skipped by user while waiting for \"ready\" — the wait ended early; call terminal_read to inspect the transcript if needed."
        );
    }

    #[test]
    fn a_needle_that_was_taken_literally_is_said() {
        let (value, text) = told(WaitEnd::Skipped { needle: "a(".into() }, Some("unclosed group"));
        assert_eq!(value["literal"], "unclosed group");
        assert!(text.contains("literally"), "{text}");
    }

    #[test]
    fn a_long_needle_does_not_make_a_long_sentence_and_stays_whole_in_its_field() {
        let (value, text) = told(WaitEnd::Skipped { needle: "é".repeat(4_000) }, None);
        assert_eq!(value["needle"].as_str().unwrap().chars().count(), 4_000);
        assert!(text.chars().count() < 400, "{text}");
    }
}

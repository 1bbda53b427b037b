//! What a person's own commands are asked about a session, and how their answers are read (reference B.11, D.3). Pure.
//!
//! Three settings name such commands, none by default: `auto_state_command`, `title_command`, `summary_command`. The
//! coordinator decides when one is asked and what its answer may change; the daemon runs it. An answer is what any program
//! prints: nothing in it is trusted, and what cannot be read is an error for the log, never a state.

use super::{
    auto_state::{MAX_QUESTION_CHARACTERS, MAX_REASON_CHARACTERS},
    name::given_name,
};
use board_protocol::{
    board::{MAX_NAME_COLUMNS, MAX_SUMMARY_COLUMNS},
    ids::SessionId,
    state::{Classification, ClassificationKind, ClassifierKind, Confidence},
    text::{plain, plain_within},
};
use serde::Serialize;
use serde_json::Value;

/// Longest text that a command is given, in characters (reference B.11).
pub const MAX_TEXT_CHARACTERS: usize = 6_000;
/// Most words of a title (reference D.3).
const TITLE_WORDS: usize = 4;
/// Most words of a summary (reference D.3).
const SUMMARY_WORDS: usize = 8;

/// What a command is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Consultation {
    /// What the last words mean.
    AutoState,
    /// A name for the session.
    Title,
    /// A line about the last words.
    Summary,
    /// Nothing: it is told something.
    Notice,
}

impl Consultation {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::AutoState, Self::Title, Self::Summary, Self::Notice];

    /// The setting that names the command; also the code of what goes wrong with it.
    pub const fn setting(self) -> &'static str {
        match self {
            Self::AutoState => "auto_state_command",
            Self::Title => "title_command",
            Self::Summary => "summary_command",
            Self::Notice => "notify_command",
        }
    }
}

/// What a command reads on its standard input, as one JSON object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Request<'a> {
    /// What it is asked for.
    pub kind: Consultation,
    /// The session.
    pub session: &'a SessionId,
    /// Its name.
    pub name: &'a str,
    /// Its agent.
    pub agent: &'a str,
    /// Where it works.
    pub cwd: &'a str,
    /// The words: the first ones for a title, the last ones otherwise; at most [`MAX_TEXT_CHARACTERS`].
    pub text: &'a str,
}

/// The end of last words, or the beginning of first ones: the part that says most.
pub fn excerpt(kind: Consultation, text: &str) -> String {
    let count = text.chars().count();
    match kind {
        Consultation::Title => text.chars().take(MAX_TEXT_CHARACTERS).collect(),
        _ => text.chars().skip(count.saturating_sub(MAX_TEXT_CHARACTERS)).collect(),
    }
}

/// A classification in what a command printed: the whole of it, a fenced block, or from the first `{` to the last `}`.
///
/// # Errors
/// Why it is none.
pub fn classification(printed: &str, text_hash: &str) -> Result<Classification, &'static str> {
    let object = object(printed).ok_or("it printed no JSON object")?;
    let word = object.get("state").or_else(|| object.get("kind")).and_then(Value::as_str);
    let kind = kind_named(word.ok_or("its JSON has no text \"state\"")?).ok_or("its \"state\" is none")?;
    let text =
        |name: &str| object.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let confidence = match text("confidence").map(normal).as_deref() {
        Some("high") => Confidence::High,
        Some("low") => Confidence::Low,
        _ => Confidence::Medium,
    };
    let reason = text("reason").unwrap_or(match kind {
        ClassificationKind::NeedsInput => "Model says that input is needed",
        ClassificationKind::InProgress => "Model says that work remains",
        ClassificationKind::Done => "Model says that the work is done",
    });
    let asks = kind == ClassificationKind::NeedsInput;
    let question = text("question").filter(|_| asks);
    Ok(Classification {
        kind,
        confidence,
        by: ClassifierKind::Model,
        reason: plain_within(reason, MAX_REASON_CHARACTERS),
        question: question.map(|question| plain_within(question, MAX_QUESTION_CHARACTERS)),
        text_hash: text_hash.to_owned(),
    })
}

fn object(printed: &str) -> Option<serde_json::Map<String, Value>> {
    let read = |text: &str| match serde_json::from_str(text.trim()) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    };
    let braced = || {
        let (first, last) = (printed.find('{')?, printed.rfind('}')?);
        read(printed.get(first..=last)?)
    };
    read(printed).or_else(|| fenced(printed).and_then(read)).or_else(braced)
}

/// What stands in the first fenced block.
fn fenced(printed: &str) -> Option<&str> {
    let (_, rest) = printed.split_once("```")?;
    // Behind the fence stands the name of a language, if anything.
    let (_, body) = rest.split_once('\n')?;
    Some(body.split_once("```")?.0)
}

/// A kind by its name or a word for the same (reference B.11).
fn kind_named(word: &str) -> Option<ClassificationKind> {
    use ClassificationKind as K;
    Some(match normal(word).as_str() {
        "needsinput" | "blocked" | "question" | "awaitinginput" => K::NeedsInput,
        "inprogress" | "partial" | "todo" | "ongoing" => K::InProgress,
        "done" | "complete" | "completed" | "finished" | "resolved" | "success" => K::Done,
        _ => return None,
    })
}

fn normal(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A name for a session in what a command printed: at most four words of its first line.
///
/// # Errors
/// Why it is none.
pub fn title(printed: &str) -> Result<String, &'static str> {
    let words = words_of_line(printed, TITLE_WORDS).ok_or("it printed no words")?;
    let name = plain_within(&words, MAX_NAME_COLUMNS);
    given_name(&name).map_err(|_| "what it printed is no name")
}

/// A line about last words in what a command printed: at most eight words and eighty cells.
///
/// # Errors
/// Why it is none.
pub fn summary(printed: &str) -> Result<String, &'static str> {
    let words = words_of_line(printed, SUMMARY_WORDS).ok_or("it printed no words")?;
    Some(plain_within(&words, MAX_SUMMARY_COLUMNS))
        .filter(|words| !words.is_empty())
        .ok_or("it printed no words")
}

/// The first words of the first line that has any, without the quotes and the full stop that models like to put there.
fn words_of_line(printed: &str, most: usize) -> Option<String> {
    let line = printed.lines().map(plain).find(|line| line.chars().any(char::is_alphanumeric))?;
    let bare = line.trim().trim_matches(['"', '\'', '`', '*', '#', ' ', '“', '”']);
    let words: Vec<&str> = bare.split_whitespace().take(most).collect();
    let words = words.join(" ");
    let bare = words.trim_end_matches(['.', ',', ';', ':', '"', '`']);
    (!bare.is_empty()).then(|| bare.to_owned())
}

#[cfg(test)]
mod tests;

//! What a check found, and how it is printed.

use crate::columns::padded;
use board_protocol::text::plain;
use board_text::check;
use board_text::doctor as texts;
use serde::Serialize;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The cells of the longest word for how something stands.
const STATUS_CELLS: usize = 4;

/// How it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// As it should be.
    Ok,
    /// The board works, and something should be done.
    Warn,
    /// Something does not work.
    Fail,
    /// It could not be found out.
    Unknown,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Self::Ok => texts::status_ok(),
            Self::Warn => texts::status_warn(),
            Self::Fail => texts::status_fail(),
            Self::Unknown => "?",
        }
    }
}

/// What one check found. Texts are plain: parts of them come from other programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// The check, stable for programs.
    pub(crate) name: &'static str,
    /// How it stands.
    pub(crate) status: Status,
    /// What was found.
    pub(crate) found: String,
    /// What to do, where there is something to do.
    pub(crate) advice: Option<String>,
}

impl Finding {
    /// As it should be.
    pub(crate) fn ok(name: &'static str, found: impl AsRef<str>) -> Self {
        Self { name, status: Status::Ok, found: plain(found.as_ref()), advice: None }
    }

    /// It works, and something should be done.
    pub(crate) fn warn(name: &'static str, found: impl AsRef<str>, advice: impl AsRef<str>) -> Self {
        Self::ok(name, found).with(Status::Warn, advice)
    }

    /// It does not work.
    pub(crate) fn fail(name: &'static str, found: impl AsRef<str>, advice: impl AsRef<str>) -> Self {
        Self::ok(name, found).with(Status::Fail, advice)
    }

    /// It could not be found out.
    pub(crate) fn unknown(name: &'static str, found: impl AsRef<str>, advice: impl AsRef<str>) -> Self {
        Self::ok(name, found).with(Status::Unknown, advice)
    }

    /// An error whose text says what to do already.
    pub(crate) fn error(name: &'static str, error: impl std::fmt::Display) -> Self {
        Self { status: Status::Fail, ..Self::ok(name, error.to_string()) }
    }

    fn with(self, status: Status, advice: impl AsRef<str>) -> Self {
        Self { status, advice: Some(plain(advice.as_ref())), ..self }
    }
}

/// For people: a line a finding, what to do below it.
pub(crate) fn as_text(findings: &[Finding]) -> String {
    let called = |finding: &Finding| {
        check::named(&format!("check-{}", finding.name.replace(' ', "-"))).unwrap_or(finding.name)
    };
    let width = findings.iter().map(|finding| called(finding).width()).max().unwrap_or(0);
    let mut text = String::new();
    for finding @ Finding { status, found, advice, .. } in findings {
        let (word, name) = (status.word(), called(finding));
        // Widths are those of cells: a Chinese character takes two.
        let (word, name) = (padded(word, STATUS_CELLS), padded(name, width));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{word}  {name}  {found}");
        if let Some(advice) = advice {
            let _ = writeln!(text, "      {:<width$}  -> {advice}", "");
        }
    }
    text
}

/// A time span in its largest unit, for people.
pub(super) fn span(seconds: u64) -> String {
    match seconds {
        0..120 => texts::age_seconds(seconds),
        120..7_200 => texts::age_minutes(seconds / 60),
        7_200..172_800 => texts::age_hours(seconds / 3_600),
        _ => texts::age_days(seconds / 86_400),
    }
}

//! What a check found, and how it is printed.

use board_protocol::text::plain;
use serde::Serialize;
use std::fmt::Write;

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
    const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "FAIL",
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
    let width = findings.iter().map(|finding| finding.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Finding { name, status, found, advice } in findings {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:<4}  {name:<width$}  {found}", status.word());
        if let Some(advice) = advice {
            let _ = writeln!(text, "      {:<width$}  -> {advice}", "");
        }
    }
    text
}

/// A time span in its largest unit, for people.
pub(super) fn span(seconds: u64) -> String {
    let (number, unit) = match seconds {
        0..120 => (seconds, "second"),
        120..7_200 => (seconds / 60, "minute"),
        7_200..172_800 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    count(number, unit)
}

/// `1 file`, `2 files`.
pub(super) fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

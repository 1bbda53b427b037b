//! What is wrong with a command line that was typed, in the reader's language.
//!
//! clap says it in English, and has what it says as parts as well: kinds of errors and their context. The usual kinds are
//! said anew from these; the others, which nobody meets by typing, stay clap's.

use board_text::usage as texts;
use clap::{
    Error,
    error::{ContextKind, ContextValue, ErrorKind},
};
use std::fmt::Write;

/// The error for a reader; `None`: as clap says it. Help and versions are errors to clap, too, and no errors here.
pub(super) fn said(error: &Error) -> Option<String> {
    let part = |kind| error.get(kind).map(words);
    let argument = || part(ContextKind::InvalidArg);
    let what = match error.kind() {
        ErrorKind::UnknownArgument => texts::unknown_argument(argument()?),
        ErrorKind::InvalidSubcommand => texts::unknown_command(part(ContextKind::InvalidSubcommand)?),
        ErrorKind::MissingRequiredArgument => texts::missing(argument()?),
        ErrorKind::InvalidValue if part(ContextKind::InvalidValue).is_none_or(|value| value.is_empty()) => {
            texts::no_value(argument()?)
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            texts::bad_value(part(ContextKind::InvalidValue)?, argument()?)
        }
        ErrorKind::ArgumentConflict => match (argument()?, part(ContextKind::PriorArg)) {
            (argument, Some(other)) if other != argument => texts::conflict(argument, other),
            (argument, _) => texts::twice(argument),
        },
        _ => return None,
    };
    let mut out = texts::error(what);
    // Writing to a String cannot fail.
    if error.kind() == ErrorKind::ValueValidation
        && let Some(reason) = std::error::Error::source(error)
    {
        let _ = write!(out, ": {reason}");
    }
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue] {
        if let Some(similar) = part(kind).filter(|similar| !similar.is_empty()) {
            let _ = write!(out, "\n  {}", texts::similar(similar));
        }
    }
    if let Some(values) = part(ContextKind::ValidValue).filter(|values| !values.is_empty()) {
        let _ = write!(out, "\n  {}", texts::possible(values));
    }
    if let Some(usage) = part(ContextKind::Usage) {
        let usage = usage.trim().trim_start_matches("Usage:").trim().to_owned();
        let _ = write!(out, "\n\n{}: {usage}", texts::heading());
    }
    let _ = write!(out, "\n\n{}\n", texts::more());
    Some(out)
}

/// A part of an error as text, without colours.
fn words(value: &ContextValue) -> String {
    match value {
        ContextValue::None => String::new(),
        ContextValue::Strings(several) => several.join(", "),
        ContextValue::StyledStrs(several) => {
            several.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use board_text::{Language, speaking};
    use clap::CommandFactory;

    fn of(line: &[&str], language: Language) -> String {
        let line = std::iter::once("host-runner").chain(line.iter().copied());
        let error = Cli::command().try_get_matches_from(line).unwrap_err();
        speaking(language, || said(&error)).unwrap_or_else(|| error.to_string())
    }

    #[test]
    fn i8_what_is_wrong_with_a_line_is_said_in_the_readers_language() {
        let table: [(&[&str], &[&str]); 8] = [
            (&["show"], &["错误：缺少必需的参数：<SESSION>", "用法: host-runner show", "'--help'。"]),
            (&["bogus"], &["没有命令 'bogus'"]),
            (&["attch", "x"], &["没有命令 'attch'", "有相近的：'attach'"]),
            (&["show", "x", "--jsn"], &["没有参数 '--jsn'", "有相近的：'--json'"]),
            (&["log", "x", "--limit", "y"], &["'--limit <N>' 的值 'y' 无效: invalid digit"]),
            (&["log", "x", "--limit"], &["'--limit <N>' 需要一个值"]),
            (&["log", "x", "--limit", "3", "--clear"], &["参数 '--limit <N>' 不能与 '--clear' 一起使用"]),
            (
                &["up", "--layout", "zz"],
                &["'--layout <LAYOUT>' 的值 'zz' 无效", "[可取：agent-board, agent-board-side, dev]"],
            ),
        ];
        for (line, texts) in table {
            let text = of(line, Language::Chinese);
            for expected in texts {
                assert!(text.contains(expected), "{line:?}: {text}");
            }
            assert!(!of(line, Language::Japanese).contains("error:"), "{line:?}");
        }
    }

    #[test]
    fn help_and_versions_are_no_errors() {
        for line in [&["--help"], &["--version"]] {
            let error = Cli::command().try_get_matches_from(["host-runner", line[0]]).unwrap_err();
            assert_eq!(said(&error), None);
        }
    }
}

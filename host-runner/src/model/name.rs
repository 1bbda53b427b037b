//! Names of sessions. Pure.

use board_protocol::{
    board::MAX_NAME_COLUMNS,
    refusal::{Refusal, RefusalKind},
    text::{plain, plain_within},
};
use board_text::model as texts;
use unicode_width::UnicodeWidthStr;

/// Words that a made-up name takes from what the session runs (reference A.1).
const SLUG_WORDS: usize = 5;
/// Room for a hyphen and the number of a session: there are never more than 20,000.
const NUMBER_COLUMNS: usize = 6;
/// The name of a session whose words hold nothing to name it after.
const SLUG_FALLBACK: &str = "task";

/// A name made from what a session runs: lower case, quotes dropped, the first five words joined with hyphens.
pub fn slug(words: &str) -> String {
    let spaced: String = plain(words)
        .to_lowercase()
        .chars()
        .filter(|c| !matches!(c, '\'' | '"' | '`'))
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    let joined = spaced.split_whitespace().take(SLUG_WORDS).collect::<Vec<_>>().join("-");
    if joined.is_empty() { SLUG_FALLBACK.to_owned() } else { plain_within(&joined, MAX_NAME_COLUMNS) }
}

/// A made-up name that nobody has yet: the name itself, else with the first free number behind it.
pub fn unused(name: String, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(&name) {
        return name;
    }
    // Every taken number is a session, and there are fewer of those than numbers.
    (2_u32..)
        .map(|number| format!("{}-{number}", plain_within(&name, MAX_NAME_COLUMNS - NUMBER_COLUMNS)))
        .find(|numbered| !is_taken(numbered))
        .unwrap_or(name)
}

/// A name that a person gave.
///
/// # Errors
/// It is empty, too wide, or made of characters that no row may show.
pub fn given_name(name: &str) -> Result<String, Refusal> {
    let shown = plain(name);
    let refuse = |text: String| Err(Refusal::new(RefusalKind::BadInput, text));
    if shown.is_empty() {
        return refuse(texts::name_empty().to_owned());
    }
    if shown.width() > MAX_NAME_COLUMNS || plain_within(&shown, MAX_NAME_COLUMNS) != shown {
        return refuse(texts::name_too_wide(MAX_NAME_COLUMNS));
    }
    Ok(shown)
}

/// Most tags of one session.
pub const MAX_TAGS: usize = 16;
/// Widest tag in cells.
const MAX_TAG_COLUMNS: usize = 30;

/// A tag that a person gave, with or without its `#`: one word in lower case.
///
/// # Errors
/// It is empty, too wide, or more than one word.
pub fn given_tag(tag: &str) -> Result<String, Refusal> {
    let shown = plain(tag.trim().trim_start_matches('#')).to_lowercase();
    let refuse = |text: String| Err(Refusal::new(RefusalKind::BadInput, text));
    if shown.is_empty() || shown.contains(|c: char| c.is_whitespace() || c == '#' || c == ',') {
        return refuse(texts::no_tag(format!("{:?}", plain_within(tag, MAX_TAG_COLUMNS))));
    }
    if shown.width() > MAX_TAG_COLUMNS {
        return refuse(texts::tag_too_wide(MAX_TAG_COLUMNS));
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_from_words() {
        let table = [
            ("cargo test -p host-runner --lib", "cargo-test-p-host-runner"),
            ("Fix the \"login\" bug, it's broken!", "fix-the-login-bug-its"),
            ("/usr/bin/env", "usr-bin-env"),
            ("", "task"),
            ("!!! ???", "task"),
            ("修复 登录", "修复-登录"),
            ("\u{1b}[31mred\u{1b}[0m alert", "red-alert"),
        ];
        for (words, expected) in table {
            assert_eq!(slug(words), expected, "{words:?}");
        }
        assert!(slug(&"x".repeat(500)).width() <= MAX_NAME_COLUMNS);
    }

    #[test]
    fn a_made_up_name_that_is_taken_gets_a_number() {
        let taken = ["make".to_owned(), "make-2".to_owned(), "x".repeat(MAX_NAME_COLUMNS)];
        let is_taken = |name: &str| taken.iter().any(|other| other == name);
        for (name, expected) in [("test", "test"), ("make", "make-3"), ("make-2", "make-2-2")] {
            assert_eq!(unused(name.to_owned(), is_taken), expected);
        }
        let long = unused("x".repeat(MAX_NAME_COLUMNS), is_taken);
        assert!(long.ends_with("-2") && long.width() <= MAX_NAME_COLUMNS, "{long}");
    }

    #[test]
    fn tags_are_words() {
        for (tag, expected) in [("#Urgent", "urgent"), ("later", "later"), (" #für-später ", "für-später")]
        {
            assert_eq!(given_tag(tag).unwrap(), expected);
        }
        for bad in ["", "#", "two words", "a#b", "a,b", "\u{202e}", &"x".repeat(MAX_TAG_COLUMNS + 1)] {
            assert_eq!(given_tag(bad).unwrap_err().kind, RefusalKind::BadInput, "{bad:?}");
        }
    }

    #[test]
    fn given_names_are_kept_or_refused() {
        assert_eq!(given_name("  My  task ").unwrap(), "My task");
        for bad in ["", " ", "\u{202e}", &"x".repeat(MAX_NAME_COLUMNS + 1)] {
            assert_eq!(given_name(bad).unwrap_err().kind, RefusalKind::BadInput, "{bad:?}");
        }
    }
}

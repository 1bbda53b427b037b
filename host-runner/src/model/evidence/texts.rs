//! The texts of evidence: plain, without secrets, cut to their limits. Pure.
//!
//! Called by everything in [`super`] that makes or keeps an item.

use crate::model::redacted;
use board_protocol::text::plain;

/// How much longer than its limit the beginning of a text is that is looked at, since escape sequences are taken out
/// before it is cut. A test run in colour spends a few of them on a line.
const LOOKED_AT: usize = 4;
/// Widest indentation that is kept, in spaces.
const MAX_INDENT: usize = 40;

/// One line, white space collapsed, at most `limit` characters.
pub(super) fn line(text: &str, limit: usize) -> String {
    within(&redacted(&plain(looked_at(text, limit))), limit)
}

/// Lines as they were but for what a terminal would obey, at most `limit` characters. A carriage return begins a line
/// anew, as progress bars do.
pub(super) fn lines(text: &str, limit: usize) -> String {
    let mut kept: Vec<String> = Vec::new();
    for line in looked_at(text, limit).lines() {
        let parts = line.rsplit('\r').map(indented);
        kept.push(parts.into_iter().find(|part| !part.is_empty()).unwrap_or_default());
    }
    within(redacted(&kept.join("\n")).trim_matches('\n'), limit)
}

/// A plain line that keeps its indentation: without it a script cannot be read.
fn indented(line: &str) -> String {
    let text = plain(line);
    if text.is_empty() {
        return text;
    }
    let indent = line.chars().take_while(|c| matches!(c, ' ' | '\t')).take(MAX_INDENT).count();
    format!("{:indent$}{text}", "")
}

/// The text without what is left of it behind `limit` characters; a cut is marked.
fn within(text: &str, limit: usize) -> String {
    if text.char_indices().nth(limit).is_none() {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// An agent may send megabytes; only their beginning can matter.
fn looked_at(text: &str, limit: usize) -> &str {
    let end = text.char_indices().nth(limit.saturating_mul(LOOKED_AT)).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_lines_and_obey_nothing() {
        let table = [
            ("a\nb\n", "a\nb"),
            ("\n\n  if x:\n\treturn\n", "  if x:\n return"),
            ("10%\r100%\r\nok", "100%\nok"),
            ("\u{1b}[31mred\u{1b}[0m \u{7}x", "red x"),
            ("export API_KEY=abc\nmake", "export API_KEY=[redacted]\nmake"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(lines(text, 500), expected, "{text:?}");
        }
        assert_eq!(line("one\n  two\tthree ", 500), "one two three");
    }

    #[test]
    fn a8_a_cut_is_marked_and_counts_characters() {
        let long = "字".repeat(900);
        let cut = lines(&long, 500);
        assert_eq!((cut.chars().count(), cut.ends_with('…')), (500, true));
        assert_eq!(lines(&"x".repeat(500), 500), "x".repeat(500));
        assert_eq!(line(&"y ".repeat(10_000_000), 10), "y y y y y…");
    }

    proptest::proptest! {
        #[test]
        fn every_text_fits(text in "\\PC{0,80}", limit in 1_usize..40) {
            for kept in [line(&text, limit), lines(&text, limit)] {
                proptest::prop_assert!(kept.chars().count() <= limit, "{kept:?}");
            }
        }

        #[test]
        fn a_secret_is_not_kept(value in "[A-Z0-9]{12,30}", before in "[a-z ]{0,30}") {
            let text = format!("{before} GITHUB_TOKEN={value} gh pr list");
            proptest::prop_assert!(!lines(&text, 60).contains(&value));
            proptest::prop_assert!(!line(&text, 60).contains(&value));
        }
    }
}

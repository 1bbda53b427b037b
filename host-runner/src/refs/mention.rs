//! An issue that is only spoken about: `#12`, often enough and clearly more often than any other (reference A.12). Pure.
//!
//! Called by [`super::extract`], which also knows what was more than spoken about.

use super::rule::number;
use regex::Regex;
use std::{collections::BTreeMap, sync::LazyLock};

/// Mentions below which nothing is believed.
const ENOUGH: usize = 3;
/// How many times as often as the next one it has to be mentioned.
const CLEARLY: usize = 2;
/// How far before a mention a word is looked for that makes a change request of it, in characters (field issue 61).
const WINDOW: usize = 16;

static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"#(\d+)\b").ok());
static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"`[^`\n]*`").ok());
static CHANGE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:prs?|pulls?|mrs?|merged?)\b").ok());

/// The issue that these texts are about, with the place of the last text that mentions it.
pub(super) fn issue(texts: &[&str]) -> Option<(u64, usize)> {
    let mut counts: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for (place, text) in texts.iter().enumerate() {
        for number in mentioned(text) {
            let entry = counts.entry(number).or_default();
            *entry = (entry.0 + 1, place);
        }
    }
    let mut ranked: Vec<_> = counts.into_iter().collect();
    ranked.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    let (number, (count, place)) = *ranked.first()?;
    let next = ranked.get(1).map_or(0, |(_, (count, _))| *count);
    (count >= ENOUGH && count >= CLEARLY * next).then_some((number, place))
}

/// The numbers in one text that may be issues: not inside code, not as a part of a word, not of a change request.
fn mentioned(text: &str) -> Vec<u64> {
    let (Some(pattern), Some(code)) = (NUMBER.as_ref(), CODE.as_ref()) else { return Vec::new() };
    // What stood in code leaves a gap, so that its neighbours do not become one word.
    let text = code.replace_all(text, " ");
    let found = pattern.captures_iter(&text).filter_map(|captures| {
        let at = captures.get(0)?.start();
        let before = text.get(..at)?;
        let glued = before.chars().next_back().is_some_and(|c| c == '#' || c == '_' || c.is_alphanumeric());
        if glued || is_change(before) { None } else { number(captures.get(1)?.as_str()) }
    });
    found.collect()
}

/// Whether the words just before a number say that it is a change request.
fn is_change(before: &str) -> bool {
    let start = before.char_indices().rev().nth(WINDOW - 1).map_or(0, |(at, _)| at);
    let window = before.get(start..).unwrap_or_default();
    CHANGE.as_ref().is_some_and(|pattern| pattern.is_match(window))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i6_61_a1_three_mentions_and_twice_the_next_one_are_needed() {
        assert_eq!(issue(&["#12, #12", "and #12"]), Some((12, 1)));
        assert_eq!(issue(&["#12 #12"]), None);
        assert_eq!(issue(&["#12 #12 #12 #13 #13"]), None);
        assert_eq!(issue(&["#12 #12 #12 #12 #13 #13"]), Some((12, 0)));
        assert_eq!(issue(&[]), None);
    }

    #[test]
    fn i6_61_a2_what_is_glued_to_a_word_or_another_sign_is_no_mention() {
        assert_eq!(mentioned("##12 a#12 _#12 #12x o/r#12"), [0; 0]);
        assert_eq!(mentioned("(#12) #13, see:#14"), [12, 13, 14]);
    }

    #[test]
    fn i6_61_a3_what_stands_in_code_is_no_mention() {
        assert_eq!(mentioned("`#12` and `a #13` but #14"), [14]);
        assert_eq!(mentioned("an open ` and #15"), [15]);
    }

    #[test]
    fn i6_61_a4_a_change_request_is_no_issue() {
        assert_eq!(mentioned("PR #12, pull request #13, MR #14, merged #15, Merge of #16"), [0; 0]);
        assert_eq!(mentioned("prepare #12; compress #13"), [12, 13]);
        assert_eq!(mentioned("the pull took a long while, but #12"), [12], "too far before it");
    }
}

//! A rule: what a command, or an address in a text, says about an issue or a change request.
//!
//! Built by [`super::provider`] and [`super::custom`], asked by [`super::extract`]. Pure.

use board_protocol::board::ReferenceKind;
use board_text::refs as texts;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

/// Most bytes that a compiled rule may take: a person's own rules are compiled too.
const MAX_COMPILED: usize = 256 * 1024;
/// Largest number that counts. Longer ones are dates, hashes and phone numbers.
const MAX_NUMBER: u64 = 99_999_999;

/// How a reference was met, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// It was spoken about.
    Mention,
    /// It was looked at.
    View,
    /// Something was done with it.
    Action,
    /// The agent took it on.
    Claim,
}

impl Strength {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mention => "mention",
            Self::View => "view",
            Self::Action => "action",
            Self::Claim => "claim",
        }
    }
}

/// Where a rule's number stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NumberFrom {
    /// In the first group of its pattern.
    #[default]
    Capture,
    /// In an address that the command prints: it makes something new.
    OutputUrl,
}

/// One rule.
#[derive(Debug, Clone)]
pub struct Rule {
    pattern: Regex,
    /// What it finds.
    pub kind: ReferenceKind,
    /// How it was met.
    pub strength: Strength,
    /// Where the number stands.
    pub number_from: NumberFrom,
}

/// Why a rule cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadRule {
    /// The pattern is none, or too large.
    #[error("{}", texts::bad_pattern(.0))]
    Pattern(#[from] regex::Error),
    /// Nothing would say which number it is.
    #[error("{}", texts::no_group())]
    NoGroup,
}

impl Rule {
    /// Compiles a rule. A pattern takes time that is linear in what it reads, so none can hang.
    ///
    /// # Errors
    /// The pattern is no pattern, too large, or has no group where one is needed.
    pub fn new(
        pattern: &str,
        kind: ReferenceKind,
        strength: Strength,
        number_from: NumberFrom,
    ) -> Result<Self, BadRule> {
        let pattern = RegexBuilder::new(pattern).size_limit(MAX_COMPILED).build()?;
        if number_from == NumberFrom::Capture && pattern.captures_len() < 2 {
            return Err(BadRule::NoGroup);
        }
        Ok(Self { pattern, kind, strength, number_from })
    }

    /// Whether the rule says something about this text.
    pub fn matches(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }

    /// Every number that it finds in a text, with the whole of what it matched.
    pub fn numbers<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (u64, &'t str)> {
        self.pattern.captures_iter(text).filter_map(|captures| {
            let whole = captures.get(0)?.as_str();
            Some((number(captures.get(1)?.as_str())?, whole))
        })
    }
}

/// A number that an issue can have.
pub(super) fn number(digits: &str) -> Option<u64> {
    digits.parse().ok().filter(|number| (1..=MAX_NUMBER).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a12_a_capture_rule_needs_a_group_and_a_pattern_that_can_be_compiled() {
        let rule = |pattern: &str, from| Rule::new(pattern, ReferenceKind::Issue, Strength::View, from);
        assert!(rule("tk view ([0-9]+)", NumberFrom::Capture).is_ok());
        assert!(matches!(rule("tk view", NumberFrom::Capture), Err(BadRule::NoGroup)));
        assert!(rule("tk new", NumberFrom::OutputUrl).is_ok());
        assert!(matches!(rule("(", NumberFrom::Capture), Err(BadRule::Pattern(_))));
        assert!(matches!(rule("((a{1000}){1000})", NumberFrom::Capture), Err(BadRule::Pattern(_))));
    }

    #[test]
    fn a12_what_is_no_number_of_an_issue_is_none() {
        for (digits, expected) in [("7", Some(7)), ("0", None), ("99999999999", None), ("x", None)] {
            assert_eq!(number(digits), expected, "{digits}");
        }
    }
}

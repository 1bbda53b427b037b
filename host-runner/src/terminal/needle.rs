//! What a wait looks for: a regular expression that no input can make slow for long (reference G.1).
//!
//! Used by the text and by the registry of waits. A look is at a little of the text only; whoever asks decides how many it
//! makes. The engine takes linear time, the size of what a pattern is compiled to has a limit, and so has a match.

use super::plain::columns;
use board_protocol::terminals::MAX_NEEDLE_BYTES;
use regex_automata::{
    Input,
    meta::{Config, Regex},
};
use regex_syntax::{
    ParserBuilder,
    hir::{Class, Hir, HirKind},
};

/// Most memory that a pattern may be compiled to: classes of all the world's letters, repeated a few dozen times.
const MAX_PROGRAM_BYTES: usize = 1024 * 1024;
/// Most characters and classes of a pattern, repetitions counted out: a byte of text costs a step for each of them at
/// worst, some ten nanoseconds.
const MAX_POSITIONS: usize = 2_000;
/// What the engine may remember of a pattern's states, so that 64 waits stay below what one screen of history costs.
const CACHE_BYTES: usize = 128 * 1024;
/// Deepest nesting of groups: the parser walks them.
const MAX_NESTING: u32 = 50;
/// The longest match that is found wherever it lies, in bytes: over the ends of chunks, rows and lines.
const MATCH_BYTES: usize = 4 * 1024;
/// The same for a large pattern: each byte may cost it a thousand times as much as a plain one.
const LARGE_MATCH_BYTES: usize = 1024;
/// With more characters and classes than these a pattern counts as large.
const LARGE_POSITIONS: usize = 200;
/// What may still decide about a match behind its end: one character.
const AHEAD_BYTES: usize = 4;
/// Most characters of a match that are told.
pub const MAX_MATCHED_CHARS: usize = 1_000;

/// A compiled needle.
#[derive(Debug, Clone)]
pub struct Needle {
    text: String,
    literal: Option<String>,
    regex: Regex,
    /// How much of the text one look is at.
    window: usize,
    /// How far in front of new text a match may begin.
    reach: usize,
    lines: Lines,
}

/// Whether a match can go on in the next line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lines {
    One,
    Many,
}

/// Why there is no needle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadNeedle {
    /// It is empty.
    #[error("the needle is empty: say what to wait for")]
    Empty,
    /// It is too long.
    #[error("the needle is longer than {MAX_NEEDLE_BYTES} bytes: wait for a part of it")]
    TooLong,
}

/// What a look gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// There is no match that ends in front of this byte.
    Looked(usize),
    /// The first match.
    Found(Match),
}

/// A match in a piece of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) at: usize,
    pub(super) matched: String,
}

/// What a look at a part of the text gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    /// Nothing up to this offset.
    Upto(u64),
    /// The first match.
    Found(Found),
}

/// A match in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The line, counted from the oldest line ever.
    pub line: u64,
    /// The column in characters, from 0.
    pub column: u32,
    /// What matched, at most [`MAX_MATCHED_CHARS`].
    pub matched: String,
}

impl Needle {
    /// Compiles a needle. One that is no regular expression, or one that is too large, is taken literally.
    ///
    /// # Errors
    /// It is empty or too long.
    pub fn new(text: &str) -> Result<Self, BadNeedle> {
        if text.is_empty() {
            return Err(BadNeedle::Empty);
        }
        if text.len() > MAX_NEEDLE_BYTES {
            return Err(BadNeedle::TooLong);
        }
        let parsed = ParserBuilder::new().multi_line(true).nest_limit(MAX_NESTING).build().parse(text);
        let compiled = parsed.map_err(|error| error.to_string()).and_then(|hir| Ok((compile(&hir)?, hir)));
        let (regex, hir, literal) = match compiled {
            Ok((regex, hir)) => (regex, hir, None),
            Err(why) => {
                let hir = Hir::literal(text.as_bytes());
                // A string of this length is always small enough.
                let Ok(regex) = compile(&hir) else { return Err(BadNeedle::TooLong) };
                (regex, hir, Some(why))
            }
        };
        let large = positions(&hir) > LARGE_POSITIONS && literal.is_none();
        let window = if large { LARGE_MATCH_BYTES } else { MATCH_BYTES };
        let longest = hir.properties().maximum_len().unwrap_or(usize::MAX);
        let reach = longest.saturating_add(AHEAD_BYTES).min(window);
        let lines = if crosses_lines(&hir) { Lines::Many } else { Lines::One };
        Ok(Self { text: text.to_owned(), literal, regex, window, reach, lines })
    }

    /// What was asked for.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why it is taken literally, if it is.
    pub fn literal(&self) -> Option<&str> {
        self.literal.as_deref()
    }

    /// Looks at a little of a screen's text, from where an earlier look ended: as [`super::PlainText::look`], with rows
    /// for lines.
    pub fn look_at_screen(&self, screen: &str, from: u64) -> Looked {
        match self.look(screen.as_bytes(), usize::try_from(from).unwrap_or(usize::MAX)) {
            Step::Looked(upto) => Looked::Upto(upto as u64),
            Step::Found(found) => {
                let before = screen.get(..found.at).unwrap_or_default();
                let row = before.rsplit('\n').next().unwrap_or_default();
                let line = before.matches('\n').count() as u64;
                Looked::Found(Found { line, column: columns(row.as_bytes()), matched: found.matched })
            }
        }
    }

    /// Looks at some bytes from `from` on, and at as many in front of them as a match that ends there may have. What is
    /// around them decides about `^`, `$` and `\b`.
    pub(super) fn look(&self, text: &[u8], from: usize) -> Step {
        let from = boundary(text, from.min(text.len()));
        let to = boundary(text, from.saturating_add(self.window).min(text.len()));
        let mut begin = boundary(text, from.saturating_sub(self.reach));
        if self.lines == Lines::One {
            let before = text.get(begin..from).unwrap_or_default();
            begin = memchr::memrchr(b'\n', before).map_or(begin, |at| begin + at + 1);
        }
        let Some(mut found) = self.regex.search(&Input::new(text).span(begin..to)) else {
            return Step::Looked(to);
        };
        // It was cut only because the look ends here.
        if found.end() == to && to < text.len() {
            let further = boundary(text, found.start().saturating_add(self.window).min(text.len())).max(to);
            let again = self.regex.search(&Input::new(text).span(found.start()..further));
            found = again.unwrap_or(found);
        }
        let matched = String::from_utf8_lossy(text.get(found.range()).unwrap_or_default());
        let end = matched.char_indices().nth(MAX_MATCHED_CHARS).map_or(matched.len(), |(at, _)| at);
        let matched = matched.get(..end).unwrap_or_default().to_owned();
        Step::Found(Match { at: found.start(), matched })
    }
}

fn compile(hir: &Hir) -> Result<Regex, String> {
    let too_large = || "the pattern is too large".to_owned();
    if positions(hir) > MAX_POSITIONS && !matches!(hir.kind(), HirKind::Literal(_)) {
        return Err(too_large());
    }
    let config = Config::new()
        .nfa_size_limit(Some(MAX_PROGRAM_BYTES))
        .onepass_size_limit(Some(MAX_PROGRAM_BYTES))
        .hybrid_cache_capacity(CACHE_BYTES);
    let built = Regex::builder().configure(config).build_from_hir(hir);
    built.map_err(|error| match error.size_limit() {
        Some(_) => too_large(),
        None => error.to_string(),
    })
}

/// Characters and classes, repetitions counted out.
fn positions(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(_) => 1,
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1);
            positions(&repetition.sub).saturating_mul(usize::try_from(times).unwrap_or(usize::MAX))
        }
        HirKind::Capture(capture) => positions(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(positions).fold(0, usize::saturating_add)
        }
    }
}

/// Whether a match can hold a line end.
fn crosses_lines(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.contains(&b'\n'),
        HirKind::Class(Class::Unicode(class)) => {
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&'\n'))
        }
        HirKind::Class(Class::Bytes(class)) => {
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&b'\n'))
        }
        HirKind::Repetition(repetition) => crosses_lines(&repetition.sub),
        HirKind::Capture(capture) => crosses_lines(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(crosses_lines),
    }
}

/// The beginning of the character that `at` is in.
fn boundary(text: &[u8], at: usize) -> usize {
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|at| text.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80))
        .unwrap_or(at)
}

#[cfg(test)]
mod tests;

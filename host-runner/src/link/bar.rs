//! What status bars of the zellij session show of the board: whom it is for, its words, and when they are said.
//!
//! Used by [`super::machine`] where the configuration names a bar. Pure. The words go down to one instance of the plugin,
//! which says them to every other plugin: a `zellij pipe` of the link's own would be a client of the session each time,
//! and zellij may throw a person out who attaches at that moment (measured).
//!
//! The protocol is zjstatus's: `zjstatus::pipe::pipe_NAME::TEXT`, of which it shows TEXT where its layout has
//! `{pipe_NAME}`. It splits at `::` and at line ends, so that neither may stand in the text.

use board_protocol::{
    state::{GlyphSet, SemanticState},
    text::plain_within,
};
use std::time::Duration;

/// Least time between two messages: each one has every plugin of the session called, and every bar drawn.
pub(super) const SAY_EVERY: Duration = Duration::from_millis(500);
/// After this long the same is said again: a tab that was opened since has a bar that has heard nothing, and zellij tells
/// us of no tab but our own.
pub(super) const REPEAT_EVERY: Duration = Duration::from_secs(5);
/// Widest text in cells: more than any bar shows.
const MAX_COLUMNS: usize = 240;
/// Longest name of a widget, and longest pattern, in bytes.
const MAX_NAME_BYTES: usize = 64;
const MAX_PATTERN_BYTES: usize = 512;
/// What zjstatus puts in front of the name of every such widget.
const WIDGET: &str = "pipe_";
/// The widget for which no name was given.
const DEFAULT_WIDGET: &str = "pipe_agent_board";
/// Stands in a pattern for every group with rows.
const GROUPS: &str = "groups";
/// Stands in a pattern for rows that nobody looked at, and for all of them.
const UNREAD: &str = "unread";
const TOTAL: &str = "total";
/// The sign of unread rows, as in the board's header.
const UNREAD_SIGN: &str = "•";

/// A status bar that is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BarTarget {
    /// The name of the widget, with its `pipe_`.
    widget: String,
}

impl BarTarget {
    /// Reads `zjstatus` or `zjstatus:NAME`, where NAME is that of a pipe widget with or without its `pipe_`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let Some(name) = text.strip_prefix("zjstatus:") else {
            return (text == "zjstatus").then(|| Self { widget: DEFAULT_WIDGET.into() });
        };
        let name = name.strip_prefix(WIDGET).unwrap_or(name);
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let fits = !name.is_empty() && name.len() <= MAX_NAME_BYTES && name.chars().all(plain);
        fits.then(|| Self { widget: format!("{WIDGET}{name}") })
    }
}

impl std::fmt::Display for BarTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "zjstatus:{}", self.widget.strip_prefix(WIDGET).unwrap_or(&self.widget))
    }
}

/// What is shown: a text in which `{groups}` is every group with rows as sign and count, `{working}`, `{needs_input}`
/// and so on are counts of one group, `{unread}` and `{total}` of what they say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BarPattern(String);

impl BarPattern {
    /// Reads a pattern; `None` where a `{word}` of it is not known, or it is too long.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() || text.len() > MAX_PATTERN_BYTES {
            return None;
        }
        let mut known = true;
        replaced(text, |word| {
            known &= matches!(word, GROUPS | UNREAD | TOTAL) || SemanticState::parse(word).is_some();
            Some(String::new())
        });
        known.then(|| Self(text.to_owned()))
    }

    /// The pattern as it was given.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl Default for BarPattern {
    fn default() -> Self {
        Self(format!("{{{GROUPS}}}"))
    }
}

/// Every `{word}` of a text replaced.
fn replaced(text: &str, mut of: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        match after.split_once('}').and_then(|(word, behind)| Some((of(word)?, behind))) {
            Some((text, behind)) => {
                out.push_str(&text);
                rest = behind;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out + rest
}

/// What there is to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BarCounts {
    /// How many rows stand in each group, in the order of [`SemanticState::ALL`].
    pub(crate) groups: [usize; SemanticState::ALL.len()],
    /// Rows that nobody looked at.
    pub(crate) unread: usize,
}

/// A bar that the configuration names, and what it was told.
#[derive(Debug, Clone)]
pub(crate) struct Bar {
    target: BarTarget,
    pattern: BarPattern,
    glyphs: GlyphSet,
    /// What the present speaker said last.
    said: Option<String>,
    /// When anybody said something last.
    said_at: Option<Duration>,
}

impl Bar {
    pub(crate) fn new(target: BarTarget, pattern: BarPattern, glyphs: GlyphSet) -> Self {
        Self { target, pattern, glyphs, said: None, said_at: None }
    }

    /// Somebody else speaks from now on: it says it anew, so that it knows what to take back.
    pub(crate) fn forget(&mut self) {
        self.said = None;
    }

    /// The message that is due now.
    pub(crate) fn say(&mut self, counts: &BarCounts, known: Freshness, now: Duration) -> Option<String> {
        let text = self.text(counts, known);
        if now < self.due_at(&text) {
            return None;
        }
        let message = self.message(&text);
        self.said = Some(text);
        self.said_at = Some(now);
        Some(message)
    }

    /// The message that empties the bar.
    pub(crate) fn farewell(&self) -> String {
        self.message("")
    }

    /// When something is due, given what is to be shown.
    pub(crate) fn next_deadline(&self, counts: &BarCounts, known: Freshness) -> Duration {
        self.due_at(&self.text(counts, known))
    }

    fn due_at(&self, text: &str) -> Duration {
        let wait = if self.said.as_deref() == Some(text) { REPEAT_EVERY } else { SAY_EVERY };
        self.said_at.map_or(Duration::ZERO, |at| at + wait)
    }

    fn message(&self, text: &str) -> String {
        format!("zjstatus::pipe::{}::{text}", self.target.widget)
    }

    fn text(&self, counts: &BarCounts, known: Freshness) -> String {
        let text = replaced(&self.pattern.0, |word| match word {
            GROUPS => Some(self.groups(counts)),
            UNREAD => Some(counts.unread.to_string()),
            TOTAL => Some(counts.groups.iter().sum::<usize>().to_string()),
            word => {
                let place = SemanticState::ALL.iter().position(|state| state.name() == word)?;
                counts.groups.get(place).map(usize::to_string)
            }
        });
        let text = match known {
            Freshness::Now => text,
            // Counts of a board that nobody keeps up to date must not look like news.
            Freshness::LastHeard if text.is_empty() => "?".to_owned(),
            Freshness::LastHeard => format!("? {text}"),
        };
        let text = plain_within(&text, MAX_COLUMNS);
        text.split("::").collect::<Vec<_>>().join(": :")
    }

    fn groups(&self, counts: &BarCounts) -> String {
        let mut parts = Vec::new();
        for (state, count) in SemanticState::ALL.into_iter().zip(counts.groups) {
            let facts = state.facts();
            let [sign, _] = match self.glyphs {
                GlyphSet::Unicode => facts.glyphs,
                GlyphSet::Ascii => facts.ascii,
            };
            if count > 0 {
                parts.push(format!("{sign}{count}"));
            }
        }
        if counts.unread > 0 {
            let sign = if self.glyphs == GlyphSet::Unicode { UNREAD_SIGN } else { "*" };
            parts.push(format!("{sign}{}", counts.unread));
        }
        parts.join(" ")
    }
}

/// Whether counts are those of now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// They are.
    Now,
    /// They are the last that the daemon told.
    LastHeard,
}

#[cfg(test)]
mod tests;

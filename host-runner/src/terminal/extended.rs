//! What a cell of the engine cannot keep (strikethrough, blink, underline styles and colours, links, …), named by one
//! invisible character in the cell.
//!
//! Each distinct set of such attributes gets an unassigned, default-ignorable code point of no width, which the engine
//! stores, moves and erases with the cell. Programs cannot print these code points: the model drops them.

use super::style::{Colour, Flag, Style, Underline};
use std::{collections::HashMap, rc::Rc};

/// First code point that names an entry. U+E0100 to U+E01EF are variation selectors, the rest of the block is
/// unassigned.
const FIRST_MARKER: u32 = 0xe01f3;
const LAST_MARKER: u32 = 0xe0ffd;
/// Stands for U+FE0F, which makes the engine widen a cell and may panic it.
pub(super) const EMOJI_PRESENTATION: char = '\u{e01f0}';
/// Marks the blank that a wide character left when it did not fit at the end of a row.
pub(super) const LEADING_SPACER: char = '\u{e01f1}';
/// Stands for U+FFFD, which the engine does not print.
pub(super) const REPLACEMENT: char = '\u{e01f2}';

/// Whether a character is one of ours.
pub(super) fn is_marker(c: char) -> bool {
    ('\u{e01f0}'..='\u{e0ffd}').contains(&c)
}

/// A hyperlink: `parameters;address`, as in OSC 8.
pub(super) type Link = Rc<[u8]>;

/// Attributes that the engine does not have.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Extended {
    /// The style without what the engine keeps.
    rest: Style,
    pub(super) link: Option<Link>,
}

impl Extended {
    /// What of a style and a link the engine cannot keep.
    pub(super) fn of(style: Style, link: Option<&Link>) -> Self {
        let mut rest = style;
        rest.foreground = Colour::Default;
        rest.background = Colour::Default;
        if rest.underline == Underline::Single {
            rest.underline = Underline::None;
        }
        rest.set(Flag::Italic, false);
        rest.set(Flag::Inverse, false);
        // The engine keeps bold or dim, not both.
        if rest.has(Flag::Bold) {
            rest.set(Flag::Bold, false);
        } else {
            rest.set(Flag::Dim, false);
        }
        Self { rest, link: link.cloned() }
    }

    /// Adds these attributes to what the engine kept.
    pub(super) fn add_to(&self, style: &mut Style) {
        for flag in [Flag::Dim, Flag::Blink, Flag::RapidBlink, Flag::Hidden, Flag::Strike, Flag::Overline] {
            if self.rest.has(flag) {
                style.set(flag, true);
            }
        }
        if self.rest.underline != Underline::None {
            style.underline = self.rest.underline;
        }
        style.underline_colour = self.rest.underline_colour;
    }
}

/// The part of a style that the engine keeps.
pub(super) fn kept_by_engine(style: Style) -> Style {
    let mut kept = Style { foreground: style.foreground, background: style.background, ..Style::default() };
    if style.underline == Underline::Single {
        kept.underline = Underline::Single;
    }
    for flag in [Flag::Bold, Flag::Italic, Flag::Inverse] {
        kept.set(flag, style.has(flag));
    }
    kept.set(Flag::Dim, style.has(Flag::Dim) && !style.has(Flag::Bold));
    kept
}

/// Which code point names which attributes.
#[derive(Debug, Default)]
pub(super) struct ExtendedTable {
    entries: Vec<Option<Extended>>,
    markers: HashMap<Extended, u32>,
    free: Vec<u32>,
}

impl ExtendedTable {
    /// The marker of these attributes; `None` when all are in use.
    pub(super) fn marker(&mut self, extended: &Extended) -> Option<char> {
        let index = match self.markers.get(extended) {
            Some(&index) => index,
            None => self.insert(extended)?,
        };
        char::from_u32(FIRST_MARKER + index)
    }

    fn insert(&mut self, extended: &Extended) -> Option<u32> {
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                let index =
                    u32::try_from(self.entries.len()).ok().filter(|n| FIRST_MARKER + n <= LAST_MARKER)?;
                self.entries.push(None);
                index
            }
        };
        *self.entries.get_mut(index as usize)? = Some(extended.clone());
        self.markers.insert(extended.clone(), index);
        Some(index)
    }

    /// What a marker names.
    pub(super) fn get(&self, marker: char) -> Option<&Extended> {
        let index = u32::from(marker).checked_sub(FIRST_MARKER)?;
        self.entries.get(index as usize)?.as_ref()
    }

    /// Whether no marker is left for new attributes.
    pub(super) fn is_full(&self) -> bool {
        self.free.is_empty() && FIRST_MARKER + self.entries.len() as u32 > LAST_MARKER
    }

    /// Forgets every entry that `used` does not name.
    pub(super) fn retain(&mut self, used: &std::collections::HashSet<char>) {
        for (index, entry) in (0_u32..).zip(&mut self.entries) {
            let in_use = char::from_u32(FIRST_MARKER + index).is_some_and(|marker| used.contains(&marker));
            if !in_use && let Some(extended) = entry.take() {
                self.markers.remove(&extended);
                self.free.push(index);
            }
        }
    }
}

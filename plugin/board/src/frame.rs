//! A picture of the board: lines of styled cells, each exactly as wide as asked, and their escape sequences.
//!
//! Colours are the sixteen of the person's own terminal theme, by role; nothing assumes a dark or a light background.

use crate::{
    cells,
    region::{Region, Target},
};
use board_protocol::state::{ColourRole, GlyphSet};
use std::{fmt::Write, ops::Range, rc::Rc};

/// How cells look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// The colour; `None` is the terminal's own.
    pub role: Option<ColourRole>,
    /// Bold.
    pub bold: bool,
    /// Fainter than normal text.
    pub faint: bool,
    /// Foreground and background exchanged.
    pub reversed: bool,
}

impl Style {
    /// The terminal's own.
    pub const PLAIN: Self = Self { role: None, bold: false, faint: false, reversed: false };
    /// Less important than normal text.
    pub const FAINT: Self = Self { faint: true, ..Self::PLAIN };
    /// More important.
    pub const BOLD: Self = Self { bold: true, ..Self::PLAIN };

    /// In the colour of a role.
    pub const fn of(role: ColourRole) -> Self {
        match role {
            // Grey of the palette is unreadable on some themes; faint is grey everywhere.
            ColourRole::Muted | ColourRole::Dim => Self::FAINT,
            _ => Self { role: Some(role), ..Self::PLAIN },
        }
    }

    /// The same, bold.
    #[must_use]
    pub const fn bold(self) -> Self {
        Self { bold: true, faint: false, ..self }
    }

    /// The same, faint and without a colour.
    #[must_use]
    pub const fn faded(self) -> Self {
        Self { role: None, bold: false, faint: true, reversed: self.reversed }
    }

    fn write_sgr(self, out: &mut String) {
        out.push_str("\u{1b}[0");
        if self.bold {
            out.push_str(";1");
        }
        if self.faint {
            out.push_str(";2");
        }
        if self.reversed {
            out.push_str(";7");
        }
        let colour = self.role.and_then(|role| match role {
            ColourRole::Accent => Some("36"),
            ColourRole::Warning => Some("33"),
            ColourRole::Success => Some("32"),
            ColourRole::Error => Some("31"),
            ColourRole::Muted | ColourRole::Dim => None,
        });
        if let Some(colour) = colour {
            // Writing into a string cannot fail.
            let _ = write!(out, ";{colour}");
        }
        out.push('m');
    }
}

/// One line under construction: it never grows past its width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    spans: Vec<(Style, String)>,
    used: usize,
    columns: usize,
    /// Cells that can be clicked.
    links: Vec<(Range<usize>, Target)>,
}

impl Line {
    /// An empty line of `columns` cells.
    pub fn new(columns: usize) -> Self {
        Self { spans: Vec::new(), used: 0, columns, links: Vec::new() }
    }

    /// Cells that are still free.
    pub fn room(&self) -> usize {
        self.columns.saturating_sub(self.used)
    }

    /// Cells that are taken.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Appends text, clipped to what is free.
    #[must_use]
    pub fn put(self, style: Style, text: &str) -> Self {
        let room = self.room();
        self.put_within(style, text, room)
    }

    /// Appends text, clipped to `columns` cells and to what is free.
    #[must_use]
    pub fn put_within(mut self, style: Style, text: &str, columns: usize) -> Self {
        let (text, width) = cells::clip(text, columns.min(self.room()));
        if width > 0 {
            self.used += width;
            match self.spans.last_mut() {
                Some((last, span)) if *last == style => span.push_str(&text),
                _ => self.spans.push((style, text)),
            }
        }
        self
    }

    /// Appends text in a column of exactly `columns` cells, as far as there is room.
    #[must_use]
    pub fn put_column(self, style: Style, text: &str, columns: usize) -> Self {
        let end = self.used.saturating_add(columns);
        self.put_within(style, text, columns).pad_to(end)
    }

    /// Fills with blanks up to a column.
    #[must_use]
    pub fn pad_to(self, column: usize) -> Self {
        let blanks = column.min(self.columns).saturating_sub(self.used);
        self.repeat(Style::PLAIN, ' ', blanks)
    }

    /// Appends one narrow character `count` times, as far as there is room.
    #[must_use]
    pub fn repeat(mut self, style: Style, c: char, count: usize) -> Self {
        let count = count.min(self.room());
        if count > 0 {
            self.used += count;
            let text = std::iter::repeat_n(c, count);
            match self.spans.last_mut() {
                Some((last, span)) if *last == style => span.extend(text),
                _ => self.spans.push((style, text.collect())),
            }
        }
        self
    }

    /// Appends what stands in another line, clipped to what is free.
    #[must_use]
    pub fn append(self, other: Self) -> Self {
        let start = self.used;
        let mut line = other.spans.into_iter().fold(self, |line, (style, text)| line.put(style, &text));
        for (cells, target) in other.links {
            line.link(start + cells.start..start + cells.end, target);
        }
        line
    }

    /// Makes the cells from `start` up to where the line ends now clickable.
    #[must_use]
    pub(crate) fn linked_from(mut self, start: usize, target: Target) -> Self {
        self.link(start..self.used, target);
        self
    }

    /// Makes some cells clickable.
    #[must_use]
    pub(crate) fn linked_in(mut self, cells: Range<usize>, target: Target) -> Self {
        self.link(cells, target);
        self
    }

    /// Makes the whole line clickable, as far as no part of it is.
    #[must_use]
    pub(crate) fn linked(mut self, target: Target) -> Self {
        self.link(0..self.columns, target);
        self
    }

    /// The line without anything to click.
    #[must_use]
    pub(crate) fn unlinked(mut self) -> Self {
        self.links.clear();
        self
    }

    fn link(&mut self, cells: Range<usize>, target: Target) {
        let cells = cells.start..cells.end.min(self.columns);
        if !cells.is_empty() {
            self.links.push((cells, target));
        }
    }

    /// Puts text at the right edge if it fits beside what is there with one blank between them.
    #[must_use]
    pub fn put_right(self, style: Style, text: &str) -> Self {
        let width = cells::width(text);
        if width + usize::from(self.used > 0) > self.room() {
            return self;
        }
        let column = self.columns - width;
        self.pad_to(column).put(style, text)
    }

    /// Makes every cell fainter: what it says is only the last that was known.
    #[must_use]
    pub fn faded(mut self) -> Self {
        for (style, _) in &mut self.spans {
            *style = style.faded();
        }
        self
    }

    fn finished(self) -> Self {
        let columns = self.columns;
        self.pad_to(columns)
    }

    /// The line's text.
    pub fn text(&self) -> String {
        self.spans.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// A finished picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    lines: Vec<Line>,
    /// Where the terminal's cursor belongs (column, row), while text is edited: input methods open their window there.
    pub cursor: Option<(usize, usize)>,
    regions: Rc<[Region]>,
}

impl Frame {
    /// Exactly `rows` lines of exactly `columns` cells: missing lines are blank, surplus ones are dropped.
    pub(crate) fn new(lines: Vec<Line>, rows: usize, columns: usize, cursor: Option<(usize, usize)>) -> Self {
        let mut lines: Vec<Line> = lines.into_iter().take(rows).map(Line::finished).collect();
        lines.resize_with(rows, || Line::new(columns).finished());
        let mut regions = Vec::new();
        for (line, drawn) in lines.iter_mut().enumerate() {
            let links = std::mem::take(&mut drawn.links).into_iter();
            regions.extend(links.map(|(columns, target)| Region { line, columns, target }));
        }
        let cursor = cursor.filter(|(x, y)| *x < columns && *y < rows);
        Self { lines, cursor, regions: regions.into() }
    }

    /// What can be clicked.
    pub(crate) fn regions(&self) -> Rc<[Region]> {
        Rc::clone(&self.regions)
    }

    /// The picture in other signs: for terminals that show some two cells wide or not at all, every sign that the board
    /// draws, and the same sign in a session's words, becomes one of ASCII.
    #[must_use]
    pub(crate) fn with(mut self, glyphs: GlyphSet) -> Self {
        if glyphs == GlyphSet::Ascii {
            for (_, text) in self.lines.iter_mut().flat_map(|line| &mut line.spans) {
                *text = text.chars().map(ascii).collect();
            }
        }
        self
    }

    /// The lines as text.
    pub fn text(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(Line::text).collect();
        lines.join("\n")
    }

    /// The lines with their escape sequences, joined by newlines and without one at the end: one newline more than
    /// there are rows scrolls a zellij pane.
    pub fn to_ansi(&self) -> String {
        let mut out = String::new();
        for (index, line) in self.lines.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            let mut current = Style::PLAIN;
            for (style, text) in &line.spans {
                if *style != current {
                    style.write_sgr(&mut out);
                    current = *style;
                }
                out.push_str(text);
            }
            if current != Style::PLAIN {
                Style::PLAIN.write_sgr(&mut out);
            }
        }
        out
    }
}

/// The sign of ASCII that stands for one of the board's own; all of them are one cell wide.
const fn ascii(c: char) -> char {
    match c {
        '─' | '—' | '·' | '▪' => '-',
        '…' => '~',
        '›' | '→' | '▸' => '>',
        '‹' | '←' => '<',
        '│' | '├' => '|',
        '└' => '`',
        '╭' | '╮' | '╰' | '╯' => '+',
        '↑' => '^',
        '↓' | '▾' => 'v',
        '↵' => '\\',
        '•' | '★' | '●' => '*',
        '○' => 'o',
        '◉' => '@',
        '×' => 'x',
        '⚠' => '!',
        '⌥' => 'Y',
        'π' => 'p',
        '⧖' => 'w',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_exactly_as_wide_as_asked() {
        let line = Line::new(8).put(Style::BOLD, "漢字漢字漢").put(Style::PLAIN, "x");
        assert_eq!(line.finished().text(), "漢字漢…x");
        let line = Line::new(10).put(Style::PLAIN, "left").put_right(Style::FAINT, "right");
        assert_eq!(line.finished().text(), "left right");
        let line = Line::new(9).put(Style::PLAIN, "left").put_right(Style::FAINT, "right");
        assert_eq!(line.finished().text(), "left     ");
        assert_eq!(Line::new(6).put_column(Style::PLAIN, "abc", 5).put(Style::PLAIN, "d").text(), "abc  d");
    }

    #[test]
    fn a_frame_has_its_rows_and_no_newline_at_the_end() {
        let frame = Frame::new(vec![Line::new(3).put(Style::of(ColourRole::Error), "e")], 2, 3, Some((3, 0)));
        assert_eq!(frame.text(), "e  \n   ");
        assert_eq!(frame.to_ansi(), "\u{1b}[0;31me\u{1b}[0m  \n   ");
        assert_eq!(frame.cursor, None, "a cursor outside is no cursor");
    }
}

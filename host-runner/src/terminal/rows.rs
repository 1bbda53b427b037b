//! One row of the engine as bytes: for the history, for text and for snapshots. Reads cells, changes nothing.

use super::{
    emulator::{Emulator, write_csi},
    extended::{self, ExtendedTable, Link},
    history::{HistoryRow, RowEnd},
    params::{Parsed, parse_csi},
    style::{Flag, Style},
};
use unicode_width::UnicodeWidthChar;

/// A part of a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Piece<'a> {
    /// Cells of one code point each, printed alike.
    Run { col: u16, text: &'a str, cells: u16, style: Style },
    /// One cell with marks or markers.
    Cell { col: u16, text: &'a str, cells: u16, style: Style },
    /// Erased cells with a background.
    Blank { col: u16, cells: u16, style: Style },
}

/// Reads a row as [`Emulator::rows`] writes it, from left to right. Cells where nothing is are left out.
pub(super) fn pieces<'a>(row: &'a str, cols: u16, mut each: impl FnMut(Piece<'a>)) {
    let mut style = Style::default();
    let mut col = 0_u16;
    let mut rest = row;
    while !rest.is_empty() {
        let end = memchr::memchr(0x1b, rest.as_bytes()).unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        col = text_pieces(text, col, style, &mut each);
        let Parsed::Complete(csi, length) = parse_csi(after.as_bytes()) else { return };
        let count = csi.params.get(0, 1);
        match csi.last {
            b'm' => {
                let before = style;
                style.apply(&csi.params);
                // The engine has one intensity: it changes from one to the other without a word about the first. Codex draws
                // dim and bold side by side.
                if style.has(Flag::Bold) && style.has(Flag::Dim) {
                    style.set(if before.has(Flag::Dim) { Flag::Dim } else { Flag::Bold }, false);
                }
            }
            b'C' => col = col.saturating_add(count),
            b'X' => each(Piece::Blank { col, cells: count, style: Style::erased(style.background) }),
            b'K' => {
                let cells = cols.saturating_sub(col);
                each(Piece::Blank { col, cells, style: Style::erased(style.background) });
            }
            _ => {}
        }
        rest = after.get(length..).unwrap_or_default();
    }
}

/// Cuts text into runs and single cells. Returns the column after it.
fn text_pieces<'a>(text: &'a str, mut col: u16, style: Style, each: &mut impl FnMut(Piece<'a>)) -> u16 {
    if text.is_empty() {
        return col;
    }
    if text.is_ascii() {
        let cells = u16::try_from(text.len()).unwrap_or(u16::MAX);
        each(Piece::Run { col, text, cells, style });
        return col.saturating_add(cells);
    }
    // Of the run, and of the last cell in it.
    let (mut run_start, mut run_cells) = (0, 0_u16);
    let (mut cell_start, mut cell_cells) = (0, 0_u16);
    let mut has_marks = false;
    let mut flush = |col: &mut u16, start: usize, end: usize, cells: u16, is_run: bool| {
        if start < end
            && let Some(text) = text.get(start..end)
        {
            let col_now = *col;
            each(if is_run {
                Piece::Run { col: col_now, text, cells, style }
            } else {
                Piece::Cell { col: col_now, text, cells, style }
            });
            *col = col.saturating_add(cells);
        }
    };
    for (at, c) in text.char_indices() {
        match c.width().unwrap_or(1) {
            0 => {
                if !has_marks {
                    flush(&mut col, run_start, cell_start, run_cells, true);
                    has_marks = true;
                }
            }
            width => {
                if has_marks {
                    flush(&mut col, cell_start, at, cell_cells, false);
                    has_marks = false;
                    run_start = at;
                    run_cells = 0;
                } else {
                    run_cells += cell_cells;
                }
                cell_start = at;
                cell_cells = if width > 1 { 2 } else { 1 };
            }
        }
    }
    if has_marks {
        flush(&mut col, cell_start, text.len(), cell_cells, false);
    } else {
        flush(&mut col, run_start, text.len(), run_cells + cell_cells, true);
    }
    col
}

/// A cell with marks or markers, as a client must draw it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<'a> {
    /// With markers in it.
    text: &'a str,
    pub(super) style: Style,
    pub(super) link: Option<&'a Link>,
    /// The blank in front of a wide character that did not fit.
    pub(super) is_leading_spacer: bool,
}

impl<'a> Look<'a> {
    /// What a cell looks like with the attributes that its markers name.
    pub(super) fn of(text: &'a str, style: Style, table: &'a ExtendedTable) -> Self {
        let mut look = Self { text, style, link: None, is_leading_spacer: false };
        if text.is_empty() {
            look.style = Style::erased(style.background);
        }
        for c in text.chars().filter(|c| extended::is_marker(*c)) {
            look.is_leading_spacer |= c == extended::LEADING_SPACER;
            if let Some(extended) = table.get(c) {
                extended.add_to(&mut look.style);
                look.link = extended.link.as_ref();
            }
        }
        look
    }

    /// Nothing was printed here.
    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// Terminals disagree about the width of what has several code points.
    pub(super) fn is_composed(&self) -> bool {
        self.text.chars().skip(1).any(|c| !extended::is_marker(c) || c == extended::EMOJI_PRESENTATION)
    }

    /// Writes the characters, without markers.
    pub(super) fn write_text(&self, out: &mut Vec<u8>) {
        let is_replacement = self.text.contains(extended::REPLACEMENT);
        for (n, c) in self.text.chars().enumerate() {
            let c = match c {
                _ if n == 0 && is_replacement => '\u{fffd}',
                extended::EMOJI_PRESENTATION => '\u{fe0f}',
                c if extended::is_marker(c) => continue,
                c => c,
            };
            let mut buffer = [0; 4];
            out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
        }
    }
}

/// Style and link that a client prints with at a point of the bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct ClientPen {
    style: Style,
    link: Option<Link>,
}

impl ClientPen {
    /// Writes what makes the client print like this.
    pub(super) fn set(&mut self, style: Style, link: Option<&Link>, out: &mut Vec<u8>) {
        if self.style != style {
            style.write(out);
            self.style = style;
        }
        if self.link.as_ref() != link {
            match link {
                Some(link) => {
                    out.extend_from_slice(b"\x1b]8;");
                    out.extend_from_slice(link);
                    out.extend_from_slice(b"\x1b\\");
                }
                None => out.extend_from_slice(b"\x1b]8;;\x1b\\"),
            }
            self.link = link.cloned();
        }
    }
}

/// How a row of the view ends, and what comes after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// By itself.
    Line,
    /// The next row goes on with it.
    Wraps,
    /// The same, and the next row begins with a wide character.
    WrapsToWide,
}

/// How a row of the view ends.
pub(super) fn ending(emulator: &Emulator, row: u16) -> Ending {
    if !emulator.is_wrapped(row) {
        Ending::Line
    } else if emulator.cell(row + 1, 0).is_some_and(|cell| cell.is_wide) {
        Ending::WrapsToWide
    } else {
        Ending::Wraps
    }
}

/// A row as a line of its own: everything off at its start and end, no trailing blanks.
pub(super) fn format(row: &str, ending: Ending, table: &ExtendedTable, cols: u16) -> HistoryRow {
    let mut out = Vec::with_capacity(row.len() + 8);
    let mut pen = ClientPen::default();
    let mut end = if ending == Ending::Line { RowEnd::Line } else { RowEnd::Wraps };
    // Where the client's cursor is, and whether all clients agree about that.
    let (mut at, mut is_certain) = (0_u16, true);
    let reach = |col: u16, at: &mut u16, is_certain: &mut bool, pen: &mut ClientPen, out: &mut Vec<u8>| {
        if !std::mem::replace(is_certain, true) {
            write_csi(*at + 1, b'G', out);
        }
        if *at < col {
            pen.set(Style::default(), None, out);
            out.extend(std::iter::repeat_n(b' ', usize::from(col - *at)));
            *at = col;
        }
    };
    pieces(row, cols, |piece| match piece {
        Piece::Run { col, text, cells, style } => {
            reach(col, &mut at, &mut is_certain, &mut pen, &mut out);
            pen.set(style, None, &mut out);
            out.extend_from_slice(text.as_bytes());
            at = col + cells;
        }
        Piece::Blank { col, cells, style } => {
            reach(col, &mut at, &mut is_certain, &mut pen, &mut out);
            pen.set(style, None, &mut out);
            out.extend(std::iter::repeat_n(b' ', usize::from(cells)));
            at = col + cells;
        }
        Piece::Cell { col, text, cells, style } => {
            let look = Look::of(text, style, table);
            reach(col, &mut at, &mut is_certain, &mut pen, &mut out);
            if look.is_leading_spacer && col + 1 == cols && ending == Ending::WrapsToWide {
                // The client leaves it itself when the wide character of the next row follows.
                end = RowEnd::WrapsBeforeWide(look.style, look.link.cloned());
                return;
            }
            pen.set(look.style, look.link, &mut out);
            look.write_text(&mut out);
            at = col + cells;
            is_certain = !look.is_composed();
        }
    });
    pen.set(Style::default(), None, &mut out);
    HistoryRow { bytes: out.into(), end }
}

/// What [`without_sequences`] leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Characters only.
    Nothing,
    /// SGR and links.
    Look,
}

/// A formatted row without the sequences that only make sense on a screen, or without any.
pub(super) fn without_sequences(row: &str, keep: Keep) -> String {
    let mut out = String::with_capacity(row.len());
    let mut rest = row;
    while let Some(start) = rest.find('\x1b') {
        let (text, sequence) = rest.split_at(start);
        out.push_str(text);
        let is_link = sequence.as_bytes().get(1) == Some(&b']');
        let length = if is_link {
            sequence.find("\x1b\\").map(|end| end + 2)
        } else {
            sequence.find(|c: char| c.is_ascii_alphabetic()).map(|end| end + 1)
        };
        let (sequence, after) = sequence.split_at(length.unwrap_or(sequence.len()));
        if keep == Keep::Look && (is_link || sequence.ends_with('m')) {
            out.push_str(sequence);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

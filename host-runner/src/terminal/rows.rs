//! One row of the engine as bytes: for the history, for text and for snapshots. Reads cells, changes nothing.

use super::{
    emulator::{Emulator, EngineCell, write_csi},
    extended::{self, ExtendedTable, Link},
    history::{HistoryRow, RowEnd},
    style::Style,
};

/// A cell as a client must draw it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<'a> {
    /// With markers in it; see [`write_text`].
    text: &'a str,
    pub(super) style: Style,
    pub(super) link: Option<&'a Link>,
    pub(super) is_wide: bool,
    /// The blank in front of a wide character that did not fit.
    pub(super) is_leading_spacer: bool,
    has_markers: bool,
}

impl<'a> Look<'a> {
    /// What a cell looks like with the attributes that its markers name.
    pub(super) fn of(cell: EngineCell<'a>, table: &'a ExtendedTable) -> Self {
        let mut look = Self {
            text: cell.text,
            style: cell.style,
            link: None,
            is_wide: cell.is_wide,
            is_leading_spacer: false,
            has_markers: false,
        };
        if cell.text.is_empty() {
            look.style = Style::erased(cell.style.background);
        } else if cell.text.len() > 4 || (cell.text.len() > 1 && cell.text.as_bytes().first() == Some(&b' '))
        {
            for c in cell.text.chars().filter(|c| extended::is_marker(*c)) {
                look.has_markers = true;
                look.is_leading_spacer |= c == extended::LEADING_SPACER;
                if let Some(extended) = table.get(c) {
                    extended.add_to(&mut look.style);
                    look.link = extended.link.as_ref();
                }
            }
        }
        look
    }

    /// Nothing was printed here.
    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// Nothing was printed here, and no background.
    pub(super) fn is_nothing(&self) -> bool {
        self.text.is_empty() && self.style == Style::default()
    }

    /// Terminals disagree about the width of what has several code points.
    pub(super) fn is_composed(&self) -> bool {
        let first = self.text.chars().next().map_or(0, char::len_utf8);
        self.text.len() > first
            && self.text.chars().skip(1).any(|c| !extended::is_marker(c) || c == extended::EMOJI_PRESENTATION)
    }

    /// Writes the characters, without markers.
    pub(super) fn write_text(&self, out: &mut Vec<u8>) {
        if !self.has_markers {
            out.extend_from_slice(self.text.as_bytes());
            return;
        }
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

/// One row of the view as a line of its own: everything off at its start and end, no trailing blanks.
pub(super) fn format(emulator: &Emulator, table: &ExtendedTable, cols: u16, row: u16) -> HistoryRow {
    let mut out = Vec::new();
    let mut end = if emulator.is_wrapped(row) { RowEnd::Wraps } else { RowEnd::Line };
    let mut pen = ClientPen::default();
    let mut blanks = 0_usize;
    let mut restate_column = false;
    for col in 0..cols {
        let Some(cell) = emulator.cell(row, col) else { break };
        if cell.is_continuation {
            continue;
        }
        if cell.text.is_empty() && cell.style.background == Default::default() {
            blanks += 1;
            continue;
        }
        let look = Look::of(cell, table);
        if blanks > 0 {
            pen.set(Style::default(), None, &mut out);
            if restate_column {
                write_csi(col + 1 - blanks as u16, b'G', &mut out);
                restate_column = false;
            }
            out.extend(std::iter::repeat_n(b' ', blanks));
            blanks = 0;
        }
        if look.is_leading_spacer && col + 1 == cols && end == RowEnd::Wraps {
            // The client leaves it itself when the wide character of the next row follows.
            if emulator.cell(row + 1, 0).is_some_and(|cell| cell.is_wide) {
                end = RowEnd::WrapsBeforeWide(look.style, look.link.cloned());
                continue;
            }
        }
        pen.set(look.style, look.link, &mut out);
        if restate_column {
            write_csi(col + 1, b'G', &mut out);
        }
        if look.is_blank() {
            out.push(b' ');
        } else {
            look.write_text(&mut out);
        }
        restate_column = look.is_composed();
    }
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

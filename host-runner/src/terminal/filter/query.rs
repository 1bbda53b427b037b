//! What a complete sequence asks. Used by the filter; parses, keeps nothing.

use super::{Clipboard, sequence::Outcome};

/// A question of the program to its terminal. The host answers it, never a client (architecture, "Terminal stream").
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// DA1, and DECID.
    PrimaryAttributes,
    /// DA2.
    SecondaryAttributes,
    /// DA3.
    TertiaryAttributes,
    /// XTVERSION.
    Version,
    /// DSR 5.
    OperatingStatus,
    /// DSR 6 (CPR).
    CursorPosition,
    /// DSR ?6 (DECXCPR).
    ExtendedCursorPosition,
    /// DSR ?996: dark or light.
    ColourScheme,
    /// DECRQM of a mode without `?`.
    AnsiMode(u16),
    /// DECRQM of a mode with `?`.
    PrivateMode(u16),
    /// OSC 4, 10, 11, 12 with `?`.
    Colours {
        /// Which ones, in order; each gets an answer of its own.
        slots: Vec<ColourSlot>,
        /// How the question ended, and so the answers.
        end: StringEnd,
    },
    /// `CSI 11 t`: shown or iconified.
    WindowState,
    /// `CSI 13 t`.
    WindowPosition,
    /// `CSI 14 t`: size of the text area in pixels.
    TextAreaPixels,
    /// `CSI 15 t`: size of the display in pixels.
    ScreenPixels,
    /// `CSI 16 t`: size of a cell in pixels.
    CellPixels,
    /// `CSI 18 t`: size of the text area in cells.
    TextAreaCells,
    /// `CSI 19 t`: size of the display in cells.
    ScreenCells,
    /// `CSI 20 t`.
    IconTitle,
    /// `CSI 21 t`.
    WindowTitle,
    /// `CSI ? u`: flags of the kitty keyboard protocol.
    KittyKeyboard,
    /// `CSI ? 4 m`: the level of modifyOtherKeys.
    ModifyOtherKeys,
    /// DECRQSS, with what it names (`m`, `r`, ` q`, …).
    Setting(Vec<u8>),
    /// XTGETTCAP, with its parameter: names in hexadecimal, separated by `;`.
    Capabilities(Vec<u8>),
    /// XTSMGRAPHICS, with the item that it asks for.
    Graphics(u16),
    /// DECREQTPARM.
    TerminalParameters(u16),
    /// A question that we know and have no answer for; terminals that do not know it are silent, and so are we.
    Unanswered,
}

/// A colour that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourSlot {
    /// OSC 4.
    Palette(u8),
    /// OSC 10.
    Foreground,
    /// OSC 11.
    Background,
    /// OSC 12.
    Cursor,
}

/// How a string ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StringEnd {
    /// With BEL.
    Bel,
    /// With ST (ESC `\`).
    St,
}

/// What `CSI body` asks; `None` when it is no question.
pub(super) fn csi(body: &[u8]) -> Option<Vec<Query>> {
    let (&last, rest) = body.split_last()?;
    let (prefix, rest) = match rest.split_first() {
        Some((&mark @ b'<'..=b'?', rest)) => (mark, rest),
        _ => (0, rest),
    };
    let digits = rest.iter().position(|b| !matches!(b, b'0'..=b';')).unwrap_or(rest.len());
    let (parameters, intermediates) = rest.split_at(digits);
    let mut numbers = parameters.split(|b| *b == b';').map(number);
    let first = numbers.next().flatten();
    let query = match (prefix, intermediates, last) {
        (0, b"", b'c') if first.unwrap_or(0) == 0 => Query::PrimaryAttributes,
        (b'>', b"", b'c') if first.unwrap_or(0) == 0 => Query::SecondaryAttributes,
        (b'=', b"", b'c') if first.unwrap_or(0) == 0 => Query::TertiaryAttributes,
        (b'>', b"", b'q') if first.unwrap_or(0) == 0 => Query::Version,
        (0, b"", b'n') => match first {
            Some(5) => Query::OperatingStatus,
            Some(6) => Query::CursorPosition,
            _ => Query::Unanswered,
        },
        (b'?', b"", b'n') => match first {
            Some(6) => Query::ExtendedCursorPosition,
            Some(996) => Query::ColourScheme,
            _ => Query::Unanswered,
        },
        (0, b"$", b'p') => Query::AnsiMode(first?),
        (b'?', b"$", b'p') => Query::PrivateMode(first?),
        (b'?', b"", b'u') => Query::KittyKeyboard,
        (b'?', b"", b'm') => match first {
            Some(4) => Query::ModifyOtherKeys,
            _ => Query::Unanswered,
        },
        (b'?', b"", b'S') => Query::Graphics(first.unwrap_or(0)),
        (0, b"", b'x') if first.unwrap_or(0) <= 1 => Query::TerminalParameters(first.unwrap_or(0)),
        // DECRQPSR, DECRQDE, checksums of rectangles, DECRQUPSS: xterm answers, so a client may.
        (0, b"$", b'w') | (0, b"\"", b'v') | (0, b"*", b'y') | (0, b"&", b'u') => Query::Unanswered,
        (0, b"", b't') => match first? {
            11 => Query::WindowState,
            13 => Query::WindowPosition,
            14 => Query::TextAreaPixels,
            15 => Query::ScreenPixels,
            16 => Query::CellPixels,
            18 => Query::TextAreaCells,
            19 => Query::ScreenCells,
            20 => Query::IconTitle,
            21 => Query::WindowTitle,
            _ => return None,
        },
        _ => return None,
    };
    Some(vec![query])
}

/// What `OSC body` asks; what it sets at the same time stays.
pub(super) fn osc(osc: u16, body: &[u8], end: StringEnd) -> Outcome {
    let mut parts = body.split(|b| *b == b';').skip(1);
    let mut slots = Vec::new();
    let mut unanswered = false;
    let mut kept: Vec<(u16, Vec<u8>)> = Vec::new();
    match osc {
        4 => {
            while let (Some(index), Some(value)) = (parts.next(), parts.next()) {
                match (value, number(index).and_then(|n| u8::try_from(n).ok())) {
                    (b"?", Some(index)) => slots.push(ColourSlot::Palette(index)),
                    (b"?", None) => unanswered = true,
                    _ => kept.push((osc, [b";", index, b";", value].concat())),
                }
            }
        }
        10..=19 => {
            for (slot, value) in (osc..).zip(parts) {
                match (value, slot) {
                    (b"?", 10) => slots.push(ColourSlot::Foreground),
                    (b"?", 11) => slots.push(ColourSlot::Background),
                    (b"?", 12) => slots.push(ColourSlot::Cursor),
                    (b"?", _) => unanswered = true,
                    _ => kept.push((slot, [b";", value].concat())),
                }
            }
        }
        _ => unanswered = parts.any(|part| part.starts_with(b"?") || part.ends_with(b"=?")),
    }
    let mut queries = Vec::new();
    if !slots.is_empty() {
        queries.push(Query::Colours { slots, end });
    }
    if unanswered {
        queries.push(Query::Unanswered);
    }
    if queries.is_empty() {
        return Outcome::Pass;
    }
    let rest = kept.iter().flat_map(|(n, text)| [format!("\x1b]{n}").as_bytes(), text, b"\x1b\\"].concat());
    Outcome::Replaced(queries, rest.collect())
}

/// What `DCS body` asks, without its terminator.
pub(super) fn dcs(body: &[u8]) -> Option<Vec<Query>> {
    if let Some(name) = body.strip_prefix(b"$q") {
        return Some(vec![Query::Setting(name.to_vec())]);
    }
    let names = body.strip_prefix(b"+q")?;
    Some(vec![Query::Capabilities(names.to_vec())])
}

/// Whether `APC body` (from its `G` on) asks the terminal about its graphics (kitty, `a=q`).
pub(super) fn is_graphics_query(body: &[u8]) -> bool {
    let keys = body.get(1..).unwrap_or_default();
    keys.split(|b| matches!(b, b',' | b';')).any(|key| key == b"a=q")
}

/// What OSC 52 does. `body` starts with `52;`.
pub(super) fn clipboard(body: &[u8], most_bytes: usize) -> Clipboard {
    let mut parts = body.splitn(3, |b| *b == b';').skip(1);
    let (Some(selection), Some(base64)) = (parts.next(), parts.next()) else { return Clipboard::Refused };
    let text_bytes = base64.len() / 4 * 3;
    let digits = base64.iter().rposition(|b| *b != b'=').map_or(0, |last| last + 1);
    let (data, padding) = base64.split_at(digits);
    let valid = data.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'))
        && padding.len() <= 2
        && selection.iter().all(|b| b"cpqs01234567".contains(b));
    if data.is_empty() || !valid || text_bytes > most_bytes + 2 {
        return Clipboard::Refused;
    }
    Clipboard::Write { selection: selection.to_vec(), base64: base64.to_vec() }
}

fn number(digits: &[u8]) -> Option<u16> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

//! The answers to a program's questions. Used by the host loop; reads the terminal and the look of the deciding
//! client, changes nothing.
//!
//! Ours is a terminal of xterm's kind: what it claims here is what the canonical terminal models and what zellij, as
//! the usual client, draws.

use super::{
    filter::{ColourSlot, Query, StringEnd},
    palette,
    session::SessionTerminal,
};
use board_protocol::host::TerminalLook;

/// The version in DA2. Programs compare it with xterm's patch levels: from 277 on they use SGR mouse reports.
const XTERM_LEVEL: u16 = 300;
/// Cell size in pixels (width, height) while no client said its own.
const DEFAULT_CELL: [u16; 2] = [8, 16];
/// Most names of one XTGETTCAP that are answered.
const MAX_CAPABILITIES: usize = 64;

/// How a mode stands, as DECRPM says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModeReport {
    Unknown = 0,
    Set = 1,
    Reset = 2,
}

impl From<bool> for ModeReport {
    fn from(set: bool) -> Self {
        if set { Self::Set } else { Self::Reset }
    }
}

/// Whether the answer depends on everything that was printed before: parse that first.
pub fn needs_screen(query: &Query) -> bool {
    matches!(
        query,
        Query::CursorPosition
            | Query::ExtendedCursorPosition
            | Query::AnsiMode(_)
            | Query::PrivateMode(_)
            | Query::KittyKeyboard
            | Query::ModifyOtherKeys
            | Query::Setting(_)
            | Query::Colours { .. }
            | Query::ColourScheme
    )
}

/// The bytes for the program, or `None` where a terminal is silent.
pub fn answer(query: &Query, terminal: &SessionTerminal, look: &TerminalLook) -> Option<Vec<u8>> {
    let size = terminal.size();
    let [cell_width, cell_height] =
        look.cell_pixels.filter(|cell| !cell.contains(&0)).unwrap_or(DEFAULT_CELL);
    let pixels =
        || (u32::from(size.rows) * u32::from(cell_height), u32::from(size.cols) * u32::from(cell_width));
    let text = match query {
        // VT220 with ANSI colours.
        Query::PrimaryAttributes => "\x1b[?62;22c".to_owned(),
        Query::SecondaryAttributes => format!("\x1b[>0;{XTERM_LEVEL};0c"),
        Query::TertiaryAttributes => "\x1bP!|00000000\x1b\\".to_owned(),
        Query::Version => format!("\x1bP>|agent-board({})\x1b\\", crate::BUILD),
        Query::OperatingStatus => "\x1b[0n".to_owned(),
        Query::CursorPosition => {
            let (row, col) = terminal.reported_cursor();
            format!("\x1b[{};{}R", row + 1, col + 1)
        }
        Query::ExtendedCursorPosition => {
            let (row, col) = terminal.reported_cursor();
            format!("\x1b[?{};{}R", row + 1, col + 1)
        }
        Query::ColourScheme => {
            let dark = palette::is_dark(colour(ColourSlot::Background, terminal, look));
            format!("\x1b[?997;{}n", if dark { 1 } else { 2 })
        }
        Query::AnsiMode(mode) => format!("\x1b[{mode};{}$y", terminal.ansi_mode(*mode) as u8),
        Query::PrivateMode(mode) => format!("\x1b[?{mode};{}$y", terminal.private_mode(*mode) as u8),
        Query::Colours { slots, end } => return Some(colours(slots, *end, terminal, look)),
        Query::WindowState => "\x1b[1t".to_owned(),
        Query::WindowPosition => "\x1b[3;0;0t".to_owned(),
        Query::TextAreaPixels => format!("\x1b[4;{};{}t", pixels().0, pixels().1),
        Query::ScreenPixels => format!("\x1b[5;{};{}t", pixels().0, pixels().1),
        Query::CellPixels => format!("\x1b[6;{cell_height};{cell_width}t"),
        Query::TextAreaCells => format!("\x1b[8;{};{}t", size.rows, size.cols),
        Query::ScreenCells => format!("\x1b[9;{};{}t", size.rows, size.cols),
        // The title could have been chosen by whoever wrote the output, and would be typed into the program.
        Query::IconTitle => "\x1b]L\x1b\\".to_owned(),
        Query::WindowTitle => "\x1b]l\x1b\\".to_owned(),
        Query::KittyKeyboard => format!("\x1b[?{}u", terminal.kitty_flags()),
        Query::ModifyOtherKeys => format!("\x1b[>4;{}m", terminal.modify_other_keys()),
        Query::Setting(name) => match terminal.setting(name) {
            Some(value) => format!("\x1bP1$r{value}\x1b\\"),
            None => "\x1bP0$r\x1b\\".to_owned(),
        },
        Query::Capabilities(names) => return capabilities(names),
        // 3: failure. No graphics.
        Query::Graphics(item) => format!("\x1b[?{item};3;0S"),
        Query::TerminalParameters(asked) => format!("\x1b[{};1;1;128;128;1;0x", asked + 2),
        Query::Unanswered => return None,
    };
    Some(text.into_bytes())
}

fn colour(slot: ColourSlot, terminal: &SessionTerminal, look: &TerminalLook) -> palette::Rgb16 {
    terminal.colour(slot).unwrap_or_else(|| match slot {
        ColourSlot::Palette(index) => palette::xterm(index),
        ColourSlot::Foreground | ColourSlot::Cursor => look.foreground.unwrap_or(palette::DEFAULT_FOREGROUND),
        ColourSlot::Background => look.background.unwrap_or(palette::DEFAULT_BACKGROUND),
    })
}

fn colours(slots: &[ColourSlot], end: StringEnd, terminal: &SessionTerminal, look: &TerminalLook) -> Vec<u8> {
    let end = match end {
        StringEnd::Bel => "\x07",
        StringEnd::St => "\x1b\\",
    };
    let one = |slot: &ColourSlot| {
        let name = match slot {
            ColourSlot::Palette(index) => format!("4;{index}"),
            ColourSlot::Foreground => "10".to_owned(),
            ColourSlot::Background => "11".to_owned(),
            ColourSlot::Cursor => "12".to_owned(),
        };
        format!("\x1b]{name};{}{end}", palette::format(colour(*slot, terminal, look)))
    };
    slots.iter().map(one).collect::<String>().into_bytes()
}

/// XTGETTCAP: one answer for each name.
fn capabilities(names: &[u8]) -> Option<Vec<u8>> {
    let one = |name: &[u8]| {
        let known = match unhex(name).as_deref() {
            Some(b"TN" | b"name") => Some("xterm-256color"),
            Some(b"Co" | b"colors") => Some("256"),
            Some(b"RGB") => Some("8/8/8"),
            _ => None,
        };
        let name: String = name.iter().filter(|b| b.is_ascii_hexdigit()).map(|b| char::from(*b)).collect();
        match known {
            Some(value) => {
                let value: String = value.bytes().map(|b| format!("{b:02x}")).collect();
                format!("\x1bP1+r{name}={value}\x1b\\")
            }
            None => format!("\x1bP0+r{name}\x1b\\"),
        }
    };
    let text: String = names.split(|b| *b == b';').take(MAX_CAPABILITIES).map(one).collect();
    Some(text.into_bytes())
}

fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    text.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::filter::{Found, OutputFilter},
        *,
    };
    use board_protocol::ids::Size;

    /// What a program that printed `printed` reads.
    fn read(printed: &str, look: &TerminalLook) -> String {
        let mut terminal = SessionTerminal::new(Size { cols: 80, rows: 24 }, 100);
        let (mut output, mut found) = (Vec::new(), Vec::new());
        OutputFilter::new().scan(printed.as_bytes(), &mut output, &mut found);
        terminal.feed(&output);
        let answers = found.iter().filter_map(|found| match found {
            Found::Query { query, .. } => answer(query, &terminal, look),
            Found::Clipboard { .. } => None,
        });
        String::from_utf8(answers.collect::<Vec<_>>().concat()).unwrap_or_default()
    }

    #[test]
    fn every_question_has_its_answer() {
        let look = TerminalLook {
            foreground: Some([1, 2, 3]),
            background: Some([0xffff, 0xffff, 0xfff0]),
            cell_pixels: Some([9, 18]),
        };
        let table = [
            ("\x1b[c", "\x1b[?62;22c"),
            ("\x1b[>c", "\x1b[>0;300;0c"),
            ("\x1b[=c", "\x1bP!|00000000\x1b\\"),
            ("\x1b[5n", "\x1b[0n"),
            ("abc\r\nde\x1b[6n", "\x1b[2;3R"),
            ("\x1b[5;7H\x1b[?6n", "\x1b[?5;7R"),
            ("\x1b[24;80Hx\x1b[6n", "\x1b[24;80R"),
            ("\x1b[?996n", "\x1b[?997;2n"),
            ("\x1b[?25l\x1b[?25$p", "\x1b[?25;2$y"),
            ("\x1b[?25$p", "\x1b[?25;1$y"),
            ("\x1b[?1h\x1b[?1$p", "\x1b[?1;1$y"),
            ("\x1b[?2004$p", "\x1b[?2004;2$y"),
            ("\x1b[?4242$p", "\x1b[?4242;0$y"),
            ("\x1b[4242$p", "\x1b[4242;0$y"),
            ("\x1b]10;?\x07", "\x1b]10;rgb:0001/0002/0003\x07"),
            ("\x1b]11;?\x1b\\", "\x1b]11;rgb:ffff/ffff/fff0\x1b\\"),
            ("\x1b]4;1;?;2;?\x07", "\x1b]4;1;rgb:cdcd/0000/0000\x07\x1b]4;2;rgb:0000/cdcd/0000\x07"),
            ("\x1b[14t", "\x1b[4;432;720t"),
            ("\x1b[16t", "\x1b[6;18;9t"),
            ("\x1b[18t", "\x1b[8;24;80t"),
            ("\x1b]2;secret\x07\x1b[21t", "\x1b]l\x1b\\"),
            ("\x1b[?u", "\x1b[?0u"),
            (
                "\x1bP+q544e;436f;6162\x1b\\",
                "\x1bP1+r544e=787465726d2d323536636f6c6f72\x1b\\\x1bP1+r436f=323536\x1b\\\x1bP0+r6162\x1b\\",
            ),
            ("\x1bP$q\"p\x1b\\", "\x1bP0$r\x1b\\"),
            ("\x1b[?1;1;0S", "\x1b[?1;3;0S"),
            ("\x1b[x", "\x1b[2;1;1;128;128;1;0x"),
            ("\x1b]17;?\x07", ""),
        ];
        for (question, expected) in table {
            assert_eq!(read(question, &look), expected, "{}", question.escape_debug());
        }
        assert!(read("\x1b[>q", &look).starts_with("\x1bP>|agent-board("));
    }

    #[test]
    fn a_look_that_is_not_known_is_dark_with_a_usual_cell() {
        let look = TerminalLook { cell_pixels: Some([0, 0]), ..TerminalLook::default() };
        assert_eq!(read("\x1b]11;?\x07", &look), "\x1b]11;rgb:1818/1818/1818\x07");
        assert_eq!(read("\x1b[16t", &look), "\x1b[6;16;8t");
        assert_eq!(read("\x1b[?996n", &look), "\x1b[?997;1n");
    }
}

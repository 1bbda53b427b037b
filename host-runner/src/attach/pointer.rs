//! The mouse of a person in a pane that the client draws itself: reports of the terminal become those that the program would
//! have got in a pane of its own size, and a click on the banner's key skips. Pure.
//!
//! Only a terminal whose session has the mouse on sends any: switching it on for the banner alone would take zellij's own
//! scrolling and selecting away. Reports arrive in SGR form, which [`crate::terminal::InputModes`] asks for.

use crate::terminal::MouseEncoding;
use board_protocol::ids::Size;
use std::ops::Range;

/// Shift, Alt and Ctrl in the number of a button.
const MODIFIERS: u16 = 4 | 8 | 16;
/// The pointer moved.
const MOTION: u16 = 32;
/// The wheel and buttons beyond the third.
const OTHERS: u16 = 64 | 128;
/// No button, in the last two bits.
const NONE: u16 = 3;
/// Most that a byte above a blank can say.
const MAX_BYTE: u16 = 223;
/// Most that such a character of UTF-8 can say (xterm).
const MAX_CHARACTER: u16 = 2015;

/// What is where in the pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Rows above the session's picture: the banner's.
    pub above: u16,
    /// Columns of the banner in which a click skips, from 0.
    pub skip: Option<Range<u16>>,
    /// The first row and column of the session that is shown.
    pub corner: (u16, u16),
    /// The session's size.
    pub size: Size,
    /// How the program wants to be told, if it does.
    pub encoding: Option<MouseEncoding>,
}

/// What became of a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pointed {
    /// It is no report of the mouse.
    Other,
    /// For nobody.
    Nothing,
    /// The banner's key was clicked.
    Skip,
    /// For the program.
    Told(Vec<u8>),
}

/// Follows the mouse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    layout: Layout,
    /// A button went down on the banner: what it does until it comes up is not the program's.
    on_banner: bool,
}

impl Pointer {
    /// In a pane that is laid out so.
    pub fn new(layout: Layout) -> Self {
        Self { layout, on_banner: false }
    }

    /// The pane is drawn in another way.
    pub fn lay_out(&mut self, layout: Layout) {
        self.layout = layout;
    }

    /// Takes a whole control sequence.
    pub fn take(&mut self, sequence: &[u8]) -> Pointed {
        let Some((button, x, y, pressed)) = report(sequence) else { return Pointed::Other };
        let Layout { above, skip, corner, size, encoding } = &self.layout;
        let pushes = pressed && button & (MOTION | OTHERS) == 0;
        let on_banner = y <= *above;
        if on_banner && pressed {
            let left = button & !MODIFIERS == 0;
            let hit = skip.as_ref().is_some_and(|skip| skip.contains(&x.saturating_sub(1)));
            if pushes {
                self.on_banner = true;
                return if left && hit { Pointed::Skip } else { Pointed::Nothing };
            }
            // A button that went down in the session is dragged across; everything else here is the banner's.
            if self.on_banner || button & MOTION == 0 || button & NONE == NONE {
                return Pointed::Nothing;
            }
        }
        if self.on_banner {
            self.on_banner = pressed;
            if !pushes {
                return Pointed::Nothing;
            }
            self.on_banner = false;
        }
        let Some(encoding) = encoding else { return Pointed::Nothing };
        let (column, row) =
            (x.saturating_add(corner.1), y.saturating_sub(*above).max(1).saturating_add(corner.0));
        let outside = column > size.cols || row > size.rows;
        if outside && pressed && button & MOTION == 0 {
            return Pointed::Nothing;
        }
        tell(*encoding, button, column.min(size.cols), row.min(size.rows), pressed)
            .map_or(Pointed::Nothing, Pointed::Told)
    }
}

/// Button, column and row from 1, and whether it is no release.
fn report(sequence: &[u8]) -> Option<(u16, u16, u16, bool)> {
    let (last, body) = sequence.strip_prefix(b"\x1b[<")?.split_last()?;
    let pressed = match last {
        b'M' => true,
        b'm' => false,
        _ => return None,
    };
    let mut numbers = std::str::from_utf8(body).ok()?.split(';').map(|number| number.parse().ok());
    let report = (numbers.next()??, numbers.next()??, numbers.next()??, pressed);
    numbers.next().is_none().then_some(report)
}

/// The report as a program reads it; `None` if its form cannot say it.
fn tell(encoding: MouseEncoding, button: u16, column: u16, row: u16, pressed: bool) -> Option<Vec<u8>> {
    // The older forms do not say which button came up.
    let old = if pressed { button } else { button & !NONE | NONE };
    match encoding {
        MouseEncoding::Sgr => {
            let end = if pressed { 'M' } else { 'm' };
            Some(format!("\x1b[<{button};{column};{row}{end}").into_bytes())
        }
        MouseEncoding::Urxvt => Some(format!("\x1b[{};{column};{row}M", old + 32).into_bytes()),
        MouseEncoding::Bytes => {
            let mut bytes = b"\x1b[M".to_vec();
            for number in [old, column, row] {
                bytes.push(u8::try_from(number.checked_add(32).filter(|_| number <= MAX_BYTE)?).ok()?);
            }
            Some(bytes)
        }
        MouseEncoding::Characters => {
            let mut text = "\x1b[M".to_owned();
            for number in [old, column, row] {
                let number = number.checked_add(32).filter(|_| number <= MAX_CHARACTER)?;
                text.push(char::from_u32(number.into())?);
            }
            Some(text.into_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A session of 80x24 in a pane of its size, whose first row is cut away for the banner.
    fn pointer(encoding: Option<MouseEncoding>) -> Pointer {
        let size = Size { cols: 80, rows: 24 };
        Pointer::new(Layout { above: 1, skip: Some(67..79), corner: (1, 0), size, encoding })
    }

    fn told(bytes: &[u8]) -> Pointed {
        Pointed::Told(bytes.to_vec())
    }

    #[test]
    fn a_click_in_the_session_arrives_where_the_program_drew() {
        let mut pointer = pointer(Some(MouseEncoding::Sgr));
        assert_eq!(
            pointer.take(b"\x1b[<0;5;2M"),
            told(b"\x1b[<0;5;2M"),
            "the first row that is shown is its second"
        );
        assert_eq!(pointer.take(b"\x1b[<0;5;24m"), told(b"\x1b[<0;5;24m"));
        pointer.lay_out(Layout { corner: (10, 20), ..pointer.layout.clone() });
        assert_eq!(pointer.take(b"\x1b[<64;1;2M"), told(b"\x1b[<64;21;11M"));
        assert_eq!(pointer.take(b"\x1b[A"), Pointed::Other);
        assert_eq!(pointer.take(b"\x1b[<0;5M"), Pointed::Other);
        assert_eq!(pointer.take(b"\x1b[<0;70000;1M"), Pointed::Other);
    }

    #[test]
    fn a_click_on_the_key_skips_and_nothing_of_it_reaches_the_program() {
        for column in [68, 79] {
            let mut pointer = pointer(Some(MouseEncoding::Sgr));
            assert_eq!(pointer.take(format!("\x1b[<0;{column};1M").as_bytes()), Pointed::Skip);
            assert_eq!(pointer.take(b"\x1b[<32;70;9M"), Pointed::Nothing, "dragged away");
            assert_eq!(pointer.take(b"\x1b[<0;70;9m"), Pointed::Nothing);
            assert_eq!(pointer.take(b"\x1b[<0;70;9M"), told(b"\x1b[<0;70;9M"), "the next one is its own");
        }
        let mut pointer = pointer(Some(MouseEncoding::Sgr));
        for elsewhere in
            ["0;67;1M", "0;67;1m", "0;80;1M", "0;80;1m", "2;70;1M", "2;70;1m", "64;70;1M", "35;70;1M"]
        {
            assert_eq!(
                pointer.take(format!("\x1b[<{elsewhere}").as_bytes()),
                Pointed::Nothing,
                "{elsewhere}"
            );
        }
    }

    #[test]
    fn what_is_dragged_out_of_the_session_onto_the_banner_is_still_its_own() {
        let mut pointer = pointer(Some(MouseEncoding::Sgr));
        assert_eq!(pointer.take(b"\x1b[<0;70;3M"), told(b"\x1b[<0;70;3M"));
        assert_eq!(pointer.take(b"\x1b[<32;70;1M"), told(b"\x1b[<32;70;2M"));
        assert_eq!(pointer.take(b"\x1b[<0;70;1m"), told(b"\x1b[<0;70;2m"));
    }

    #[test]
    fn beside_a_smaller_session_there_is_nothing_to_click() {
        let size = Size { cols: 20, rows: 5 };
        let layout =
            Layout { above: 0, skip: None, corner: (0, 0), size, encoding: Some(MouseEncoding::Sgr) };
        let mut pointer = Pointer::new(layout);
        assert_eq!(pointer.take(b"\x1b[<0;21;1M"), Pointed::Nothing);
        assert_eq!(pointer.take(b"\x1b[<0;1;6M"), Pointed::Nothing);
        assert_eq!(pointer.take(b"\x1b[<0;20;5M"), told(b"\x1b[<0;20;5M"));
        assert_eq!(
            pointer.take(b"\x1b[<0;50;50m"),
            told(b"\x1b[<0;20;5m"),
            "a button that comes up outside does"
        );
    }

    #[test]
    fn the_program_is_told_in_the_form_that_it_wants() {
        let table: [(Option<MouseEncoding>, &[u8], Pointed); 8] = [
            (Some(MouseEncoding::Bytes), b"\x1b[<0;5;9M", told(b"\x1b[M %)")),
            (Some(MouseEncoding::Bytes), b"\x1b[<0;5;9m", told(b"\x1b[M#%)")),
            (Some(MouseEncoding::Urxvt), b"\x1b[<0;5;9M", told(b"\x1b[32;5;9M")),
            (Some(MouseEncoding::Urxvt), b"\x1b[<2;5;9m", told(b"\x1b[35;5;9M")),
            (Some(MouseEncoding::Characters), b"\x1b[<0;80;9M", told(b"\x1b[M p)")),
            (Some(MouseEncoding::Sgr), b"\x1b[<18;5;9m", told(b"\x1b[<18;5;9m")),
            (None, b"\x1b[<0;5;9M", Pointed::Nothing),
            (None, b"\x1b[<0;70;1M", Pointed::Skip),
        ];
        for (encoding, report, expected) in table {
            assert_eq!(pointer(encoding).take(report), expected, "{encoding:?} {}", report.escape_ascii());
        }
        let wide = Layout {
            size: Size { cols: 999, rows: 999 },
            encoding: Some(MouseEncoding::Bytes),
            ..pointer(None).layout
        };
        assert_eq!(Pointer::new(wide).take(b"\x1b[<0;300;9M"), Pointed::Nothing, "a byte cannot say it");
    }
}

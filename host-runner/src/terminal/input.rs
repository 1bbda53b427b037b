//! How a terminal has to send keys, pastes and the mouse, as the program of a session asked for it. Pure.
//!
//! Used by a client that draws a session itself and so keeps its bytes from the person's terminal: what is typed must arrive
//! all the same as the program expects it.

use super::session::SessionTerminal;
use std::fmt::Write as _;

/// Which events of the mouse are told: the private mode that asks for them.
const PROTOCOLS: [u16; 4] = [9, 1000, 1002, 1003];

/// How the mouse is told to a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseEncoding {
    /// Three bytes, each at most 223 above a blank.
    Bytes,
    /// Three characters of UTF-8 (1005).
    Characters,
    /// `CSI < b ; x ; y M` and `m` (1006).
    Sgr,
    /// `CSI b ; x ; y M` (1015).
    Urxvt,
}

/// The switches that are about input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputModes {
    cursor_keys: bool,
    keypad: bool,
    paste: bool,
    focus: bool,
    kitty: u8,
    modify_other_keys: u8,
    /// Which events, if any, and in which form the program wants them.
    mouse: Option<(u16, MouseEncoding)>,
}

impl SessionTerminal {
    /// What the program asked for by now.
    pub fn input_modes(&self) -> InputModes {
        let protocol = PROTOCOLS.into_iter().find(|mode| self.has_mode(*mode));
        let encoding =
            [(1006, MouseEncoding::Sgr), (1015, MouseEncoding::Urxvt), (1005, MouseEncoding::Characters)];
        let encoding = encoding.into_iter().find(|(mode, _)| self.has_mode(*mode));
        let encoding = encoding.map_or(MouseEncoding::Bytes, |(_, encoding)| encoding);
        // Pixels cannot be made of cells: such a program has no mouse here.
        let mouse = protocol.filter(|_| !self.has_mode(1016)).map(|protocol| (protocol, encoding));
        InputModes {
            cursor_keys: self.has_mode(1),
            keypad: self.has_mode(66),
            paste: self.has_mode(2004),
            focus: self.has_mode(1004),
            kitty: self.kitty_flags(),
            modify_other_keys: self.modify_other_keys(),
            mouse,
        }
    }
}

impl InputModes {
    /// The form in which the program wants the mouse, if it wants it.
    pub fn mouse(&self) -> Option<MouseEncoding> {
        self.mouse.map(|(_, encoding)| encoding)
    }

    /// Puts a terminal into these modes, whatever it was in. The mouse comes in SGR form, in which every cell can be told;
    /// whoever passes it on gives it the form that the program wants.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = String::new();
        let switch = |on: bool| if on { 'h' } else { 'l' };
        for (mode, on) in [(1, self.cursor_keys), (2004, self.paste), (1004, self.focus)] {
            let _ = write!(out, "\x1b[?{mode}{}", switch(on));
        }
        out.push_str(if self.keypad { "\x1b=" } else { "\x1b>" });
        out.push_str("\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l");
        if let Some((protocol, _)) = self.mouse {
            let _ = write!(out, "\x1b[?{protocol}h\x1b[?1006h");
        }
        let _ = write!(out, "\x1b[={};1u\x1b[>4;{}m", self.kitty, self.modify_other_keys);
        out.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::ids::Size;

    fn modes(bytes: &[u8]) -> InputModes {
        let mut terminal = SessionTerminal::new(Size { cols: 80, rows: 24 }, 0);
        terminal.feed(bytes);
        terminal.input_modes()
    }

    #[test]
    fn a_terminal_in_these_modes_is_in_these_modes() {
        let table: [&[u8]; 6] = [
            b"",
            b"\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h",
            b"\x1b[?1002h\x1b[?1006h",
            b"\x1b[?1003h\x1b[?1006h\x1b[>3u",
            b"\x1b[>4;2m",
            b"\x1b[?9h\x1b[?1006h",
        ];
        for asked in table {
            let wanted = modes(asked);
            for before in table {
                let bytes = [before, &wanted.bytes()].concat();
                assert_eq!(modes(&bytes), wanted, "{} after {}", asked.escape_ascii(), before.escape_ascii());
            }
        }
    }

    #[test]
    fn the_form_of_the_mouse_is_the_one_that_was_asked_for() {
        let table: [(&[u8], Option<MouseEncoding>); 7] = [
            (b"", None),
            (b"\x1b[?1006h", None),
            (b"\x1b[?1000h", Some(MouseEncoding::Bytes)),
            (b"\x1b[?1000h\x1b[?1005h", Some(MouseEncoding::Characters)),
            (b"\x1b[?1003h\x1b[?1015h", Some(MouseEncoding::Urxvt)),
            (b"\x1b[?1002h\x1b[?1006h", Some(MouseEncoding::Sgr)),
            (b"\x1b[?1002h\x1b[?1016h", None),
        ];
        for (asked, form) in table {
            assert_eq!(modes(asked).mouse(), form, "{}", asked.escape_ascii());
        }
    }
}

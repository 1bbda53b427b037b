//! How printed characters look: SGR read, kept and written. Used by the model and by snapshots; knows no screen.

use super::params::Params;

/// A colour as programs choose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum Colour {
    /// The terminal's own.
    #[default]
    Default,
    /// From the palette.
    Index(u8),
    /// By its channels.
    Rgb(u8, u8, u8),
}

/// The line under a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum Underline {
    #[default]
    None,
    Single,
    Double,
    Curly,
    Dotted,
    Dashed,
}

/// Everything that SGR sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Style {
    pub(super) foreground: Colour,
    pub(super) background: Colour,
    pub(super) underline_colour: Colour,
    pub(super) underline: Underline,
    pub(super) flags: u16,
}

/// One switch of SGR that is on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Flag {
    Bold = 1,
    Dim = 2,
    Italic = 4,
    Blink = 8,
    RapidBlink = 16,
    Inverse = 32,
    Hidden = 64,
    Strike = 128,
    Overline = 256,
}

/// Each switch with the number that sets it, in the order in which they are written.
const SWITCHES: [(Flag, u8); 9] = [
    (Flag::Bold, 1),
    (Flag::Dim, 2),
    (Flag::Italic, 3),
    (Flag::Blink, 5),
    (Flag::RapidBlink, 6),
    (Flag::Inverse, 7),
    (Flag::Hidden, 8),
    (Flag::Strike, 9),
    (Flag::Overline, 53),
];

impl Style {
    /// Nothing but a background: what erased cells keep.
    pub(super) fn erased(background: Colour) -> Self {
        Self { background, ..Self::default() }
    }

    pub(super) fn has(self, flag: Flag) -> bool {
        self.flags & flag as u16 != 0
    }

    pub(super) fn set(&mut self, flag: Flag, on: bool) {
        if on {
            self.flags |= flag as u16;
        } else {
            self.flags &= !(flag as u16);
        }
    }

    /// Follows one SGR sequence. Numbers that we do not know are ignored.
    pub(super) fn apply(&mut self, params: &Params) {
        let mut groups = params.groups();
        while let Some(group) = groups.next() {
            let Some((&code, sub)) = group.split_first() else { continue };
            match code {
                0 => *self = Self::default(),
                1 => self.set(Flag::Bold, true),
                2 => self.set(Flag::Dim, true),
                3 => self.set(Flag::Italic, true),
                4 => self.underline = underline(sub),
                5 => self.set(Flag::Blink, true),
                6 => self.set(Flag::RapidBlink, true),
                7 => self.set(Flag::Inverse, true),
                8 => self.set(Flag::Hidden, true),
                9 => self.set(Flag::Strike, true),
                // Double underline by ECMA-48, but bold off in zellij and Alacritty, which draw what follows.
                21 => self.set(Flag::Bold, false),
                22 => {
                    self.set(Flag::Bold, false);
                    self.set(Flag::Dim, false);
                }
                23 => self.set(Flag::Italic, false),
                24 => self.underline = Underline::None,
                25 => {
                    self.set(Flag::Blink, false);
                    self.set(Flag::RapidBlink, false);
                }
                27 => self.set(Flag::Inverse, false),
                28 => self.set(Flag::Hidden, false),
                29 => self.set(Flag::Strike, false),
                30..=37 => self.foreground = named(code - 30),
                39 => self.foreground = Colour::Default,
                40..=47 => self.background = named(code - 40),
                49 => self.background = Colour::Default,
                53 => self.set(Flag::Overline, true),
                55 => self.set(Flag::Overline, false),
                59 => self.underline_colour = Colour::Default,
                90..=97 => self.foreground = named(code - 90 + 8),
                100..=107 => self.background = named(code - 100 + 8),
                38 | 48 | 58 => {
                    let colour = if sub.is_empty() {
                        // `38;5;n` and `38;2;r;g;b`: the numbers are groups of their own.
                        let mut numbers = || groups.next().and_then(|g| g.first().copied());
                        match numbers() {
                            Some(5) => numbers().and_then(index),
                            Some(2) => {
                                let (r, g, b) = (numbers(), numbers(), numbers());
                                r.zip(g).zip(b).and_then(|((r, g), b)| rgb(&[r, g, b]))
                            }
                            _ => None,
                        }
                    } else {
                        extended_colour(sub)
                    };
                    let Some(colour) = colour else { continue };
                    match code {
                        38 => self.foreground = colour,
                        48 => self.background = colour,
                        _ => self.underline_colour = colour,
                    }
                }
                _ => {}
            }
        }
    }

    /// Writes the sequence that sets exactly this, whatever was set before.
    pub(super) fn write(self, out: &mut Vec<u8>) {
        if self == Self::default() {
            out.extend_from_slice(b"\x1b[m");
            return;
        }
        out.extend_from_slice(b"\x1b[0");
        if self.flags != 0 {
            for (flag, code) in SWITCHES {
                if self.has(flag) {
                    out.push(b';');
                    number(code, out);
                }
            }
        }
        match self.underline {
            Underline::None => {}
            Underline::Single => out.extend_from_slice(b";4"),
            // Not 21: see `apply`.
            Underline::Double => out.extend_from_slice(b";4:2"),
            Underline::Curly => out.extend_from_slice(b";4:3"),
            Underline::Dotted => out.extend_from_slice(b";4:4"),
            Underline::Dashed => out.extend_from_slice(b";4:5"),
        }
        self.foreground.write([30, 90, 38], out);
        self.background.write([40, 100, 48], out);
        match self.underline_colour {
            Colour::Default => {}
            Colour::Index(n) => {
                out.extend_from_slice(b";58:5:");
                number(n, out);
            }
            Colour::Rgb(r, g, b) => {
                out.extend_from_slice(b";58:2::");
                number(r, out);
                out.push(b':');
                number(g, out);
                out.push(b':');
                number(b, out);
            }
        }
        out.push(b'm');
    }

    /// The parameters of [`Style::write`], as DECRQSS reports them.
    pub(super) fn report(self) -> String {
        let mut out = Vec::new();
        self.write(&mut out);
        let text = String::from_utf8_lossy(&out).into_owned();
        text.trim_start_matches("\x1b[").trim_end_matches('m').to_owned()
    }
}

impl Colour {
    fn write(self, [low, bright, extended]: [u8; 3], out: &mut Vec<u8>) {
        match self {
            Self::Default => {}
            Self::Index(n @ 0..=7) => {
                out.push(b';');
                number(low + n, out);
            }
            Self::Index(n @ 8..=15) => {
                out.push(b';');
                number(bright + n - 8, out);
            }
            Self::Index(n) => {
                out.push(b';');
                number(extended, out);
                out.extend_from_slice(b";5;");
                number(n, out);
            }
            Self::Rgb(r, g, b) => {
                out.push(b';');
                number(extended, out);
                out.extend_from_slice(b";2;");
                number(r, out);
                out.push(b';');
                number(g, out);
                out.push(b';');
                number(b, out);
            }
        }
    }
}

/// Writes a number in decimal.
pub(super) fn number(value: impl Into<u32>, out: &mut Vec<u8>) {
    let mut value = value.into();
    let mut digits = [0_u8; 10];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

fn named(n: u16) -> Colour {
    Colour::Index(n as u8)
}

fn index(n: u16) -> Option<Colour> {
    u8::try_from(n).ok().map(Colour::Index)
}

fn rgb(channels: &[u16]) -> Option<Colour> {
    let &[r, g, b] = channels else { return None };
    Some(Colour::Rgb(u8::try_from(r).ok()?, u8::try_from(g).ok()?, u8::try_from(b).ok()?))
}

/// `5:n`, `2:r:g:b` and `2:space:r:g:b`.
fn extended_colour(sub: &[u16]) -> Option<Colour> {
    match sub {
        [5, n, ..] => index(*n),
        [2, r, g, b] => rgb(&[*r, *g, *b]),
        [2, _, r, g, b, ..] => rgb(&[*r, *g, *b]),
        _ => None,
    }
}

fn underline(sub: &[u16]) -> Underline {
    match sub {
        [0, ..] => Underline::None,
        [2, ..] => Underline::Double,
        [3, ..] => Underline::Curly,
        [4, ..] => Underline::Dotted,
        [5, ..] => Underline::Dashed,
        _ => Underline::Single,
    }
}

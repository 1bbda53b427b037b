//! Colours as terminals report them. Used by the answers to colour queries; knows no session.

/// A colour with 16 bits a channel, as `OSC 10` and its kin speak.
pub(super) type Rgb16 = [u16; 3];

/// The foreground that is reported while no client said what its terminal looks like: light on dark.
pub(super) const DEFAULT_FOREGROUND: Rgb16 = [0xd8d8, 0xd8d8, 0xd8d8];
/// The background that is reported while no client said what its terminal looks like.
pub(super) const DEFAULT_BACKGROUND: Rgb16 = [0x1818, 0x1818, 0x1818];

/// xterm's sixteen named colours.
const NAMED: [[u8; 3]; 16] = [
    [0x00, 0x00, 0x00],
    [0xcd, 0x00, 0x00],
    [0x00, 0xcd, 0x00],
    [0xcd, 0xcd, 0x00],
    [0x00, 0x00, 0xee],
    [0xcd, 0x00, 0xcd],
    [0x00, 0xcd, 0xcd],
    [0xe5, 0xe5, 0xe5],
    [0x7f, 0x7f, 0x7f],
    [0xff, 0x00, 0x00],
    [0x00, 0xff, 0x00],
    [0xff, 0xff, 0x00],
    [0x5c, 0x5c, 0xff],
    [0xff, 0x00, 0xff],
    [0x00, 0xff, 0xff],
    [0xff, 0xff, 0xff],
];

/// xterm's palette: sixteen names, a cube of 6x6x6, 24 greys.
pub(super) fn xterm(index: u8) -> Rgb16 {
    let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
    let rgb = match index {
        0..16 => NAMED[usize::from(index)],
        16..232 => {
            let n = index - 16;
            [level(n / 36), level(n / 6 % 6), level(n % 6)]
        }
        232.. => [8 + 10 * (index - 232); 3],
    };
    rgb.map(|channel| u16::from(channel) * 0x101)
}

/// Parses `rgb:R/G/B` (one to four hex digits each) and `#RGB` (one to four each); `None` for anything else.
pub fn parse(text: &[u8]) -> Option<[u16; 3]> {
    let text = std::str::from_utf8(text).ok()?;
    if let Some(hex) = text.strip_prefix('#') {
        let digits = hex.len() / 3;
        if !matches!(digits, 1..=4) || hex.len() != digits * 3 || !hex.is_ascii() {
            return None;
        }
        // `#RGB` gives the high bits (XParseColor), unlike `rgb:`, which scales.
        let channel = |n: usize| {
            let value = u16::from_str_radix(hex.get(n * digits..(n + 1) * digits)?, 16).ok()?;
            Some(value << (16 - 4 * digits))
        };
        return Some([channel(0)?, channel(1)?, channel(2)?]);
    }
    let mut channels = text.strip_prefix("rgb:")?.split('/').map(|part| {
        let digits = part.len();
        if !matches!(digits, 1..=4) {
            return None;
        }
        let value = u32::from_str_radix(part, 16).ok()?;
        u16::try_from(value * 0xffff / ((1 << (4 * digits)) - 1)).ok()
    });
    let rgb = [channels.next()??, channels.next()??, channels.next()??];
    channels.next().is_none().then_some(rgb)
}

/// `rgb:rrrr/gggg/bbbb`, as every terminal reports a colour.
pub(super) fn format([r, g, b]: Rgb16) -> String {
    format!("rgb:{r:04x}/{g:04x}/{b:04x}")
}

/// Whether text on this background should be light (half of the luminance, reference E.10).
pub(super) fn is_dark([r, g, b]: Rgb16) -> bool {
    let luminance = 2126 * u64::from(r) + 7152 * u64::from(g) + 722 * u64::from(b);
    luminance < 10_000 * 0xffff / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_palette_is_xterms() {
        assert_eq!(format(xterm(1)), "rgb:cdcd/0000/0000");
        assert_eq!(format(xterm(16)), "rgb:0000/0000/0000");
        assert_eq!(format(xterm(196)), "rgb:ffff/0000/0000");
        assert_eq!(format(xterm(231)), "rgb:ffff/ffff/ffff");
        assert_eq!(format(xterm(232)), "rgb:0808/0808/0808");
        assert_eq!(format(xterm(255)), "rgb:eeee/eeee/eeee");
    }

    #[test]
    fn colours_are_parsed_as_x_does() {
        assert_eq!(parse(b"rgb:ff/00/80"), Some([0xffff, 0, 0x8080]));
        assert_eq!(parse(b"rgb:f/0/8"), Some([0xffff, 0, 0x8888]));
        assert_eq!(parse(b"rgb:1234/5678/9abc"), Some([0x1234, 0x5678, 0x9abc]));
        assert_eq!(parse(b"#f08"), Some([0xf000, 0, 0x8000]));
        assert_eq!(parse(b"#ff0080"), Some([0xff00, 0, 0x8000]));
        for bad in [
            &b""[..],
            b"red",
            b"rgb:",
            b"rgb:1/2",
            b"rgb:1/2/3/4",
            b"rgb:12345/0/0",
            b"#",
            b"#12",
            b"#\xc3\xa9a",
        ] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn dark_and_light_are_told_apart() {
        assert!(is_dark(DEFAULT_BACKGROUND));
        assert!(!is_dark(DEFAULT_FOREGROUND));
    }
}

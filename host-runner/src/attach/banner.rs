//! The row on top of a terminal that an agent waits for: what it waits for, and how to end that. Pure.
//!
//! Drawn by [`super::compose`] above the client's own picture of the session, so that no byte of the program can touch it.

use super::chord::Chord;
use board_protocol::{needle, terminals::Waiting};
use board_text::waits as texts;
use std::{fmt::Write as _, ops::Range};
use unicode_width::UnicodeWidthChar;

/// The terminal's own yellow with the text in its background: a warning in every theme.
const STYLE: &str = "\x1b[m\x1b[7;33m";
/// Where there is less room for the needle behind those words, it stands by itself.
const LEAST_NEEDLE_COLUMNS: usize = 8;

/// The row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    waiting: Waiting,
    /// How the waits are skipped; empty where that cannot be done.
    skip: String,
}

impl Banner {
    /// For these waits; `key` skips them, `None` for who may only look.
    pub fn new(waiting: Waiting, key: Option<&Chord>) -> Self {
        let skip = key.map(|key| texts::skip_key(written(key))).unwrap_or_default();
        Self { waiting, skip }
    }

    /// The bytes that draw it over the first row of a terminal of this width.
    pub fn draw(&self, columns: u16) -> String {
        let cells = usize::from(columns);
        let mut out = format!("\x1b[1;1H{STYLE}{}", " ".repeat(cells));
        let skip = self.skip_columns(columns);
        let room = usize::from(skip.as_ref().map_or(columns, |skip| skip.start).saturating_sub(2));
        let _ = write!(out, "\x1b[1;{}H{}", 2.min(cells.max(1)), self.words(room));
        if let Some(skip) = skip {
            let _ = write!(out, "\x1b[1;{}H\x1b[1m{}", skip.start + 1, self.skip);
        }
        out.push_str("\x1b[m");
        out
    }

    /// Where a click skips: columns from 0, at the right edge with one blank behind it. `None` where it does not fit.
    pub fn skip_columns(&self, columns: u16) -> Option<Range<u16>> {
        let wide = u16::try_from(width(&self.skip)).ok().filter(|wide| *wide > 0)?;
        let end = columns.checked_sub(1)?;
        Some(end.checked_sub(wide)?..end)
    }

    /// What it says in at most so many cells.
    fn words(&self, room: usize) -> String {
        let needle = |room| needle::short(&self.waiting.needle, room);
        let words = width(&texts::waiting_for(""));
        let Some(left) = room.checked_sub(words).filter(|left| *left >= LEAST_NEEDLE_COLUMNS) else {
            return needle(room);
        };
        let more = match self.waiting.count {
            0 | 1 => String::new(),
            count => format!(" {}", texts::more(count - 1)),
        };
        match left.checked_sub(width(&more)).filter(|left| *left >= LEAST_NEEDLE_COLUMNS) {
            Some(left) => texts::waiting_for(needle(left)) + &more,
            None => texts::waiting_for(needle(left)),
        }
    }
}

fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// A key as a person reads it: `Alt+w`.
fn written(key: &Chord) -> String {
    let name = key.to_string();
    let mut parts: Vec<String> = name.split_inclusive('+').map(str::to_owned).collect();
    let last = parts.len().saturating_sub(1);
    for (index, part) in parts.iter_mut().enumerate() {
        // A letter stays as it is typed; words begin with a capital.
        if (index < last || part.len() > 1)
            && let Some(first) = part.get_mut(..1)
        {
            first.make_ascii_uppercase();
        }
    }
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::ids::UnixMs;
    use proptest::prelude::*;

    fn banner(needle: &str, count: u32) -> Banner {
        let waiting = Waiting { needle: needle.into(), since_ms: UnixMs(1), count };
        Banner::new(waiting, Chord::parse("alt+w").as_ref())
    }

    /// The first rows of a terminal of so many columns that was full of other things.
    fn shown(banner: &Banner, columns: u16) -> Vec<String> {
        let size = |n: u16| std::num::NonZero::new(n).unwrap();
        let mut terminal = vt100::Parser::new(size(3), size(columns), 0);
        terminal.process(b"dirt everywhere, and more of it in every row of it\r\nsecond");
        terminal.process(b"\x1b[2;1H\x1b[2Ksecond");
        terminal.process(banner.draw(columns).as_bytes());
        terminal.screen().rows(0, columns).map(|row| row.trim_end().to_owned()).collect()
    }

    #[test]
    fn it_says_what_is_waited_for_and_how_that_is_ended() {
        assert_eq!(
            shown(&banner("ready in .* ms", 1), 80)[0],
            " Agent is waiting for ready in .* ms                               Skip (Alt+w)"
        );
        assert_eq!(
            shown(&banner("ready in .* ms", 3), 80)[0],
            " Agent is waiting for ready in .* ms (and 2 more)                  Skip (Alt+w)"
        );
        assert_eq!(
            shown(&banner("a\u{1b}[2J\nb\u{202e}", 1), 60)[0],
            " Agent is waiting for a␛[2J␊b\\u{202e}          Skip (Alt+w)"
        );
        assert_eq!(shown(&banner("ready in .* ms", 3), 40)[0], " ready in .* ms            Skip (Alt+w)");
        assert_eq!(shown(&banner("ready in .* ms", 3), 24)[0], " ready in… Skip (Alt+w)");
        assert_eq!(shown(&banner("ready in .* ms", 3), 12)[0], " ready in …");
        let looks = Banner::new(banner("x", 1).waiting, None);
        assert_eq!(shown(&looks, 80)[0], " Agent is waiting for x");
        assert_eq!(looks.skip_columns(80), None);
    }

    #[test]
    fn a_needle_is_cut_at_eighty_graphemes() {
        let long = "e\u{301}".repeat(100);
        let text = &shown(&banner(&long, 1), 300)[0];
        assert_eq!(text.matches("e\u{301}").count(), 79);
        assert!(text.contains('…') && text.ends_with("Skip (Alt+w)"));
    }

    #[test]
    fn keys_are_written_as_people_read_them() {
        for (key, written_as) in [
            ("alt+w", "Alt+w"),
            ("ctrl+\\", "Ctrl+\\"),
            ("ctrl+alt+left", "Ctrl+Alt+Left"),
            ("f12", "F12"),
            ("alt++", "Alt++"),
        ] {
            assert_eq!(written(&Chord::parse(key).unwrap()), written_as);
        }
    }

    proptest! {
        #[test]
        fn it_keeps_to_its_row_and_the_key_stays_readable(
            needle in "(\\PC|.|[漢👩\u{301}\u{1b}]){0,100}",
            count in 0_u32..5_000,
            columns in 8_u16..300,
        ) {
            let banner = banner(&needle, count);
            let rows = shown(&banner, columns);
            prop_assert_eq!(rows[1].as_str(), "second".get(..usize::from(columns).min(6)).unwrap());
            if columns >= 20 {
                prop_assert!(rows[0].ends_with("Skip (Alt+w)"), "{:?}", rows[0]);
            }
            prop_assert!(width(&banner.words(usize::from(columns))) <= usize::from(columns));
        }
    }
}

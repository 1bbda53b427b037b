//! What an agent waits for, as a person sees it: whole with its control characters made visible, or short enough for one line.
//!
//! A needle is a pattern that an agent wrote. On the board and in the banner it is text of a stranger, like any other
//! (invariant: control characters from agents never reach the board's terminal).

use crate::{
    terminals::MAX_NEEDLE_GRAPHEMES,
    text::{beginning, is_plain},
};
use unicode_segmentation::UnicodeSegmentation;

/// First of the signs of Unicode that stand for control characters, in their order.
const PICTURES: u32 = 0x2400;
/// The one for DEL.
const PICTURE_OF_DEL: char = '␡';
/// Most bytes of one cell: a pile of combining marks has no width, yet it may not grow a line without limit.
const BYTES_PER_COLUMN: usize = 4;

/// The whole of it on one line: what cannot be shown in a cell becomes a sign that can, a control character its picture
/// (`␛`, `␊`), anything else its number (`\u{202e}`).
pub fn visible(needle: &str) -> String {
    let mut out = String::with_capacity(needle.len());
    for c in needle.chars() {
        match c {
            '\u{0}'..='\u{1f}' => out.extend(char::from_u32(PICTURES + u32::from(c))),
            '\u{7f}' => out.push(PICTURE_OF_DEL),
            c if is_plain(c) => out.push(c),
            c => out.extend(c.escape_unicode()),
        }
    }
    out
}

/// The beginning of it in at most [`MAX_NEEDLE_GRAPHEMES`] and `columns` cells, visible; what was cut is marked with an
/// ellipsis. The cut is between what a person sees as characters.
pub fn short(needle: &str, columns: usize) -> String {
    let whole = visible(needle);
    let fits = |columns: usize, graphemes: usize| {
        let end = whole.grapheme_indices(true).nth(graphemes).map_or(whole.len(), |(at, _)| at);
        let clusters = whole.get(..end).unwrap_or_default();
        beginning(clusters, columns, columns.saturating_mul(BYTES_PER_COLUMN))
    };
    if fits(columns, MAX_NEEDLE_GRAPHEMES).len() == whole.len() {
        return whole;
    }
    match columns.checked_sub(1) {
        Some(columns) => format!("{}…", fits(columns, MAX_NEEDLE_GRAPHEMES - 1)),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthChar;

    #[test]
    fn what_cannot_be_shown_becomes_visible() {
        let table = [
            ("ready in .* ms", "ready in .* ms"),
            ("a\u{1b}[31m\r\n\tb\u{0}", "a␛[31m␍␊␉b␀"),
            ("del\u{7f} c1\u{9b} rtl\u{202e}", "del␡ c1\\u{9b} rtl\\u{202e}"),
            ("  two blanks  ", "  two blanks  "),
            ("漢字 👩\u{200d}💻", "漢字 👩\u{200d}💻"),
        ];
        for (needle, shown) in table {
            assert_eq!(visible(needle), shown);
        }
    }

    #[test]
    fn it_is_cut_at_eighty_graphemes_and_never_inside_one() {
        let family = "👩\u{200d}👩\u{200d}👧";
        assert_eq!(short(&family.repeat(80), 10_000), family.repeat(80));
        assert_eq!(short(&family.repeat(81), 10_000), format!("{}…", family.repeat(79)));
        assert_eq!(short(&"e\u{301}".repeat(90), 10_000), format!("{}…", "e\u{301}".repeat(79)));
        assert_eq!(short("漢字漢字", 5), "漢字…");
        assert_eq!(short("\n\n\n", 2), "␊…");
        assert_eq!(
            (short("abc", 1), short("abc", 0), short("", 0)),
            ("…".into(), String::new(), String::new())
        );
    }

    proptest! {
        #[test]
        fn it_is_never_wider_than_there_is_room(needle in "(\\PC|.|[漢👩\u{301}\u{0}]){0,120}", columns in 0_usize..200) {
            let shown = short(&needle, columns);
            let width: usize = shown.chars().map(|c| c.width().unwrap_or(0)).sum();
            prop_assert!(width <= columns);
            prop_assert!(shown.graphemes(true).count() <= MAX_NEEDLE_GRAPHEMES);
            prop_assert!(shown.chars().all(is_plain));
            let whole = visible(&needle);
            if let Some(kept) = shown.strip_suffix('…').filter(|_| shown != whole) {
                let mut edges = whole.grapheme_indices(true).map(|(at, _)| at);
                prop_assert!(whole.starts_with(kept) && edges.any(|at| at == kept.len()));
            }
        }
    }
}

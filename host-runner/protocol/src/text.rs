//! Text that came from a session, made harmless for a terminal and short enough for a row.
//!
//! Everything that an agent, its program or its environment says passes [`plain`] before it reaches the board
//! (invariant: control characters from agents never reach the board's terminal; field report C22).

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// Whether a character may be shown in a cell of the board.
///
/// Refused: C0 and C1 controls, DEL, bidirectional controls, line and paragraph separators, zero-width characters
/// that carry no picture (BOM, word joiner, soft hyphen, Arabic letter mark), tags, interlinear annotation and
/// private "variation" tags. Combining marks, ZWJ, ZWNJ and VS15/VS16 stay: they are part of what people write.
pub fn is_plain(c: char) -> bool {
    !(c.is_control()
        || matches!(
            c,
            '\u{00ad}'
                | '\u{061c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        ))
}

/// One line of plain text: escape sequences removed whole, other controls and bidirectional marks removed, every run
/// of white space made one space, ends trimmed.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for c in without_escapes(text) {
        if c.is_whitespace() {
            space = true;
        } else if is_plain(c) {
            if space && !out.is_empty() {
                out.push(' ');
            }
            space = false;
            out.push(c);
        }
    }
    out
}

/// [`plain`] text of at most `columns` cells and four times as many bytes; what was cut is marked with an ellipsis. The
/// cut is between what a person sees as characters: it never takes an accent from its letter or one head from a family.
pub fn plain_within(text: &str, columns: usize) -> String {
    let text = plain(text);
    let byte_limit = columns.saturating_mul(4);
    let kept = beginning(&text, columns, byte_limit);
    if kept.len() == text.len() {
        return text;
    }
    // Room for the ellipsis, which takes one cell and three bytes.
    let kept = beginning(&text, columns.saturating_sub(1), byte_limit.saturating_sub('…'.len_utf8()));
    format!("{}…", kept.trim_end())
}

/// Plain text with its line breaks, in at most `bytes`, and whether it was cut: escape sequences removed whole, a carriage
/// return made a line break, a tab four blanks, other controls and bidirectional marks removed; no blank lines at either
/// end, and no blanks at the end.
pub fn plain_lines(text: &str, bytes: usize) -> (String, bool) {
    let mut out = String::new();
    let mut chars = without_escapes(text).peekable();
    let mut buffer = [0; 4];
    while let Some(c) = chars.next() {
        let shown = match c {
            '\r' if chars.peek() == Some(&'\n') => continue,
            '\r' | '\n' if out.is_empty() => continue,
            '\r' | '\n' => "\n",
            '\t' => "    ",
            c if is_plain(c) => c.encode_utf8(&mut buffer),
            _ => continue,
        };
        if out.len() + shown.len() > bytes {
            // What is left may be nothing that anybody sees.
            let more = !shown.trim().is_empty() || chars.any(|c| is_plain(c) && !c.is_whitespace());
            out.truncate(out.trim_end().len());
            return (out, more);
        }
        out.push_str(shown);
    }
    out.truncate(out.trim_end().len());
    (out, false)
}

/// The beginning of a text that takes at most `bytes`, cut between two characters: for what has a limit and is not shown
/// in columns.
pub fn beginning_of(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or_default()
}

/// What answers cost, in dollars with a hundredth of a cent: `$0.0123`. From millionths of a dollar.
pub fn cost_words(micros: u64) -> String {
    format!("${}.{:04}", micros / 1_000_000, micros % 1_000_000 / 100)
}

/// The longest beginning of whole grapheme clusters (Unicode Standard Annex 29) within these limits. A terminal may draw a
/// cluster narrower than the sum of its characters, never wider.
pub(crate) fn beginning(text: &str, columns: usize, bytes: usize) -> &str {
    let mut width = 0_usize;
    let mut end = 0;
    for (start, cluster) in text.grapheme_indices(true) {
        width = width.saturating_add(cluster.chars().map(|c| c.width().unwrap_or(0)).sum());
        if width > columns || start + cluster.len() > bytes {
            break;
        }
        end = start + cluster.len();
    }
    text.get(..end).unwrap_or_default()
}

/// A length of time in the largest unit that fits, rounded down: `59s`, `5m`, `23h`, `3d` (reference B.10).
pub fn age_words(ms: u64) -> String {
    match ms / 1000 {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds @ 60..3600 => format!("{}m", seconds / 60),
        seconds @ 3600..86_400 => format!("{}h", seconds / 3600),
        seconds => format!("{}d", seconds / 86_400),
    }
}

/// The badge of a row that says that it works and gives no sign of life.
pub fn stalled_words(ms: u64) -> String {
    board_text::state::stalled(age_words(ms))
}

/// The characters of `text` without CSI, OSC, DCS, APC, PM, SOS and two-character escape sequences.
fn without_escapes(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        loop {
            match chars.next()? {
                '\u{1b}' => match chars.peek().copied() {
                    Some('[') => {
                        chars.next();
                        skip_csi(&mut chars);
                    }
                    Some(']' | 'P' | 'X' | '^' | '_') => {
                        chars.next();
                        skip_string(&mut chars);
                    }
                    Some(c) if (' '..='/').contains(&c) => {
                        while chars.next_if(|c| (' '..='/').contains(c)).is_some() {}
                        chars.next();
                    }
                    Some(c) if c.is_ascii_graphic() => {
                        chars.next();
                    }
                    _ => {}
                },
                '\u{9b}' => skip_csi(&mut chars),
                '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => skip_string(&mut chars),
                c => return Some(c),
            }
        }
    })
}

fn skip_csi(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
    chars.next_if(|c| ('@'..='~').contains(c));
}

fn skip_string(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while let Some(c) = chars.next() {
        match c {
            '\u{07}' | '\u{9c}' => return,
            '\u{1b}' => {
                chars.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    // Field report C22: control bytes in what an agent says reached the terminal through the board.
    #[test]
    fn c22_control_and_bidirectional_characters_are_stripped() {
        assert_eq!(plain("a\u{1b}]0;x\u{7}b\u{1b}[2Jc\u{202e}d\u{0}e"), "abcde");
        assert_eq!(plain("\u{9b}31mred\u{9b}0m"), "red");
        assert_eq!(plain("one\r\n\ttwo  three "), "one two three");
        assert_eq!(plain("x\u{1b}P1;2|secret\u{1b}\\y\u{1b}(Bz"), "xyz");
        assert_eq!(plain("open \u{1b}]8;;http://evil"), "open");
        assert_eq!(plain("👩\u{200d}💻 é ✔\u{fe0f}"), "👩\u{200d}💻 é ✔\u{fe0f}");
    }

    #[test]
    fn cutting_counts_cells_and_marks_the_cut() {
        assert_eq!(plain_within("short", 5), "short");
        assert_eq!(plain_within("longer", 5), "long…");
        assert_eq!(plain_within("漢字漢字", 5), "漢字…");
        assert_eq!(plain_within("anything", 1), "…");
        // Reference J.2, #39: a cut went through an emoji.
        let family = "👩\u{200d}👩\u{200d}👧";
        assert_eq!(plain_within(&format!("{family}{family}"), 7), format!("{family}…"));
        assert_eq!(plain_within(&format!("a{family}b"), 6), "a…");
        assert_eq!(plain_within("🇩🇪🇫🇷x", 4), "🇩🇪…");
        assert_eq!(plain_within("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(plain_within("각각각", 5), "각각…");
        // A pile of combining marks has no width, yet it may not grow a row without limit.
        assert!(plain_within(&format!("a{}", "\u{301}".repeat(10_000)), 10).len() <= 40);
    }

    #[test]
    fn lines_stay_lines_and_nothing_else_stays() {
        let table = [
            ("\n\none\r\n\ttwo\u{1b}[31m red\u{1b}[0m\n\n", 99, ("one\n    two red", false)),
            ("10%\r20%", 99, ("10%\n20%", false)),
            ("x\u{1b}]0;title\u{7}y\u{202e}z\0", 99, ("xyz", false)),
            ("漢字", 4, ("漢", true)),
            ("漢 \n\n", 3, ("漢", false)),
            ("", 0, ("", false)),
        ];
        for (text, bytes, (plain, cut)) in table {
            assert_eq!(plain_lines(text, bytes), (plain.to_owned(), cut), "{text:?}");
        }
    }

    #[test]
    fn ages_use_the_largest_unit() {
        let table = [
            (0, "0s"),
            (59, "59s"),
            (60, "1m"),
            (3599, "59m"),
            (3600, "1h"),
            (86_399, "23h"),
            (86_400, "1d"),
        ];
        for (seconds, text) in table {
            assert_eq!(age_words(seconds * 1000 + 999), text);
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_comes_in_only_plain_cells_come_out(text in "\\PC*|.*", columns in 1_usize..200) {
            let out = plain_within(&text, columns);
            assert!(out.chars().all(is_plain));
            assert!(out.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>() <= columns);
            assert!(out.width() <= columns * 2);
            // What was kept are whole clusters of what there was.
            if let Some(kept) = out.strip_suffix('…').filter(|kept| !plain(&text).ends_with('…') && !kept.is_empty()) {
                let whole = plain(&text);
                assert!(whole.starts_with(kept));
                let edges: Vec<usize> = whole.grapheme_indices(true).map(|(at, _)| at).collect();
                assert!(edges.contains(&kept.len()) || whole.len() == kept.len(), "{whole:?} {kept:?}");
            }
            assert_eq!(plain(&plain(&text)), plain(&text));
        }
    }
}

//! Text measured in cells: clusters whose width every terminal agrees on, clipping and padding.
//!
//! zellij adds up the widths of single characters, other terminals draw whole grapheme clusters; for joined emoji the
//! two differ, and a row that is one cell too wide breaks the whole frame. So a cluster on which they disagree is cut
//! down to the part on which they agree: a family becomes its first member.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Most characters of one cluster: piles of combining marks are cut.
const MAX_CLUSTER_CHARS: usize = 8;
/// Joins pictures into one, where a terminal knows how.
const JOINER: char = '\u{200d}';
/// Marks the place where text was cut.
pub const ELLIPSIS: char = '…';

/// A cluster and its width in cells (1 or 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cluster<'a> {
    /// What to print.
    pub text: &'a str,
    /// How many cells that takes.
    pub width: usize,
    /// Where the original cluster starts, in bytes.
    pub start: usize,
}

/// The visible clusters of a text. What has no width of its own is left out.
pub fn clusters(text: &str) -> impl Iterator<Item = Cluster<'_>> {
    text.grapheme_indices(true).filter_map(|(start, cluster)| {
        let (text, width) = agreed(cluster)?;
        Some(Cluster { text, width, start })
    })
}

/// The longest beginning of a grapheme cluster whose width as a whole equals the sum of its characters' widths.
fn agreed(cluster: &str) -> Option<(&str, usize)> {
    if let [byte @ b' '..=b'~'] = cluster.as_bytes() {
        debug_assert!(byte.is_ascii());
        return Some((cluster, 1));
    }
    let mut best = None;
    let mut sum = 0;
    for (index, c) in cluster.char_indices().take(MAX_CLUSTER_CHARS) {
        // Characters without a width are controls; nothing with one may reach a terminal.
        sum += c.width()?;
        let end = index + c.len_utf8();
        let beginning = cluster.get(..end)?;
        // A joiner that joins nothing would join what follows.
        if c != JOINER && matches!(sum, 1 | 2) && beginning.width() == sum {
            best = Some((beginning, sum));
        }
    }
    best
}

/// The width of a text as [`clusters`] prints it.
pub fn width(text: &str) -> usize {
    clusters(text).map(|cluster| cluster.width).sum()
}

/// At most `columns` cells of a text; what was cut is marked with an ellipsis. Returns the text and its width.
pub fn clip(text: &str, columns: usize) -> (String, usize) {
    let mut out = String::with_capacity(text.len().min(columns.saturating_mul(4)));
    let mut used = 0;
    // Where the text would end if an ellipsis had to follow.
    let mut keep = (0, 0);
    for cluster in clusters(text) {
        if used + cluster.width > columns {
            out.truncate(keep.0);
            if columns > 0 {
                out.push(ELLIPSIS);
                return (out, keep.1 + 1);
            }
            return (out, 0);
        }
        out.push_str(cluster.text);
        used += cluster.width;
        if used < columns {
            keep = (out.len(), used);
        }
    }
    (out, used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn clusters_on_which_terminals_disagree_are_cut_down() {
        let shown = |text: &str| clusters(text).map(|c| c.text).collect::<String>();
        assert_eq!(shown("a👩\u{200d}💻b"), "a👩b");
        assert_eq!(shown("👍🏽"), "👍");
        // One cell by its characters, two as an emoji.
        assert_eq!(shown("✔\u{fe0f}x"), "✔x");
        assert_eq!(shown("🇩🇪"), "🇩🇪");
        assert_eq!(shown("漢字é"), "漢字é");
        assert_eq!(width("漢字é"), 5);
        assert_eq!(shown("e\u{301}"), "e\u{301}");
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(shown("a\u{7}\u{1b}b"), "ab");
    }

    #[test]
    fn clipping_marks_the_cut_and_never_splits_a_wide_character() {
        assert_eq!(clip("short", 5), ("short".into(), 5));
        assert_eq!(clip("longer", 5), ("long…".into(), 5));
        assert_eq!(clip("漢字漢字", 4), ("漢…".into(), 3));
        assert_eq!(clip("漢字", 4), ("漢字".into(), 4));
        assert_eq!(clip("abc", 1), ("…".into(), 1));
        assert_eq!(clip("abc", 0), (String::new(), 0));
    }

    proptest! {
        #[test]
        fn a_clipped_text_is_never_too_wide_by_either_count(text in "\\PC*|.*", columns in 0_usize..80) {
            let (out, used) = clip(&text, columns);
            prop_assert!(used <= columns);
            prop_assert_eq!(out.chars().map(|c| c.width().unwrap_or(99)).sum::<usize>(), used);
            prop_assert_eq!(clusters(&out).map(|c| c.width).sum::<usize>(), used);
        }
    }
}

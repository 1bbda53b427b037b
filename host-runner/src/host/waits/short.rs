//! What an agent waits for, in short: pure. For banners of attach clients.

use board_protocol::{
    terminals::{MAX_NEEDLE_GRAPHEMES, Wait, Waiting},
    text::plain,
};
use unicode_segmentation::UnicodeSegmentation;

/// The newest wait and how many there are.
pub(in crate::host) fn in_short(waits: &[Wait]) -> Option<Waiting> {
    let newest = waits.last()?;
    let count = u32::try_from(waits.len()).unwrap_or(u32::MAX);
    Some(Waiting { needle: cut(&plain(&newest.needle)), since_ms: newest.since_ms, count })
}

/// The beginning of a text, never cut inside what a person sees as one character.
fn cut(text: &str) -> String {
    if text.graphemes(true).nth(MAX_NEEDLE_GRAPHEMES).is_none() {
        return text.to_owned();
    }
    let kept: String = text.graphemes(true).take(MAX_NEEDLE_GRAPHEMES - 1).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::ids::UnixMs;

    fn wait(needle: &str, since: u64) -> Wait {
        Wait { needle: needle.into(), since_ms: UnixMs(since) }
    }

    #[test]
    fn g3_the_newest_wait_is_shown_with_their_number() {
        assert_eq!(in_short(&[]), None);
        let short = in_short(&[wait("old", 1), wait("new\x1b[31m\nline", 2)]).unwrap();
        assert_eq!(short, Waiting { needle: "new line".into(), since_ms: UnixMs(2), count: 2 });
    }

    #[test]
    fn g3_a_needle_is_cut_between_characters() {
        let family = "👨‍👩‍👧";
        let fits = family.repeat(MAX_NEEDLE_GRAPHEMES);
        assert_eq!(in_short(&[wait(&fits, 1)]).unwrap().needle, fits);
        let short = in_short(&[wait(&format!("{fits}{family}"), 1)]).unwrap().needle;
        assert_eq!(short, format!("{}…", family.repeat(MAX_NEEDLE_GRAPHEMES - 1)));
    }
}

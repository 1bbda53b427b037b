//! What an agent waits for, in short: pure. For banners of attach clients.

use board_protocol::{
    needle,
    terminals::{MAX_NEEDLE_GRAPHEMES, Wait, Waiting},
};

/// Widest needle in cells: a family of emoji, drawn as its members, is the widest that people write.
const MAX_COLUMNS: usize = 8 * MAX_NEEDLE_GRAPHEMES;

/// The newest wait and how many there are.
pub(in crate::host) fn in_short(waits: &[Wait]) -> Option<Waiting> {
    let newest = waits.last()?;
    let count = u32::try_from(waits.len()).unwrap_or(u32::MAX);
    Some(Waiting { needle: needle::short(&newest.needle, MAX_COLUMNS), since_ms: newest.since_ms, count })
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
        assert_eq!(short, Waiting { needle: "new␛[31m␊line".into(), since_ms: UnixMs(2), count: 2 });
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

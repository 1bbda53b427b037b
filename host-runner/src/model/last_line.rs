//! The last line that a program left on its screen (reference B.10). Pure.

use board_protocol::text::plain_within;

/// Widest line, in cells.
const MAX_COLUMNS: usize = 200;

/// The last line with anything to see, without escape sequences; a carriage return begins it anew, as progress bars do.
pub fn last_visible_line(screen: &str) -> Option<String> {
    screen.lines().rev().find_map(|line| {
        let shown = line.rsplit('\r').map(|part| plain_within(part, MAX_COLUMNS));
        shown.into_iter().find(|part| !part.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_thing_to_see_is_found() {
        let table = [
            ("one\ntwo\n\n  \n", Some("two")),
            ("10%\r50%\r100%\n", Some("100%")),
            ("done\r\n", Some("done")),
            ("\u{1b}[32mok\u{1b}[0m\u{1b}]0;title\u{7}\n\u{1b}[K\n", Some("ok")),
            ("\u{1b}]8;;x\u{1b}\\link\u{1b}]8;;\u{1b}\\", Some("link")),
            (" \n\t\n", None),
            ("", None),
        ];
        for (screen, line) in table {
            assert_eq!(last_visible_line(screen).as_deref(), line, "{screen:?}");
        }
        let long = last_visible_line(&"字".repeat(500)).unwrap();
        assert_eq!(long.chars().count(), 100, "99 of two cells and the mark of the cut");
    }
}

//! Invariant: a snapshot plus what follows equals the whole, for the output of real programs (recorded at 80x24 in a
//! directory with two sample files), cut at random.

use crate::{
    host_output,
    judge::{HISTORY, Judge, JudgeSize, Picture},
};
use board_protocol::ids::Size;
use host_runner::terminal::{History, SessionTerminal};
use proptest::prelude::*;

const SIZE: Size = Size { cols: 80, rows: 24 };

const RECORDINGS: [(&str, &[u8]); 4] = [
    ("bash", include_bytes!("recordings/bash.bin")),
    ("less", include_bytes!("recordings/less.bin")),
    ("vim", include_bytes!("recordings/vim.bin")),
    ("tmux", include_bytes!("recordings/tmux.bin")),
];

fn picture(parts: &[&[u8]]) -> Picture {
    let mut judge = Judge::new(JudgeSize { cols: usize::from(SIZE.cols), rows: usize::from(SIZE.rows) });
    judge.is_strict = false;
    for part in parts {
        judge.feed(part);
    }
    judge.picture()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("CASES").map_or(60, |c| c.parse().unwrap_or(60)), ..ProptestConfig::default() })]

    #[test]
    fn a_real_program_goes_on_after_a_snapshot(
        (name, bytes) in prop::sample::select(&RECORDINGS[..]),
        cut in any::<prop::sample::Index>(),
        end in any::<prop::sample::Index>(),
    ) {
        // The end varies, too: whole recordings end with a cleared screen.
        let end = end.index(bytes.len() + 1);
        let cut = cut.index(end + 1);
        let bytes = &bytes[..end];
        let expected = picture(&[&host_output(bytes, end).0]);
        let (before, after) = host_output(bytes, cut);
        let mut terminal = SessionTerminal::new(SIZE, HISTORY);
        terminal.feed(&before);
        let snapshot = terminal.snapshot(History::Include);
        let shown = picture(&[b"\x1b[31;44mdirt\x1b[3;5r\x1b[?1049h\x1b[?6h\x1b[4h", &snapshot.bytes, &[snapshot.unfinished, after].concat()]);
        prop_assert!(shown == expected, "{name} cut at {cut} of {end}: {}", expected.differences(&shown).join("\n"));
    }
}

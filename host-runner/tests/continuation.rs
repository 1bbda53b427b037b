//! Invariant: a snapshot plus what follows equals the whole, at every cut, judged by an independent terminal.

#![expect(clippy::unwrap_used, reason = "a failed expectation is a failed test")]

#[path = "continuation/corpus.rs"]
mod corpus;
#[path = "continuation/items.rs"]
mod items;
#[path = "continuation/judge.rs"]
mod judge;
#[path = "continuation/random.rs"]
mod random;
#[path = "continuation/recordings.rs"]
mod recordings;

use board_protocol::ids::Size;
use corpus::{CORPUS, Stream};
use host_runner::terminal::{History, OutputFilter, SessionTerminal};
use judge::{HISTORY, Judge, JudgeSize, Picture};
use proptest::prelude::*;

const SIZE: Size = Size { cols: 20, rows: 6 };

/// What a client showed before: everything that a snapshot must not be impressed by.
const DIRT: &[u8] = b"dirt everywhere\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\x1b[3g\x1b[5G\x1bH\x1b[31;44;9;4:3m\x1b]8;;http://dirt/\x07\x1b(0\x1b)0\
\x1b[2;3r\x1b7\x1b[?1049h\x1b[2;4r\x1b[?6h\x1b[4h\x1b[20h\x1b[?7l\x1b=\x1b[?1h\x1b[?1003h\x1b[?1006h\x1b[?2004h\x1b[?1004h\x1b[?25l\
\x1b[>7u\x1b[>4;2m\x1b[4 q\x0eqqqqqqqqqqqqqqqqqqqqqqqqq\x1b7\x1b[12;";

/// What brings hidden state to light: saved cursor, tab stops, the other screen, scrolling, character sets, keyboard
/// stack, margins, the repeated character.
const PROBE: &[u8] = b"\x1b[2b\x1b8P\r\tT\tU\x1b[<u\x1b[?1049lX\x0eq\x0fq\x1b[99CAB\n\n\n\n\n\n\n\n\n\nZ";

/// A client that takes bytes.
trait Client {
    fn feed(&mut self, bytes: &[u8]);
    fn picture(&mut self) -> Picture;
}

impl Client for Judge {
    fn feed(&mut self, bytes: &[u8]) {
        Judge::feed(self, bytes);
    }

    fn picture(&mut self) -> Picture {
        Judge::picture(self)
    }
}

/// Our own terminal as the client, for what the judge does not know.
struct Own(SessionTerminal);

impl Client for Own {
    fn feed(&mut self, bytes: &[u8]) {
        self.0.feed(bytes);
    }

    fn picture(&mut self) -> Picture {
        let snapshot = self.0.snapshot(History::Include).bytes.escape_ascii().to_string();
        Picture { history: Vec::new(), screen: Vec::new(), state: vec![snapshot] }
    }
}

fn judge() -> Box<dyn Client> {
    Box::new(Judge::new(JudgeSize { cols: usize::from(SIZE.cols), rows: usize::from(SIZE.rows) }))
}

fn own() -> Box<dyn Client> {
    Box::new(Own(SessionTerminal::new(SIZE, HISTORY)))
}

/// What the host sends of a program's output, in two reads.
fn host_output(bytes: &[u8], cut: usize) -> (Vec<u8>, Vec<u8>) {
    let mut filter = OutputFilter::new();
    let (mut before, mut after, mut found) = (Vec::new(), Vec::new(), Vec::new());
    filter.scan(&bytes[..cut], &mut before, &mut found);
    filter.scan(&bytes[cut..], &mut after, &mut found);
    (before, after)
}

struct Score {
    equal: usize,
    cuts: usize,
    first_fault: Option<String>,
}

impl Score {
    fn percent(&self) -> f64 {
        100.0 * self.equal as f64 / self.cuts as f64
    }
}

fn score(stream: &Stream, new_client: fn() -> Box<dyn Client>, dirt: &[u8], probe: &[u8]) -> Score {
    let bytes = stream.bytes.as_bytes();
    let mut client = new_client();
    // What the filter still keeps back at the end never reaches anybody.
    client.feed(&host_output(bytes, bytes.len()).0);
    client.feed(probe);
    let expected = client.picture();
    let mut score = Score { equal: 0, cuts: bytes.len() + 1, first_fault: None };
    for cut in 0..=bytes.len() {
        let (before, after) = host_output(bytes, cut);
        let mut terminal = SessionTerminal::new(SIZE, HISTORY);
        terminal.feed(&before);
        let snapshot = terminal.snapshot(History::Include);
        let mut client = new_client();
        client.feed(dirt);
        client.feed(&snapshot.bytes);
        client.feed(&[snapshot.unfinished, after].concat());
        client.feed(probe);
        let picture = client.picture();
        if picture == expected {
            score.equal += 1;
        } else if score.first_fault.is_none() {
            let differences = expected.differences(&picture).join("\n    ");
            // What puts the client into a known state is always the same.
            let drawn = snapshot.bytes.windows(6).position(|w| w == b"\x1b[H\x1b[J").map_or(0, |n| n + 6);
            let drawn = snapshot.bytes[drawn..].escape_ascii();
            score.first_fault =
                Some(format!("cut at {cut} of {}\n    {differences}\n    snapshot {drawn}", bytes.len()));
        }
    }
    score
}

/// Scores the corpus and prints the table. Every stream is judged by the independent terminal, or, where that one is a
/// different terminal by design, by ours; the table has the independent one's view of these, too.
fn run(name: &str, dirt: &[u8], probe: &[u8]) {
    let (mut equal, mut cuts, mut independent, mut faults) = (0, 0, 0, Vec::new());
    for stream in CORPUS {
        let mut score = score(stream, judge, dirt, probe);
        independent += score.equal;
        cuts += score.cuts;
        if let Some(why) = stream.difference {
            println!("{:6.2} %  {}: {why}", score.percent(), stream.name);
            if score.first_fault.is_none() {
                faults.push(format!("{}: no difference any more; this is not true now: {why}", stream.name));
            }
            score = self::score(stream, own, dirt, probe);
        }
        equal += score.equal;
        if let Some(fault) = score.first_fault {
            faults.push(format!(
                "{} {:.2} %: {fault}",
                stream.name,
                100.0 * score.equal as f64 / score.cuts as f64
            ));
        }
    }
    let percent = |equal: usize| 100.0 * equal as f64 / cuts as f64;
    println!(
        "{name}: {} streams, {cuts} cuts, {:.2} % equal, {:.2} % by the independent terminal alone",
        CORPUS.len(),
        percent(equal),
        percent(independent),
    );
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    // Each difference is one of the judge; a change of ours that adds to them shows here.
    assert!(percent(independent) >= 97.5, "{:.2} %", percent(independent));
}

#[test]
fn a_snapshot_plus_what_follows_equals_the_whole() {
    run("clean terminal", b"", b"");
}

#[test]
fn a_snapshot_on_a_dirty_terminal_leaves_no_hidden_state() {
    run("dirty terminal, probed", DIRT, PROBE);
}

/// Pieces of output that both terminals understand in the same way, in any order and number.
const PIECES: &[&str] = &[
    "a",
    "bc",
    "hello",
    "the quick brown fox jumps over",
    "\r\n",
    "\r",
    "\n",
    "\r\n\r\n\r\n",
    "e\u{301}",
    "\x1b[H",
    "\x1b[3;5H",
    "\x1b[6;20H",
    "\x1b[6;1H",
    "\x1b[1;19H",
    "\x1b[2C",
    "\x1b[5G",
    "\x1b[4d\r",
    "\x1b[m",
    "\x1b[31m",
    "\x1b[44m",
    "\x1b[1;4m",
    "\x1b[7m",
    "\x1b[9m",
    "\x1b[4:3;58:5:3m",
    "\x1b[38;2;1;2;3m",
    "\x1b[22;24;27;29m",
    "\x1b[K",
    "\x1b[1K",
    "\x1b[2K",
    "\r\x1b[J",
    "\r\x1b[2X",
    "\r\x1b[2@",
    "\r\x1b[3P",
    "\x1b[?25l",
    "\x1b[?25h",
    "\x1b[?1h",
    "\x1b[?2004h",
    "\x1b[?1002h",
    "\x1b[?1006h",
    "\x1b7",
    "\x1b8",
    "\x1b[2;5r",
    "\x1b[1;4r",
    "\x1b[r",
    "\x1bM",
    "\x1bD",
    "\x1bE",
    "\x1b[2S",
    "\x1b[T",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\x1b(0",
    "\x1b(B",
    "\x1b[4h",
    "\x1b[4l",
    "\x1b[?7l",
    "\x1b[?7h",
    "x\x1b[3b",
    "\x1b]8;;http://e.org/\x07",
    "\x1b]8;;\x07",
    "\x1b]2;title\x07",
    "\x1b[>1u",
    "\x1b[<u",
    "\x1b[5 q",
    "\x1bH",
    "\r\t",
    "\x1b[3J",
    "\r\x1b[L",
    "\x1b[3;1H\x1b[M",
];

/// Pieces with wide characters, without what cuts one in half: terminals disagree about the other half.
const WIDE_PIECES: &[&str] = &[
    "a",
    "bc",
    "the quick brown fox",
    "漢",
    "字テスト",
    "한글",
    "👍🏽",
    "☁\u{fe0f}",
    "👩\u{200d}👧",
    "e\u{301}",
    "\r\n",
    "\n",
    "\x1b[m",
    "\x1b[31m",
    "\x1b[44m",
    "\x1b[9m",
    "\x1b[4:3m",
    "\x1b]8;;http://e.org/\x07",
    "\x1b]8;;\x07",
    "\x1bD",
    "\x1bE",
    "\x1b[2S",
    "\x1b[3J",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("CASES").map_or(150, |c| c.parse().unwrap_or(150)), ..ProptestConfig::default() })]

    /// Any mixture, cut anywhere.
    #[test]
    fn any_mixture_continues_after_any_cut(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 1..30),
        cut in any::<prop::sample::Index>(),
    ) {
        let bytes = pieces.concat().into_bytes();
        check_mixture(&bytes, cut.index(bytes.len() + 1))?;
    }

    /// A resized session shows what a client that saw everything and was resized shows. Rows only: of a changed width
    /// every terminal makes something else.
    #[test]
    fn any_mixture_continues_after_a_resize(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 1..30),
        cut in any::<prop::sample::Index>(),
        rows in 2_u16..12,
    ) {
        // A saved cursor moves with the rows here, and stays in the judge.
        let pieces: Vec<&str> = pieces.into_iter().filter(|piece| *piece != "\x1b8").collect();
        let cut = cut.index(pieces.len() + 1);
        let (before, after) = (pieces[..cut].concat().into_bytes(), pieces[cut..].concat().into_bytes());
        let size = JudgeSize { cols: usize::from(SIZE.cols), rows: usize::from(rows) };
        let mut client = Judge::new(JudgeSize { rows: usize::from(SIZE.rows), ..size });
        client.is_strict = false;
        client.feed(&before);
        client.resize(size);
        client.feed(&after);
        let expected = client.picture();
        let mut terminal = SessionTerminal::new(SIZE, HISTORY);
        terminal.feed(&before);
        terminal.resize(Size { rows, ..SIZE });
        let snapshot = terminal.snapshot(History::Include);
        let mut client = Judge::new(size);
        client.is_strict = false;
        client.feed(&snapshot.bytes);
        client.feed(&[snapshot.unfinished, after.clone()].concat());
        let shown = client.picture();
        prop_assert!(
            shown == expected,
            "{rows} rows: {}|{}\n{}",
            before.escape_ascii(),
            after.escape_ascii(),
            expected.differences(&shown).join("\n"),
        );
    }

    /// The same with wide characters.
    #[test]
    fn any_wide_mixture_continues_after_any_cut(
        pieces in prop::collection::vec(prop::sample::select(WIDE_PIECES), 1..30),
        cut in any::<prop::sample::Index>(),
    ) {
        let bytes = pieces.concat().into_bytes();
        check_mixture(&bytes, cut.index(bytes.len() + 1))?;
    }
}

fn check_mixture(bytes: &[u8], cut: usize) -> Result<(), TestCaseError> {
    let judge = || {
        let mut judge = Judge::new(JudgeSize { cols: usize::from(SIZE.cols), rows: usize::from(SIZE.rows) });
        judge.is_strict = false;
        judge
    };
    let mut client = judge();
    client.feed(&host_output(bytes, bytes.len()).0);
    let expected = client.picture();
    let (before, after) = host_output(bytes, cut);
    let mut terminal = SessionTerminal::new(SIZE, HISTORY);
    terminal.feed(&before);
    let snapshot = terminal.snapshot(History::Include);
    let mut client = judge();
    client.feed(DIRT);
    client.feed(&snapshot.bytes);
    client.feed(&[snapshot.unfinished, after].concat());
    let picture = client.picture();
    prop_assert!(
        picture == expected,
        "cut at {cut}: {}|{}\n{}",
        bytes[..cut].escape_ascii(),
        bytes[cut..].escape_ascii(),
        expected.differences(&picture).join("\n"),
    );
    Ok(())
}

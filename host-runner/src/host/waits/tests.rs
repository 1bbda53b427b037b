//! Tests of the registry: every pair of events in one instant, who is told, and how long a turn looks.

use super::*;
use board_protocol::ids::Size;

const EXIT: Exit = Exit::Code(3);
const ONE: ClientId = ClientId(1);
const TWO: ClientId = ClientId(2);

/// Everything that can end a wait, in the order of reference G.1.
const EVENTS: [&str; 5] = ["aborted", "exited", "skipped", "found", "timeout"];

fn kind(end: &WaitEnd) -> &'static str {
    match end {
        WaitEnd::Aborted => "aborted",
        WaitEnd::Exited { .. } => "exited",
        WaitEnd::Skipped { .. } => "skipped",
        WaitEnd::Found { .. } => "found",
        WaitEnd::Timeout { .. } => "timeout",
    }
}

struct Play {
    waits: Waits,
    text: PlainText,
    picture: Option<Picture>,
    now: Instant,
}

impl Play {
    fn new(output: &str) -> Self {
        let mut text = PlainText::new(Size { cols: 80, rows: 24 });
        text.feed(output.as_bytes());
        Self { waits: Waits::default(), text, picture: None, now: Instant::now() }
    }

    fn begin(&mut self, client: ClientId, id: u64, needle: &str) -> Result<(), NotTaken> {
        let needle = Needle::new(needle).unwrap();
        let asked = Asked { client, id, needle, since: UnixMs(id), timeout_ms: 1_000 };
        self.waits.begin(asked, &self.text, self.now)
    }

    fn print(&mut self, output: &str) {
        if let Some(from) = self.text.feed(output.as_bytes()) {
            self.waits.edited(from);
        }
    }

    /// The end of a turn, with all the time that looking takes.
    fn turn(&mut self) -> Vec<Ended> {
        let now = self.now;
        self.waits.look(&self.text, self.picture.as_ref(), &mut || now);
        self.waits.ended(&self.text, self.picture.as_ref(), now)
    }

    fn ends(&mut self) -> Vec<(u64, &'static str)> {
        self.turn().iter().map(|ended| (ended.id, kind(&ended.end))).collect()
    }

    fn pass(&mut self, ms: u64) {
        self.now += Duration::from_millis(ms);
    }
}

// Every pair in one instant, whichever came first.
#[test]
fn g1_in_one_instant_the_order_is_aborted_exited_skipped_found_timeout() {
    for first in EVENTS {
        for second in EVENTS {
            let mut play = Play::new("");
            play.begin(ONE, 1, "needle").unwrap();
            assert_eq!(play.ends(), []);
            for event in [first, second] {
                match event {
                    "aborted" => play.waits.cancel(ONE, 1),
                    "exited" => play.waits.exited(EXIT),
                    "skipped" => drop(play.waits.skip()),
                    "found" => play.print("needle"),
                    _ => play.pass(1_000),
                }
            }
            let rank = |event| EVENTS.iter().position(|other| *other == event).unwrap();
            let expected = EVENTS[rank(first).min(rank(second))];
            assert_eq!(play.ends(), [(1, expected)], "{first} and {second}");
            assert!(play.waits.is_empty() && play.waits.next_deadline().is_none());
        }
    }
}

#[test]
fn g1_each_end_says_what_it_has_to() {
    let ends = |play: &mut Play| play.turn().pop().unwrap().end;
    let needle = || "ne+dle".to_owned();
    let mut play = Play::new("a\r\n");
    play.begin(ONE, 1, "ne+dle").unwrap();
    assert_eq!(play.turn(), []);
    play.pass(30);
    play.print("éb needle\r\n");
    let found =
        WaitEnd::Found { needle: needle(), line: 1, column: 3, matched: "needle".into(), elapsed_ms: 30 };
    assert_eq!(ends(&mut play), found);
    play.begin(ONE, 2, "ne+dle$^x").unwrap();
    play.pass(1_000);
    let timeout = WaitEnd::Timeout { needle: "ne+dle$^x".into(), timeout_ms: 1_000, total_lines: 2 };
    assert_eq!(ends(&mut play), timeout);
    for (exit, exit_code, signal) in [(EXIT, Some(3), None), (Exit::Signal(9), None, Some(9))] {
        play.begin(ONE, 3, "x").unwrap();
        play.waits.exited(exit);
        assert_eq!(ends(&mut play), WaitEnd::Exited { needle: "x".into(), exit_code, signal });
    }
    play.begin(ONE, 4, "(x").unwrap();
    assert_eq!(play.turn(), []);
    play.waits.skip();
    let ended = play.turn().pop().unwrap();
    assert_eq!(ended.end, WaitEnd::Skipped { needle: "(x".into() });
    assert!(ended.literal.is_some(), "taken literally, and it says so");
}

#[test]
fn g1_fast_paths_neither_register_nor_notify() {
    let mut play = Play::new("ready\r\n");
    play.begin(ONE, 1, "ready").unwrap();
    assert_eq!(play.waits.list(), []);
    assert_eq!(play.ends(), [(1, "found")]);
    play.begin(ONE, 2, "other").unwrap();
    play.waits.exited(EXIT);
    assert_eq!(play.ends(), [(2, "exited")]);
    assert!(!play.waits.take_changed());
}

#[test]
fn g1_a_wait_is_told_when_it_begins_and_when_it_ends() {
    let mut play = Play::new("");
    play.begin(ONE, 1, "x").unwrap();
    play.begin(TWO, 1, "y").unwrap();
    assert_eq!(play.ends(), []);
    assert!(play.waits.take_changed() && !play.waits.take_changed());
    let needles: Vec<_> = play.waits.list().into_iter().map(|wait| wait.needle).collect();
    assert_eq!(needles, ["x", "y"], "the oldest first");
    play.print("nothing\r\n");
    assert_eq!(play.ends(), []);
    assert!(!play.waits.take_changed(), "output is no news");
    play.print("y");
    assert_eq!(play.ends(), [(1, "found")]);
    assert!(play.waits.take_changed());
    // A lost connection takes its waits along.
    play.waits.lost(ONE);
    assert!(play.waits.is_empty() && play.waits.take_changed());
    assert_eq!(play.ends(), []);
}

#[test]
fn g2_a_skip_ends_all_waits_once_and_counts_them() {
    let mut play = Play::new("");
    assert_eq!(play.waits.skip(), 0);
    for id in 1..=3 {
        play.begin(ONE, id, &format!("needle {id}")).unwrap();
    }
    assert_eq!(play.ends(), []);
    assert_eq!((play.waits.skip(), play.waits.skip()), (3, 0));
    let ended = play.turn();
    for (ended, id) in ended.iter().zip(1..) {
        assert_eq!(ended.end, WaitEnd::Skipped { needle: format!("needle {id}") }, "each its own");
    }
    assert_eq!((ended.len(), play.waits.skip()), (3, 0));
}

#[test]
fn g1_an_aborted_wait_leaves_the_others() {
    let mut play = Play::new("");
    play.begin(ONE, 1, "x").unwrap();
    play.begin(TWO, 1, "x").unwrap();
    play.waits.cancel(ONE, 9);
    assert_eq!(play.ends(), []);
    play.waits.cancel(ONE, 1);
    let ended = play.turn();
    assert_eq!((ended.len(), ended[0].client), (1, ONE));
    assert_eq!(play.waits.list().len(), 1);
}

#[test]
fn waits_have_a_limit_and_an_id_waits_once() {
    let mut play = Play::new("");
    for id in 0..MAX_WAITS_PER_TERMINAL as u64 {
        play.begin(ONE, id, "x").unwrap();
    }
    assert_eq!(play.begin(ONE, 1_000, "x"), Err(NotTaken::TooMany));
    play.waits.cancel(ONE, 0);
    play.turn();
    assert_eq!(play.begin(ONE, 1, "x"), Err(NotTaken::Again));
    assert_eq!(play.begin(TWO, 1, "x"), Ok(()));
}

#[test]
fn g1_how_long_is_pulled_into_the_limits() {
    for (asked, kept) in [(0, MIN_WAIT_MS), (u64::MAX, MAX_WAIT_MS), (5_000, 5_000)] {
        let mut play = Play::new("");
        let needle = Needle::new("x").unwrap();
        let asked = Asked { client: ONE, id: 1, needle, since: UnixMs(1), timeout_ms: asked };
        play.waits.begin(asked, &play.text, play.now).unwrap();
        assert_eq!(play.waits.next_deadline(), Some(play.now + Duration::from_millis(kept)));
        play.pass(kept - 1);
        assert_eq!(play.ends(), []);
        play.pass(1);
        assert!(matches!(play.turn()[0].end, WaitEnd::Timeout { timeout_ms, .. } if timeout_ms == kept));
    }
}

#[test]
fn g1_matches_over_chunks_lines_and_written_over_text_are_found() {
    let table: [(&str, &[&str]); 6] = [
        ("needle", &["nee", "dle"]),
        ("^done$", &["loading", "\rdone\x1b[K", "\r\n"]),
        (r"one\n+two", &["one\r\n", "\r\n", "two"]),
        ("修复", &["修", "复"]),
        ("both: ok", &["both: ..\r\nlast\r\n", "\x1b[2A\x1b[6Cok"]),
        (r"word\b", &["wor", "d", " "]),
    ];
    for (needle, chunks) in table {
        let mut play = Play::new("something before\r\n");
        play.begin(ONE, 1, needle).unwrap();
        let mut ended = play.ends();
        for chunk in chunks {
            assert_eq!(ended, [], "{needle}: not before {chunk:?}");
            play.print(chunk);
            ended = play.ends();
            if !ended.is_empty() {
                break;
            }
        }
        assert_eq!(ended, [(1, "found")], "{needle}");
    }
}

#[test]
fn g1_text_that_is_not_kept_any_more_is_not_found() {
    let mut play = Play::new("needle\r\n");
    for _ in 0..100 {
        play.print(&"other text\r\n".repeat(2_000));
    }
    play.begin(ONE, 1, "needle").unwrap();
    assert_eq!(play.ends(), []);
    assert_eq!(play.waits.list().len(), 1);
}

// What a full-screen program shows is no text; whoever waits for something that stands on its screen finds it there.
#[test]
fn a_needle_on_the_screen_of_a_full_screen_program_is_found_there() {
    let mut play = Play::new("a\r\nb\r\n\x1b[?1049h");
    play.begin(ONE, 1, "menu").unwrap();
    assert_eq!(play.ends(), []);
    play.picture = Some(Picture { number: 1, text: "title\n\n the menu\n".into() });
    let ended = play.turn().pop().unwrap();
    assert!(matches!(ended.end, WaitEnd::Found { line: 4, column: 5, .. }), "{:?}", ended.end);
    // It was there already: nobody was told.
    play.waits.take_changed();
    play.begin(ONE, 2, "title").unwrap();
    assert_eq!(play.ends(), [(2, "found")]);
    assert!(!play.waits.take_changed());
    play.begin(ONE, 3, "other").unwrap();
    assert_eq!(play.ends(), []);
    assert!(!play.waits.is_behind(&play.text, play.picture.as_ref()), "a picture is looked at once");
}

#[test]
fn a_turn_looks_for_a_bounded_time_and_every_wait_gets_its_part() {
    let mut play = Play::new(&format!("{}\r\nneedle", "filler text\r\n".repeat(40_000)));
    for id in 1..=4 {
        play.begin(ONE, id, if id == 4 { "needle" } else { "not there" }).unwrap();
    }
    let (mut turns, mut looks) = (0, 0);
    let mut clock = play.now;
    while play.waits.is_behind(&play.text, None) {
        let begin = clock;
        let mut tick = || {
            looks += 1;
            clock += Duration::from_millis(1);
            clock
        };
        play.waits.look(&play.text, None, &mut tick);
        assert!(clock - begin <= LOOK_AT_MOST + Duration::from_millis(2));
        turns += 1;
        assert!(play.waits.list().is_empty(), "not before the text is looked at");
    }
    assert!(turns > 100, "{turns} turns, {looks} looks");
    assert_eq!(play.ends(), [(4, "found")]);
    assert_eq!(play.waits.list().len(), 3);
}

// In a flood there is always text that was not looked at: a wait ends in time in spite of it.
#[test]
fn a_wait_that_is_behind_ends_a_second_late_at_most() {
    let mut play = Play::new("");
    play.begin(ONE, 1, "not there").unwrap();
    assert_eq!(play.ends(), []);
    play.print("needle?");
    play.pass(1_000);
    assert_eq!(play.waits.ended(&play.text, None, play.now), [], "there may be something in the text");
    play.pass(1_000);
    let ended = play.waits.ended(&play.text, None, play.now);
    assert_eq!(kind(&ended[0].end), "timeout");
}

//! The guards of the shrink-and-hold controller, one by one.

use super::*;

const SIZE: Size = Size { cols: 80, rows: 24 };
const HELD: Size = Size { cols: 79, rows: 23 };

struct Bench {
    jiggle: Jiggle,
    start: Instant,
    now: Instant,
}

impl Bench {
    /// Begun: the size is held.
    fn started() -> Self {
        let start = Instant::now();
        let mut bench = Self { jiggle: Jiggle::armed(SIZE, start), start, now: start };
        assert_eq!(bench.at(99), []);
        assert_eq!(bench.at(100), [SIZE, HELD]);
        // From here on times count from the start of the hold.
        bench.start = bench.now;
        bench
    }

    fn at(&mut self, millis: u64) -> Vec<Size> {
        self.now = self.start + Duration::from_millis(millis);
        self.jiggle.on_time(self.now)
    }

    fn says(&mut self, output: &[u8]) -> Vec<Size> {
        self.jiggle.on_output(output, self.now)
    }

    /// Everything that happens by itself from here on.
    fn rest(&mut self) -> Vec<Size> {
        let mut told = Vec::new();
        while let Some(at) = self.jiggle.next_deadline() {
            self.now = at;
            told.extend(self.jiggle.on_time(at));
        }
        told
    }
}

#[test]
fn what_is_held_is_one_cell_smaller_where_there_is_room() {
    let size = |cols, rows| Size { cols, rows };
    let table = [
        ((80, 24), Some((79, 23))),
        ((22, 7), Some((21, 6))),
        ((21, 7), Some((21, 6))),
        ((22, 6), Some((21, 6))),
        ((21, 6), None),
        ((20, 5), None),
        ((1, 1), None),
    ];
    for ((cols, rows), expected) in table {
        assert_eq!(hold_size(size(cols, rows)), expected.map(|(cols, rows)| size(cols, rows)));
    }
    assert_eq!(Jiggle::armed(size(20, 5), Instant::now()).next_deadline(), None);
}

#[test]
fn the_first_frame_gets_the_size_back_at_once_and_a_clear_ends_it() {
    let mut bench = Bench::started();
    assert_eq!(bench.says(b"text"), []);
    assert_eq!(bench.says(b"\x1b[?2026h\x1b[H"), [SIZE]);
    assert_eq!(bench.says(b"\x1b[2J"), []);
    assert_eq!(bench.rest(), []);
    assert_eq!(bench.says(b"\x1b[?2026h"), [], "over: output means nothing any more");
}

#[test]
fn a_clear_gets_the_size_back_and_wins_over_a_frame_beside_it() {
    for output in [&b"\x1b[2J"[..], b"\x1b[?2026h\x1b[2J", b"\x1b[2J\x1b[?2026h"] {
        let mut bench = Bench::started();
        assert_eq!(bench.says(output), [SIZE]);
        assert_eq!(bench.rest(), []);
    }
}

#[test]
fn sequences_are_found_at_any_cut_and_only_once() {
    for cut in 1..FRAME.len() {
        let mut bench = Bench::started();
        assert_eq!(bench.says(&FRAME[..cut]), []);
        assert_eq!(bench.says(&FRAME[cut..]), [SIZE], "cut {cut}");
        assert_eq!(bench.jiggle.carry.len(), FRAME.len() - 1);
        assert_eq!(bench.says(b""), []);
    }
    for cut in 1..CLEAR.len() {
        let mut bench = Bench::started();
        bench.says(&CLEAR[..cut]);
        assert_eq!(bench.says(&CLEAR[cut..]), [SIZE], "cut {cut}");
    }
}

#[test]
fn g1_without_a_frame_the_size_is_given_back_and_a_late_frame_gets_one_fresh_hold() {
    let mut bench = Bench::started();
    assert_eq!(bench.at(5_999), []);
    assert_eq!(bench.at(6_000), [SIZE]);
    assert_eq!(bench.says(FRAME), [HELD]);
    assert_eq!(bench.says(FRAME), [SIZE]);
    assert_eq!(bench.says(FRAME), [], "one");
    assert_eq!(bench.jiggle.frame_by, None, "G1 is not armed again");
}

#[test]
fn g2_the_budget_ends_it_and_gives_the_size_back() {
    let mut bench = Bench::started();
    bench.at(6_000);
    assert_eq!(bench.says(FRAME), [HELD]);
    let told = bench.rest();
    assert_eq!(told, [SIZE], "held to the end of the budget");
    assert_eq!(bench.now, bench.start + FRAME_WITHIN + BUDGET.iter().sum::<Duration>());
    // A program that never says anything.
    let mut silent = Bench::started();
    assert_eq!(silent.rest(), [SIZE]);
}

#[test]
fn g3_leaving_gives_the_size_back_once() {
    let mut bench = Bench::started();
    assert_eq!(bench.jiggle.stop(), [SIZE]);
    assert_eq!(bench.jiggle.stop(), []);
    assert_eq!(bench.rest(), []);
}

#[test]
fn g4_another_size_voids_the_hold() {
    let mut bench = Bench::started();
    bench.jiggle.on_resize();
    assert_eq!(bench.jiggle.stop(), []);
    assert_eq!(bench.says(FRAME), []);
    assert_eq!(bench.rest(), []);
}

#[test]
fn g5_a_start_gives_an_earlier_hold_back_first() {
    let mut bench = Bench::started();
    bench.jiggle.start_at = Some(bench.now);
    assert_eq!(bench.jiggle.on_time(bench.now), [SIZE, HELD]);
}

#[test]
fn g6_a_frame_without_a_clear_is_asked_for_again_while_the_budget_lasts() {
    let mut bench = Bench::started();
    bench.at(1_000);
    assert_eq!(bench.says(FRAME), [SIZE]);
    assert_eq!(bench.at(1_120), [], "within 900 ms");
    assert_eq!(bench.at(1_620), [], "within 900 ms");
    assert_eq!(bench.at(3_120), [HELD]);
    assert_eq!(bench.says(FRAME), [SIZE]);
    assert_eq!(bench.rest(), [], "the budget is used up");
    // With the size held at the end of the budget it is given back.
    let mut bench = Bench::started();
    bench.at(1_000);
    bench.says(FRAME);
    assert_eq!(bench.rest(), [HELD, SIZE]);
}

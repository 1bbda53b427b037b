//! Tests of the text: lines as last shown, numbers that never shift, and what is kept.

use super::*;
use board_protocol::terminals::MAX_TERMINAL_TEXT_BYTES;
use page::MAX_LINE_BYTES;
use proptest::prelude::*;

const SIZE: Size = Size { cols: 20, rows: 5 };

fn fed(pieces: &[&[u8]]) -> PlainText {
    let mut text = PlainText::new(SIZE);
    for piece in pieces {
        text.feed(piece);
    }
    text
}

fn all(text: &PlainText) -> Vec<String> {
    let mut lines = Vec::new();
    while lines.len() < (text.total_lines() - text.page(Some(0), 0).oldest_line) as usize {
        let from = text.page(Some(0), 0).oldest_line + lines.len() as u64;
        lines.extend(text.page(Some(from), TERMINAL_PAGE_LINES).lines);
    }
    lines
}

fn lines(output: &str) -> Vec<String> {
    all(&fed(&[output.as_bytes()]))
}

fn find(text: &PlainText, needle: &str) -> Option<Found> {
    let needle = Needle::new(needle).unwrap();
    let mut from = 0;
    loop {
        match text.look(&needle, from) {
            Looked::Found(found) => return Some(found),
            Looked::Upto(upto) if upto == text.end() => return None,
            Looked::Upto(upto) => from = upto,
        }
    }
}

#[test]
fn g1_sequences_are_no_text() {
    assert_eq!(lines("\x1b]2;title\x07\x1b[1;31mred\x1b[m \x1b[?25lplain\x1b(B\r\n"), ["red plain"]);
    assert_eq!(lines("\x1bP+q544e\x1b\\a\x07b\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"), ["ablink"]);
}

#[test]
fn g1_a_line_that_wraps_is_one_line() {
    let long = "0123456789".repeat(7);
    assert_eq!(lines(&format!("{long}\r\nnext\r\n")), [long.as_str(), "next"]);
    // What fills its last row to the end is followed by a line feed, not by an empty row.
    let full = "x".repeat(40);
    assert_eq!(lines(&format!("{full}\r\nnext")), [full.as_str(), "next"]);
}

#[test]
fn g1_progress_lines_are_as_last_shown() {
    let table = [
        ("10%\r50%\r100%\r\n", "100%"),
        ("loading...\rdone\x1b[K\r\n", "done"),
        ("loading...\rdone\r\n", "doneing..."),
        ("abc\x08\x08X\r\n", "aXc"),
        ("abc\x1b[2K\rxy\r\n", "xy"),
        ("abcdef\x1b[3D\x1b[1K.\r\n", "   .ef"),
        ("abc\x1b[2K.\r\n", "   ."),
        ("abcdef\x1b[3G\x1b[2P\r\n", "abef"),
        ("abcdef\x1b[3G\x1b[2@\r\n", "ab  cdef"),
        ("abcdef\x1b[2G\x1b[2X\r\n", "a  def"),
        ("a\tb\r\n", "a       b"),
        ("-\x1b[3b\r\n", "----"),
        ("修复\rx\r\n", "x 复"),
        ("修复\x1b[2Gx\r\n", " x复"),
        ("abcd\r修\r\n", "修cd"),
    ];
    for (output, shown) in table {
        assert_eq!(lines(output), [shown], "{output:?}");
    }
}

// A carriage return goes to the beginning of the row, so a progress line that is wider than the terminal leaves its
// first row behind, as it does for whoever looks at it; and a shell that edits a wrapped command edits one line.
#[test]
fn g1_what_is_written_over_is_in_the_row_that_a_person_sees() {
    let wide = "a".repeat(25);
    assert_eq!(lines(&format!("{wide}\rbb\r\n")), [format!("{}bbaaa", "a".repeat(20))]);
    // Readline: a blank and a carriage return make the cursor wrap; then back up into the first row.
    assert_eq!(lines("0123456789abcdefghij \rkl\x1b[A\rX\x1b[B\r\n"), ["X123456789abcdefghijkl"]);
}

#[test]
fn g1_lines_that_a_program_goes_back_up_to_are_as_last_shown() {
    let spinner = "one: .\r\ntwo: .\r\n\x1b[2A\x1b[Kone: ok\r\n\x1b[Ktwo: ok\r\nend\r\n";
    assert_eq!(lines(spinner), ["one: ok", "two: ok", "end"]);
    let erased = "a\r\nb\r\nc\r\n\x1b[3A\x1b[Jonly\r\n";
    assert_eq!(lines(erased)[..2], ["only", ""], "no number is given twice");
    // Not further than the screen reaches.
    let scrolled = "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n\x1b[99AX\r\n";
    assert_eq!(lines(scrolled), ["1", "2", "3", "X", "5", "6", "7"]);
    assert_eq!(lines("a\r\nb\r\nc\x1b[1;1Hx\x1b[3;1Hz"), ["x", "b", "z"]);
    assert_eq!(lines("a\x1b7\r\nb\x1b8!\r\n"), ["a!", "b"]);
}

#[test]
fn g1_a_cleared_screen_stays_above() {
    for clear in ["\x1b[H\x1b[2J\x1b[3J", "\x1b[2J\x1b[H", "\x1b[H\x1b[J", "\x1bc"] {
        assert_eq!(lines(&format!("old\r\nmore\r\n{clear}new\r\n")), ["old", "more", "new"], "{clear:?}");
    }
}

#[test]
fn a_status_row_below_a_scroll_region_stays_below() {
    let bar = "one\r\n\x1b7\x1b[1;4r\x1b8\x1b7\x1b[5;1Hbar\x1b8two\r\nthree\r\nfour\r\nfive\r\nsix\r\n";
    let lines = lines(bar);
    let last: Vec<_> = lines.iter().filter(|line| !line.is_empty()).map(String::as_str).collect();
    assert_eq!(last, ["one", "two", "three", "four", "five", "six", "bar"]);
}

#[test]
fn g1_what_is_drawn_on_the_alternate_screen_is_no_text() {
    let mut text = fed(&[b"before\r\n\x1b[?1049h\x1b[2J\x1b[Hmenu"]);
    assert!(text.is_alternate());
    assert_eq!(all(&text), ["before"]);
    text.feed(b"\x1b[5;1Hquit\x1b[?1049lafter\r\n");
    assert!(!text.is_alternate());
    assert_eq!(all(&text), ["before", "after"]);
}

#[test]
fn g1_wide_and_combining_characters_are_whole() {
    assert_eq!(lines("cafe\u{301} 修复 👩‍👩‍👧\r\n"), ["cafe\u{301} 修复 👩‍👩‍👧"]);
    // A wide character that does not fit goes on the next row, and no blank stands in its place.
    let full = "x".repeat(19);
    assert_eq!(lines(&format!("{full}修!\r\n")), [format!("{full}修!")]);
    let found = find(&fed(&["é修 needle".as_bytes()]), "needle").unwrap();
    assert_eq!((found.line, found.column), (0, 3), "columns are characters");
}

#[test]
fn g1_numbers_of_lines_never_shift_and_the_oldest_lines_go() {
    let mut text = PlainText::new(SIZE);
    for number in 0..200_000 {
        text.feed(format!("line {number}\r\n").as_bytes());
    }
    let page = text.page(None, 2);
    assert_eq!(page.lines, ["line 199998", "line 199999"]);
    assert_eq!((page.from, page.total_lines), (199_998, 200_000));
    let first = text.page(Some(0), 1);
    assert_eq!(first.from, first.oldest_line);
    assert_eq!(first.lines, [format!("line {}", first.oldest_line)]);
    assert!(200_000 - first.oldest_line <= store::MAX_LINES as u64);
    assert_eq!(find(&text, "line 777$"), None, "it is not kept any more");
    assert_eq!(find(&text, "line 199990").unwrap().line, 199_990);
}

#[test]
fn g1_a_mebibyte_is_kept_of_lines_of_any_length() {
    for length in [10, 1_000, 50_000, 5_000_000] {
        let mut text = PlainText::new(SIZE);
        for _ in 0..(5_000_000 / length) {
            text.feed("é".repeat(length / 2).as_bytes());
            text.feed(b"\r\n");
        }
        let kept: usize = all(&text).iter().map(|line| line.len() + 1).sum();
        assert!(kept <= MAX_TERMINAL_TEXT_BYTES + 1, "{kept} bytes of lines of {length}");
        assert!(
            kept >= MAX_TERMINAL_TEXT_BYTES.min(store::MAX_LINES * (length + 1)) - MAX_LINE_BYTES as usize,
            "{kept}"
        );
        assert!(all(&text).iter().all(|line| line.len() as u64 <= MAX_LINE_BYTES));
    }
}

#[test]
fn g1_the_first_of_several_occurrences_is_the_one_that_is_told() {
    let text = fed(&[b"one ready ready\r\nready again\r\n"]);
    let found = find(&text, "ready( ready)?").unwrap();
    assert_eq!((found.line, found.column), (0, 4));
    let found = find(&text, "again|one").unwrap();
    assert_eq!((found.line, found.column), (0, 0));
}

#[test]
fn g4_a_page_has_at_most_500_lines() {
    let text = fed(&["x\r\n".repeat(1_200).as_bytes()]);
    assert_eq!(text.page(Some(0), u32::MAX).lines.len(), 500);
    let end = text.page(Some(1_100), 500);
    assert_eq!((end.from, end.lines.len()), (1_100, 100));
    let beyond = text.page(Some(5_000), 500);
    assert_eq!((beyond.from, beyond.lines.len(), beyond.total_lines), (1_200, 0, 1_200));
    assert_eq!(text.page(None, 3).from, 1_197);
    assert_eq!(PlainText::new(SIZE).page(None, 10), TextPage::default());
}

#[test]
fn an_edit_says_from_where_on_the_text_changed() {
    let mut text = PlainText::new(SIZE);
    assert_eq!(text.feed(b"\x1b[31m"), None);
    assert_eq!(text.feed(b"abc"), Some(0));
    assert_eq!(text.feed(b"def"), Some(3));
    assert_eq!(text.feed(b"\rX"), Some(0));
    assert_eq!(text.feed(b"\r\n"), Some(6));
    assert_eq!(text.feed(b"y\x1b[A\rZ"), Some(0));
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        "[a-z é修\u{301}👩]{0,30}".prop_map(String::into_bytes),
        "\r|\n|\r\n|\t|\x08".prop_map(String::into_bytes),
        "\x1b\\[[0-9]{0,2}(;[0-9]{0,2})?[A-Z@`a-z]".prop_map(String::into_bytes),
        "\x1b[78cDEM]|\x1b\\[\\?1049[hl]".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..6),
    ]
}

/// What edits lines on a screen that is wide and high enough for all of them. `width` is that of every character: terminals
/// differ in what they show of a wide character of which a half is written over, so no edit begins in the middle of one.
fn edit(width: usize) -> impl Strategy<Value = String> {
    let text = if width == 2 { "[修界漢]{1,6}" } else { "[a-z ]{1,12}|é|cafe\u{301}" };
    let control = move |first: usize, finals: &'static str| {
        (1..=4_usize, prop::sample::select(finals.chars().collect::<Vec<_>>()))
            .prop_map(move |(count, end)| format!("\x1b[{}{end}", (count - 1) * width + first))
    };
    prop_oneof![
        text,
        Just("\r".to_owned()),
        Just("\r\n".to_owned()),
        Just("\x08".repeat(width)),
        "\x1b\\[[012]?K",
        "\x1b\\[[1-4]?[ABEF]",
        control(width, "CDXP@"),
        control(1, "G"),
        Just("\x1b7".to_owned()),
        Just("\x1b8".to_owned()),
    ]
}

fn edits() -> impl Strategy<Value = Vec<String>> {
    (1..=2_usize).prop_flat_map(|width| prop::collection::vec(edit(width), 0..60))
}

proptest! {
    // Against an independent terminal: what a person sees is what is kept.
    #[test]
    fn g1_lines_are_what_another_terminal_shows(edits in edits()) {
        let size = Size { cols: 900, rows: 100 };
        let mut text = PlainText::new(size);
        let mut other = vt100::Parser::new(size.rows.try_into().unwrap(), size.cols.try_into().unwrap(), 0);
        for edit in &edits {
            text.feed(edit.as_bytes());
            other.process(edit.as_bytes());
        }
        let seen: Vec<String> = other.screen().rows(0, size.cols).map(|row| row.trim_end().to_owned()).collect();
        let kept: Vec<String> = all(&text).iter().map(|line| line.trim_end().to_owned()).collect();
        let (seen, rest) = seen.split_at(kept.len());
        prop_assert_eq!(seen, &kept[..]);
        prop_assert!(rest.iter().all(String::is_empty), "{:?}", rest);
    }

    // However output is cut: the same lines. And the tables agree with the text whatever the program does.
    #[test]
    fn g1_output_may_be_cut_anywhere(
        pieces in prop::collection::vec(piece(), 0..40), cut in 1_usize..7, cols in 20_u16..30,
    ) {
        let size = Size { cols, ..SIZE };
        let output = pieces.concat();
        let (mut whole, mut cuts) = (PlainText::new(size), PlainText::new(size));
        whole.feed(&output);
        for part in output.chunks(cut) {
            cuts.feed(part);
        }
        prop_assert_eq!(all(&whole), all(&cuts));
        let store = &whole.performer.page.store;
        let text = std::str::from_utf8(store.bytes()).unwrap();
        prop_assert_eq!(text.split('\n').count() as u64, store.last_line() - store.first_line() + 1);
        for (line, kept) in text.split('\n').enumerate() {
            let (start, end) = (store.start(line as u64), store.line_end(line as u64));
            prop_assert_eq!(std::str::from_utf8(store.part(start, end)).unwrap(), kept);
        }
    }
}

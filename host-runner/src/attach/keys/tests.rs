//! Detach keys in every encoding, at every cut, and inside what must not be read as keys.

use super::*;
use proptest::prelude::*;

/// Every form of the detach key.
const DETACH: [&[u8]; 9] = [
    b"\x1c",
    b"\x1b[92;5u",
    b"\x1b[92;5:1u",
    b"\x1b[92:124;5u",
    b"\x1b[92;133u",
    b"\x1b[92;69:2u",
    b"\x1b[27;5;92~",
    b"\x1b[1;5D",
    b"\x1b[1;69:1D",
];

/// Keys that look like it and are others.
const OTHERS: [&[u8]; 16] = [
    b"\x1b[D",
    b"\x1b[5D",
    b"\x1b[1;2D",
    b"\x1b[1;3D",
    b"\x1b[1;6D",
    b"\x1b[1;5C",
    b"\x1b[1;5:3D",
    b"\x1b[92;5:3u",
    b"\x1b[92;6u",
    b"\x1b[93;5u",
    b"\x1b[92u",
    b"\x1b[27;5;93~",
    b"\x1b[27;6;92~",
    b"\x1b\x1c",
    b"\x1bOD",
    b"\x11",
];

fn scan(pieces: &[&[u8]]) -> (Vec<u8>, Typed) {
    let mut scanner = KeyScanner::default();
    let now = Instant::now();
    let mut out = Vec::new();
    for piece in pieces {
        if scanner.feed(piece, now, &mut out) == Typed::Detach {
            return (out, Typed::Detach);
        }
    }
    scanner.on_time(now + PASTE_WAIT, &mut out);
    (out, Typed::Through)
}

// Field report B1: the detach key was missed when it arrived in the same read as other bytes.
#[test]
fn b1_the_detach_key_is_found_anywhere_in_a_batch_and_what_came_before_is_delivered() {
    let long = [b'a'; 31];
    for key in DETACH {
        for before in [&b""[..], b"a", &long, b"\x1b[A", "é漢".as_bytes(), b"\x1b", b"\x1b[200~x\x1b[201~"]
        {
            if before == b"\x1b" && key == b"\x1c" {
                continue;
            }
            let batch = [before, key, b"rest"].concat();
            assert_eq!(
                scan(&[&batch]),
                (before.to_vec(), Typed::Detach),
                "{:?}",
                batch.escape_ascii().to_string()
            );
        }
    }
    assert_eq!(scan(&[b"\x11"]), (b"\x11".to_vec(), Typed::Through));
}

#[test]
fn other_keys_can_detach_and_then_the_usual_ones_are_the_agents() {
    let chords = ["ctrl+d", "alt+q", "f12"].map(|text| Chord::parse(text).unwrap());
    for key in [&b"\x04"[..], b"\x1b[100;5u", b"\x1bq", b"\x1b[24~", b"\x1b[27;3;113~"] {
        for cut in 0..key.len() {
            let mut scanner = KeyScanner::new(chords.to_vec());
            let mut out = Vec::new();
            let now = Instant::now();
            assert_eq!(scanner.feed(&[b"before", &key[..cut]].concat(), now, &mut out), Typed::Through);
            assert_eq!(scanner.feed(&key[cut..], now, &mut out), Typed::Detach, "{}", key.escape_ascii());
            assert_eq!(out, b"before");
        }
    }
    let mut scanner = KeyScanner::new(chords.to_vec());
    let mut out = Vec::new();
    let usual = DETACH.concat();
    assert_eq!(scanner.feed(&usual, Instant::now(), &mut out), Typed::Through);
    assert_eq!(out, usual);
    // Pasted text is no key.
    let paste = b"\x1b[200~\x04\x1b[201~";
    assert_eq!(scanner.feed(paste, Instant::now(), &mut out), Typed::Through);
    assert!(out.ends_with(paste));
}

#[test]
fn the_detach_key_is_found_when_its_bytes_come_one_by_one() {
    for key in DETACH {
        let pieces: Vec<&[u8]> = key.chunks(1).collect();
        assert_eq!(scan(&pieces), (Vec::new(), Typed::Detach), "{:?}", key.escape_ascii().to_string());
    }
}

#[test]
fn other_keys_pass_unchanged() {
    for key in OTHERS {
        assert_eq!(scan(&[key]), (key.to_vec(), Typed::Through), "{:?}", key.escape_ascii().to_string());
        for at in 1..key.len() {
            let (a, b) = key.split_at(at);
            assert_eq!(scan(&[a, b]), (key.to_vec(), Typed::Through), "{:?}", key.escape_ascii().to_string());
        }
    }
}

#[test]
fn a_paste_or_an_answer_of_the_terminal_may_hold_the_keys_bytes() {
    for key in DETACH {
        for (start, end) in
            [(&b"\x1b[200~"[..], &b"\x1b[201~"[..]), (b"\x1bP", b"\x1b\\"), (b"\x1b]52;", b"\x07")]
        {
            if end == b"\x1b\\" && key.len() > 1 {
                // An ESC ends such a string in a terminal as well.
                continue;
            }
            let text = [start, b"x", key, b"y", end].concat();
            assert_eq!(scan(&[&text]), (text.clone(), Typed::Through));
            let then = [text.as_slice(), b"\x1c"].concat();
            assert_eq!(scan(&[&then]), (text, Typed::Detach), "after it the key counts again");
        }
    }
}

// Field report B10: a mouse report that came in two pieces was typed as text.
#[test]
fn b10_a_report_in_two_pieces_passes_whole() {
    let mut scanner = KeyScanner::default();
    let start = Instant::now();
    let mut out = Vec::new();
    scanner.feed(b"\x1b[<0;10;", start, &mut out);
    let later = start + Duration::from_millis(80);
    scanner.on_time(later, &mut out);
    assert_eq!(out, b"");
    scanner.feed(b"5M", later, &mut out);
    assert_eq!(out, b"\x1b[<0;10;5M");
    assert_eq!(scanner.next_deadline(), None);
}

#[test]
fn a_lone_escape_is_let_go_after_a_moment_nobody_notices() {
    let mut scanner = KeyScanner::default();
    let start = Instant::now();
    let mut out = Vec::new();
    scanner.feed(b"\x1b", start, &mut out);
    assert_eq!(out, b"");
    let due = scanner.next_deadline().unwrap();
    assert!(due - start <= Duration::from_millis(30));
    scanner.on_time(due, &mut out);
    assert_eq!((out.as_slice(), scanner.next_deadline()), (&b"\x1b"[..], None));
    // And what follows is a key of its own.
    assert_eq!(scanner.feed(b"\x1c", due, &mut out), Typed::Detach);
}

#[test]
fn a_paste_whose_end_is_lost_does_not_disable_the_key_for_ever() {
    let mut scanner = KeyScanner::default();
    let start = Instant::now();
    let mut out = Vec::new();
    assert_eq!(scanner.feed(b"\x1b[200~abc\x1c", start, &mut out), Typed::Through);
    let due = scanner.next_deadline().unwrap();
    scanner.on_time(due, &mut out);
    assert_eq!(scanner.feed(b"\x1c", due, &mut out), Typed::Detach);
    assert_eq!(out, b"\x1b[200~abc\x1c");
}

proptest! {
    /// Without the detach key nothing is lost, added or reordered, however the bytes are cut.
    #[test]
    fn typing_passes_unchanged_in_any_pieces(
        parts in prop::collection::vec(prop_oneof![
            prop::sample::select(OTHERS.to_vec()).prop_map(<[u8]>::to_vec),
            "[a-zé漢\r\t]{0,5}".prop_map(String::into_bytes),
            prop::sample::select(vec![&b"\x1b[200~p\x1c\x1b[201~"[..], b"\x1b[<0;1;2M", b"\x1b]11;rgb:0/0/0\x07"])
                .prop_map(<[u8]>::to_vec),
        ], 0..12),
        step in 1_usize..9,
    ) {
        let all = parts.concat();
        let pieces: Vec<&[u8]> = all.chunks(step).collect();
        prop_assert_eq!(scan(&pieces), (all.clone(), Typed::Through));
    }

    #[test]
    fn any_bytes_at_all_pass_in_order(bytes in prop::collection::vec(any::<u8>(), 0..200), step in 1_usize..9) {
        let pieces: Vec<&[u8]> = bytes.chunks(step).collect();
        let (out, typed) = scan(&pieces);
        prop_assert!(bytes.starts_with(&out));
        prop_assert!(typed == Typed::Detach || out == bytes);
    }
}

/// Every form of plain Left.
const LEFT: [&[u8]; 6] = [b"\x1b[D", b"\x1bOD", b"\x1b[1D", b"\x1b[1;1D", b"\x1b[1;1:2D", b"\x1b[1;65D"];

#[test]
fn plain_left_detaches_only_while_the_host_says_so_and_not_right_after_typing() {
    let start = Instant::now();
    let (soon, later) = (start + Duration::from_millis(50), start + EDITOR_WAIT);
    for key in LEFT {
        let name = key.escape_ascii().to_string();
        let mut out = Vec::new();
        let mut scanner = KeyScanner::default();
        assert_eq!(scanner.feed(key, start, &mut out), Typed::Through, "{name}: nobody said so");
        scanner.left_is(PlainLeft::Detaches);
        assert_eq!(scanner.feed(b"a", start, &mut out), Typed::Through);
        assert_eq!(scanner.feed(key, soon, &mut out), Typed::Through, "{name}: right after a key");
        assert_eq!(out, [key, b"a", key].concat(), "{name}: the agent gets everything");
        assert_eq!(scanner.feed(key, later, &mut out), Typed::Detach, "{name}");
        let mut scanner = KeyScanner::default();
        scanner.left_is(PlainLeft::Detaches);
        assert_eq!(
            scanner.feed(&[b"a", key].concat(), later, &mut out),
            Typed::Through,
            "{name}: in a batch"
        );
        scanner.left_is(PlainLeft::Typed);
        assert_eq!(scanner.feed(key, later + EDITOR_WAIT, &mut out), Typed::Through, "{name}: taken back");
    }
    for other in [&b"\x1b[1;2D"[..], b"\x1b[1;3D", b"\x1b[1;1:3D", b"\x1b[C", b"\x1bOC", b"\x1b[2D"] {
        let mut scanner = KeyScanner::default();
        scanner.left_is(PlainLeft::Detaches);
        let came_to = scanner.feed(other, start, &mut Vec::new());
        assert_eq!(came_to, Typed::Through, "{}", other.escape_ascii());
    }
    // Inside a paste it is text.
    let mut scanner = KeyScanner::default();
    scanner.left_is(PlainLeft::Detaches);
    let came_to = scanner.feed(b"\x1b[200~\x1b[D\x1b[201~", start, &mut Vec::new());
    assert_eq!(came_to, Typed::Through);
}

// ----- The keys that skip waits.

/// What reaches the program, and whether the waits are skipped; each piece is read by itself.
fn skipping(skipping: Skipping, pieces: &[&[u8]]) -> (Vec<u8>, bool) {
    let mut scanner = KeyScanner::default().with_skip(Chord::SKIP.to_vec());
    scanner.skipping_is(skipping);
    let mut out = Vec::new();
    let now = Instant::now();
    for piece in pieces {
        assert_eq!(scanner.feed(piece, now, &mut out), Typed::Through);
    }
    scanner.on_time(now + Duration::from_secs(10), &mut out);
    let skipped = scanner.take_skipped();
    assert!(!scanner.take_skipped(), "once is once");
    (out, skipped)
}

#[test]
fn g3_the_key_that_skips_is_known_in_every_encoding_and_only_while_it_is_named() {
    let encodings: [&[u8]; 4] = [b"\x1bw", b"\x1b[119;3u", b"\x1b[119;3:2u", b"\x1b[27;3;119~"];
    for key in encodings {
        let batch = [b"ab", key, b"cd"].concat();
        assert_eq!(skipping(Skipping::On, &[&batch]), (b"abcd".to_vec(), true), "{}", key.escape_ascii());
        assert_eq!(skipping(Skipping::Off, &[&batch]), (batch.clone(), false), "{}", key.escape_ascii());
        for cut in 1..key.len() {
            let (start, end) = key.split_at(cut);
            assert_eq!(skipping(Skipping::On, &[start, end]), (Vec::new(), true), "{}", key.escape_ascii());
        }
        // What is pasted is text.
        let paste = [PASTE_START, b"a", key, b"b", PASTE_END].concat();
        assert_eq!(skipping(Skipping::On, &[&paste]), (paste.clone(), false));
    }
    // Neighbours are the program's.
    for other in [
        &b"w"[..],
        b"\x1bW",
        b"\x1bv",
        b"\x1b[119;5u",
        b"\x1b[119u",
        b"\x1b[119;3:3u",
        b"\x1b]w\x07",
        b"\x1bOw",
    ] {
        assert_eq!(skipping(Skipping::On, &[other]), (other.to_vec(), false), "{}", other.escape_ascii());
    }
}

#[test]
fn g3_an_escape_that_was_pressed_by_itself_is_no_part_of_the_key() {
    let mut scanner = KeyScanner::default().with_skip(Chord::SKIP.to_vec());
    scanner.skipping_is(Skipping::On);
    let (mut out, now) = (Vec::new(), Instant::now());
    scanner.feed(b"\x1b", now, &mut out);
    scanner.on_time(now + ESC_WAIT, &mut out);
    scanner.feed(b"w", now + ESC_WAIT, &mut out);
    assert_eq!((out.as_slice(), scanner.take_skipped()), (&b"\x1bw"[..], false));
}

#[test]
fn g3_a_click_on_the_banner_skips_and_others_arrive_where_they_belong() {
    let layout = Layout {
        above: 1,
        skip: Some(67..79),
        corner: (1, 0),
        size: board_protocol::ids::Size { cols: 80, rows: 24 },
        encoding: Some(crate::terminal::MouseEncoding::Bytes),
    };
    let click = b"x\x1b[<0;70;1M\x1b[<0;70;1my\x1b[<0;5;9M";
    for (named, skips) in [(Skipping::On, true), (Skipping::Off, false)] {
        let mut scanner = KeyScanner::default().with_skip(Chord::SKIP.to_vec());
        scanner.skipping_is(named);
        scanner.laid_out(Some(layout.clone()));
        let mut out = Vec::new();
        for byte in click {
            scanner.feed(&[*byte], Instant::now(), &mut out);
        }
        assert_eq!((out.as_slice(), scanner.take_skipped()), (&b"xy\x1b[M %)"[..], skips));
        // In direct mode the mouse is the program's as it comes.
        scanner.laid_out(None);
        out.clear();
        scanner.feed(click, Instant::now(), &mut out);
        assert_eq!(out, click);
    }
}

//! Tests of the session terminal as the host uses it, and of every engine bug that we met.

use super::*;
use proptest::prelude::*;

fn terminal(cols: u16, rows: u16) -> SessionTerminal {
    SessionTerminal::new(Size { cols, rows }, 100)
}

fn printed(cols: u16, rows: u16, output: &str) -> SessionTerminal {
    let mut terminal = terminal(cols, rows);
    terminal.feed(output.as_bytes());
    terminal
}

fn lines(terminal: &mut SessionTerminal) -> Vec<String> {
    terminal.text(100, ScreenFormat::Text).lines().map(str::to_owned).collect()
}

#[test]
fn a_snapshot_shows_screen_and_history() {
    let mut terminal = terminal(20, 5);
    assert!(terminal.is_empty());
    for n in 1..=12 {
        terminal.feed(format!("line {n}\r\n").as_bytes());
    }
    assert!(!terminal.is_empty());
    assert_eq!(terminal.cursor(), (4, 0));
    assert_eq!(terminal.text(2, ScreenFormat::Text), "line 7\nline 8\nline 9\nline 10\nline 11\nline 12\n");
    let mut client = self::terminal(20, 5);
    client.feed(&terminal.snapshot(History::Include).bytes);
    assert_eq!(lines(&mut client), lines(&mut terminal));
}

#[test]
fn a_snapshot_without_history_leaves_the_clients_scrollback_alone() {
    let mut client = printed(20, 5, "own 1\r\nown 2\r\nown 3\r\nown 4\r\nown 5\r\nown 6\r\nown 7\r\n");
    let mut terminal = printed(20, 5, "a\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng");
    client.feed(&terminal.snapshot(History::Omit).bytes);
    assert_eq!(lines(&mut client), ["own 1", "own 2", "own 3", "c", "d", "e", "f", "g"]);
    client.feed(&terminal.snapshot(History::Include).bytes);
    assert_eq!(lines(&mut client), ["a", "b", "c", "d", "e", "f", "g"]);
}

#[test]
fn text_keeps_colours_only_when_asked() {
    let mut terminal =
        printed(20, 5, "\x1b[31mred\x1b[m e\u{301}x \x1b]8;;http://e.org/\x07link\x1b]8;;\x07");
    assert_eq!(terminal.text(0, ScreenFormat::Text), "red e\u{301}x link\n");
    assert_eq!(
        terminal.text(0, ScreenFormat::Ansi),
        "\x1b[0;31mred\x1b[m e\u{301}x \x1b]8;;http://e.org/\x1b\\link\x1b]8;;\x1b\\\n"
    );
    assert_eq!(self::terminal(20, 5).text(10, ScreenFormat::Text), "");
}

#[test]
fn c8_no_spaces_come_into_wide_text() {
    let mut terminal = printed(20, 5, "한글テスト漢字");
    assert_eq!(terminal.text(0, ScreenFormat::Text), "한글テスト漢字\n");
}

#[test]
fn c11_an_open_update_shows_and_can_be_nested() {
    let mut terminal = printed(20, 5, "\x1b[?2026h\x1b[?2026h\x1b[?2026lX");
    assert_eq!(lines(&mut terminal), ["X"]);
    assert!(!terminal.has_mode(2026), "the mode does not nest");
    let mut terminal = printed(20, 5, "\x1b[?2026hX");
    let snapshot = terminal.snapshot(History::Include).bytes;
    assert!(snapshot.ends_with(b"\x1b[?2026h"), "the cells come before the update is opened again");
}

#[test]
fn c16_modes_set_while_nobody_was_attached_are_in_the_snapshot() {
    let mut terminal = printed(20, 5, "\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[?1h");
    let mut client = self::terminal(20, 5);
    client.feed(&terminal.snapshot(History::Include).bytes);
    for mode in [1002, 1006, 2004, 1] {
        assert!(client.has_mode(mode), "{mode}");
    }
}

/// The stack of titles of a client's terminal holds the person's title. Vim pops it four times on its way out, and every
/// snapshot once popped it ten times.
#[test]
fn no_snapshot_touches_a_persons_titles() {
    for output in ["x", "\x1b]2;one\x07\x1b[22;2t\x1b]2;two\x07", "\x1b[23;0t\x1b[23;2t"] {
        let snapshot = printed(20, 5, output).snapshot(History::Include).bytes;
        assert!(
            !snapshot.windows(5).any(|w| matches!(w, b"\x1b[22;" | b"\x1b[23;" | b"\x1b[22t" | b"\x1b[23t")),
            "{output:?}"
        );
    }
}

/// A palette that a person chose must survive an attach; one that the session changed must not stay.
#[test]
fn only_colours_that_the_session_touched_are_reset() {
    let resets = |output| {
        let snapshot = printed(20, 5, output).snapshot(History::Include).bytes;
        ["\x1b]104\x1b", "\x1b]110\x1b", "\x1b]111\x1b"]
            .map(|reset| snapshot.windows(6).any(|w| w == reset.as_bytes()))
    };
    assert_eq!(resets("x"), [false, false, false]);
    assert_eq!(resets("\x1b]4;1;#112233\x07\x1b]104\x07"), [true, false, false]);
    assert_eq!(resets("\x1b]11;#112233\x07\x1b]111\x07"), [false, false, true]);
    assert_eq!(resets("\x1b]11;#112233\x07\x1bc"), [false, false, true]);
}

#[test]
fn c19_a_region_from_the_first_row_feeds_the_history() {
    let mut terminal = SessionTerminal::new(Size { cols: 80, rows: 24 }, 2000);
    terminal.feed(b"\x1b[1;20r\x1b[20;1H");
    for n in 0..100 {
        terminal.feed(format!("line {n}\r\n").as_bytes());
    }
    let text = terminal.text(2000, ScreenFormat::Text);
    for n in 0..100 {
        assert_eq!(text.lines().filter(|line| *line == format!("line {n}")).count(), 1, "line {n}");
    }
}

/// A program that redraws in place many times leaves each line once, however often somebody attaches meanwhile (field
/// report C1); and what another session left in a terminal is gone (C2).
#[test]
fn c1_c2_redraws_and_attaches_leave_each_line_once_and_nothing_of_another_session() {
    let mut other = printed(20, 5, "other 1\r\nother 2\r\nother 3\r\nother 4\r\nother 5\r\nother 6");
    let mut client = terminal(20, 5);
    client.feed(&other.snapshot(History::Include).bytes);
    let mut terminal = printed(20, 5, "a\r\nb\r\nc\r\nd\r\ne\r\nf\r\n");
    for frame in 0..200 {
        terminal.feed(
            format!("\x1b[?2026h\x1b[2A\r\x1b[J\x1b[32m漢 字 {frame}\x1b[m\r\nend\x1b[K\r\n\x1b[?2026l")
                .as_bytes(),
        );
        if frame % 40 == 0 {
            client.feed(&terminal.snapshot(History::Include).bytes);
        }
    }
    client.feed(&terminal.snapshot(History::Include).bytes);
    assert_eq!(lines(&mut client), lines(&mut terminal));
    let text = lines(&mut client);
    assert_eq!(text, ["a", "b", "c", "d", "漢 字 199", "end"]);
    assert_eq!(terminal.text(100, ScreenFormat::Ansi), client.text(100, ScreenFormat::Ansi), "colours, too");
}

/// 5,000 lines, then an attach: the newest 2,000 can be scrolled back to (field report C3).
#[test]
fn c3_the_last_lines_before_an_attach_are_in_the_clients_scrollback() {
    let mut terminal = SessionTerminal::new(Size { cols: 80, rows: 24 }, 2000);
    for n in 0..5000 {
        terminal.feed(format!("line {n}\r\n").as_bytes());
    }
    let mut client = SessionTerminal::new(Size { cols: 80, rows: 24 }, 10_000);
    client.feed(&terminal.snapshot(History::Include).bytes);
    let text = client.text(10_000, ScreenFormat::Text);
    let shown: Vec<&str> = text.lines().collect();
    assert_eq!((shown.len(), shown.first(), shown.last()), (2023, Some(&"line 2977"), Some(&"line 4999")));
}

/// Drawn once, then silence: the snapshot holds it all, at the same size (field report C5).
#[test]
fn c5_what_was_drawn_once_is_whole_in_a_snapshot_of_the_same_size() {
    let mut drawn =
        printed(20, 5, "\x1b[?1049h\x1b[H1 top\x1b[3;8Hmiddle\x1b[5;1H\x1b[7mbottom bar          ");
    let mut client = terminal(20, 5);
    client.feed(&drawn.snapshot(History::Include).bytes);
    assert_eq!(client.text(0, ScreenFormat::Ansi), drawn.text(0, ScreenFormat::Ansi));
    assert_eq!(lines(&mut client), ["1 top", "", "       middle", "", "bottom bar"]);
}

#[test]
fn an_unfinished_sequence_is_for_the_next_live_bytes() {
    for (output, unfinished) in [
        ("x\x1b", &b"\x1b"[..]),
        ("x\x1b[3", b"\x1b[3"),
        ("x\x1b[3\r1", b"\x1b[31"),
        ("x\x1b]2;ti", b"\x1b]2;ti"),
        ("x\x1b]2;title\x1b", b"\x1b"),
        ("x\x1bPq#0", b"\x1bPq#0"),
        ("x\x1b[31m", b""),
        ("x\x1b[3\x18", b""),
        ("x\x1b]2;title\x07", b""),
    ] {
        let mut terminal = printed(20, 5, output);
        assert_eq!(terminal.snapshot(History::Include).unfinished, unfinished, "{}", output.escape_debug());
    }
}

/// A whole sequence and one in pieces go through different parsers.
#[test]
fn sequences_in_pieces_do_what_whole_ones_do() {
    let many = (1..40).map(|n| n.to_string()).collect::<Vec<_>>().join(";");
    for output in [
        format!("\x1b]2;{many}\x07"),
        format!("\x1b]8;;http://e.org/{many}\x1b\\x"),
        format!("\x1b]4;{many}\x07"),
        "\x1b]2;a\u{e9}\x01b\x07".to_owned(),
        format!("\x1b[{many}mx"),
        "\x1b[38:2::1:2:3;4:3mx".to_owned(),
        "\x1b[3 qx\x1b[!p\x1b[?5W\x1b[1;2;3".to_owned(),
    ] {
        let mut whole = printed(20, 5, &output);
        let mut pieces = self::terminal(20, 5);
        for byte in output.as_bytes() {
            pieces.feed(&[*byte]);
        }
        let snapshot = |terminal: &mut SessionTerminal| {
            terminal.snapshot(History::Include).bytes.escape_ascii().to_string()
        };
        assert_eq!(snapshot(&mut whole), snapshot(&mut pieces), "{}", output.escape_debug());
    }
}

#[test]
fn characters_may_be_cut_between_two_reads() {
    let output = "é漢😀x\u{301}\x1b]2;é\x07".to_owned();
    let mut whole = printed(20, 5, &output);
    let mut cut = terminal(20, 5);
    for byte in output.as_bytes() {
        cut.feed(&[*byte]);
    }
    assert_eq!(cut.snapshot(History::Include), whole.snapshot(History::Include));
    let mut cut = printed(20, 5, "a");
    cut.feed(b"\xe6\xbc");
    assert_eq!(cut.snapshot(History::Include).unfinished, b"\xe6\xbc");
    assert_eq!(lines(&mut cut), ["a"]);
}

#[test]
fn an_endless_sequence_does_not_take_endless_memory() {
    let mut terminal = printed(20, 5, "\x1bPq");
    for _ in 0..40 {
        terminal.feed(&[b'#'; 65_536]);
    }
    assert!(terminal.snapshot(History::Include).unfinished.len() <= 1024 * 1024);
}

#[test]
fn programs_cannot_print_our_markers() {
    let mut terminal = printed(20, 5, "a\u{e01f0}\u{e01f1}\u{e01f2}\u{e01f3}\u{e0ffd}b\u{e0100}c");
    assert_eq!(terminal.text(0, ScreenFormat::Text), "ab\u{e0100}c\n");
}

#[test]
fn markers_that_no_cell_uses_are_used_again() {
    let mut terminal = terminal(20, 5);
    for n in 0..10_000 {
        terminal.feed(format!("\x1b]8;;http://e.org/{n}\x07link\x1b]8;;\x07\r\n").as_bytes());
    }
    let text = terminal.text(3, ScreenFormat::Ansi);
    for n in [9_993, 9_999] {
        assert!(text.contains(&format!("http://e.org/{n}\x1b")), "{text}");
    }
}

/// vt100 0.18.1 widens a cell for U+FE0F and panics in the last column of the last row; it never sees one.
#[test]
fn emoji_presentation_in_the_last_column_does_not_break_the_engine() {
    for output in ["\x1b[24;80H☁\u{fe0f}\x1b[23;80Hx", "\x1b[24;80H☁\u{fe0f}\x1b[23;79H😀"] {
        let terminal = printed(80, 24, output);
        assert_eq!(terminal.faults(), 0);
    }
}

/// vt100 homes to the region's first row even with origin mode off.
#[test]
fn a_region_homes_to_the_first_row() {
    assert_eq!(printed(20, 6, "\x1b[5;5H\x1b[3;5r").cursor(), (0, 0));
    assert_eq!(printed(20, 6, "\x1b[?6h\x1b[3;5r").cursor(), (2, 0));
}

/// vt100 moves one column less than terminals do from a pending wrap, and keeps it when moving up and down.
#[test]
fn moves_end_a_pending_wrap() {
    let full = "abcdefghijklmnopqrst";
    for (moves, expected) in [
        ("\x08", (2, 18)),
        ("\x1b[D", (2, 18)),
        ("\x1b[A", (1, 19)),
        ("\x1b[B", (3, 19)),
        ("\x1b[2d", (1, 19)),
    ] {
        let mut terminal = printed(20, 6, &format!("\x1b[3;1H{full}{moves}"));
        assert_eq!(terminal.cursor(), expected, "{}", moves.escape_debug());
        terminal.feed(b"X");
        assert_eq!(
            terminal.cursor(),
            (expected.0, (expected.1 + 1).min(19)),
            "no wrap: {}",
            moves.escape_debug()
        );
    }
}

/// vt100 homes the cursor when the alternate screen comes.
#[test]
fn the_alternate_screen_keeps_the_cursor() {
    assert_eq!(printed(20, 6, "\x1b[3;4H\x1b[?1049h").cursor(), (2, 3));
    assert_eq!(printed(20, 6, "\x1b[3;4H\x1b[?47h").cursor(), (2, 3));
}

/// vt100 keeps every attribute in erased cells; terminals keep the background.
#[test]
fn erased_cells_keep_the_background_only() {
    let mut terminal = printed(20, 6, "\x1b[1;4;7;31;42m\x1b[K");
    let snapshot = String::from_utf8(terminal.snapshot(History::Include).bytes).unwrap_or_default();
    assert!(snapshot.contains("\x1b[0;42m\x1b[20X"), "{}", snapshot.escape_debug());
}

/// vt100 scrolls on a reverse index in the first row even when the region begins below it.
#[test]
fn reverse_index_above_the_region_scrolls_nothing() {
    let mut terminal = printed(20, 6, "\x1b[3;1Hhere\x1b[3;5r\x1b[H\x1bM");
    assert_eq!(lines(&mut terminal), ["", "", "here"]);
}

/// vt100's own formatted rows give blanks the attributes of what stands before them.
#[test]
fn blanks_in_history_rows_have_no_attributes() {
    let mut terminal = printed(20, 5, "\x1b[41mred\x1b[m\x1b[3Cx\r\n\n\n\n\n");
    assert_eq!(terminal.text(1, ScreenFormat::Ansi), "\x1b[0;41mred\x1b[m   x\n");
}

#[test]
fn fewer_rows_go_into_the_history_and_come_back() {
    let mut terminal = printed(20, 6, "1\r\n2\r\n3\r\n4\r\n5\r\n6");
    terminal.resize(Size { cols: 20, rows: 3 });
    assert_eq!(terminal.cursor(), (2, 1));
    assert_eq!(terminal.text(0, ScreenFormat::Text), "4\n5\n6\n");
    assert_eq!(terminal.text(9, ScreenFormat::Text), "1\n2\n3\n4\n5\n6\n");
    terminal.resize(Size { cols: 20, rows: 8 });
    assert_eq!(terminal.text(0, ScreenFormat::Text), "1\n2\n3\n4\n5\n6\n", "vt100 alone inserts blank rows");
    assert_eq!(terminal.cursor(), (5, 1));
    terminal.resize(Size { cols: 20, rows: 6 });
    assert_eq!(
        terminal.text(9, ScreenFormat::Text),
        "1\n2\n3\n4\n5\n6\n",
        "blank rows below the cursor go first"
    );
}

#[test]
fn the_primary_screen_is_resized_behind_the_alternate_one() {
    let mut terminal = printed(20, 6, "1\r\n2\r\n3\r\n4\r\n5\r\n6\x1b[?1049h\x1b[Halt");
    terminal.resize(Size { cols: 20, rows: 4 });
    assert_eq!(terminal.text(0, ScreenFormat::Text), "alt\n");
    terminal.feed(b"\x1b[?1049l");
    assert_eq!(terminal.text(9, ScreenFormat::Text), "1\n2\n3\n4\n5\n6\n");
    assert_eq!(terminal.cursor(), (3, 1));
}

#[test]
fn rows_that_come_back_keep_their_attributes() {
    let mut terminal = printed(20, 5, "\x1b[9;31mstruck\x1b[m 漢字 e\u{301}\r\n\n\n\n\n\n");
    let before = terminal.text(9, ScreenFormat::Ansi);
    terminal.resize(Size { cols: 20, rows: 9 });
    assert_eq!(terminal.text(0, ScreenFormat::Ansi), before);
}

#[test]
fn another_width_moves_tab_stops_and_clamps_saved_cursors() {
    let mut terminal = printed(40, 6, "\x1b[3;38H\x1b7\x1b[3g");
    terminal.resize(Size { cols: 20, rows: 6 });
    terminal.feed(b"\x1b8");
    assert_eq!(terminal.cursor(), (2, 19));
    terminal.resize(Size { cols: 40, rows: 6 });
    terminal.feed(b"\r\t");
    assert_eq!(terminal.cursor(), (2, 24), "new columns have stops by eights, old ones none");
}

/// Another width keeps every character of the history: a narrower client wraps a row, a wider one shows it as it was broken.
#[test]
fn another_width_loses_nothing_of_the_history() {
    let mut terminal =
        printed(20, 4, "abcdefghijklmnopqrstuvwxyz\r\n漢字漢字漢字漢字漢字\r\n1\r\n2\r\n3\r\n4");
    for cols in [10, 40, 20] {
        terminal.resize(Size { cols, rows: 4 });
        let mut client = SessionTerminal::new(Size { cols, rows: 4 }, 100);
        client.feed(&terminal.snapshot(History::Include).bytes);
        let text = lines(&mut client).concat();
        assert_eq!(text, "abcdefghijklmnopqrstuvwxyz漢字漢字漢字漢字漢字1234", "{cols} columns");
    }
}

/// A line from a wider screen takes several rows of the client's: all of them are pushed out of its sight.
#[test]
fn a_short_history_from_a_wider_screen_is_whole_in_a_narrower_client() {
    let rows = 8;
    let wide = "abcdefghijklmnopqrstuvwxyz\r\n漢字漢字漢字漢字漢字漢\r\nlast";
    let mut terminal = printed(30, rows, &format!("{wide}\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8"));
    terminal.resize(Size { cols: 11, rows });
    let mut client = SessionTerminal::new(Size { cols: 11, rows }, 100);
    client.feed(&terminal.snapshot(History::Include).bytes);
    let whole = "abcdefghijklmnopqrstuvwxyz漢字漢字漢字漢字漢字漢last12345678";
    assert_eq!(lines(&mut client).concat(), whole);
}

/// The screen itself is cut and extended, as xterm does it; programs draw it again.
#[test]
fn another_width_cuts_the_screen_and_wraps_nothing_anew() {
    let mut terminal = printed(20, 4, "abcdefghijklmnopqrst\r\nshort");
    terminal.resize(Size { cols: 10, rows: 4 });
    assert_eq!(lines(&mut terminal), ["abcdefghij", "short"]);
    assert_eq!(terminal.cursor(), (1, 5));
    terminal.resize(Size { cols: 30, rows: 4 });
    assert_eq!(lines(&mut terminal), ["abcdefghij", "short"]);
}

/// Lines that a flood takes past the engine come out as if each had been read on its own.
#[test]
fn a_flood_in_one_read_equals_the_same_lines_one_by_one() {
    for (prefix, cols, lines) in [
        ("", 20, 100),
        ("\x1b[31m", 20, 100),
        ("top\r\n\x1b[9munder", 20, 90),
        ("", 7, 60),
        ("\x1b[1;3r", 20, 99),
    ] {
        let mut output = prefix.to_owned();
        for n in 0..lines {
            output.push_str(
                &"0123456789abcdefghijklmnopqrstuvwxyz "
                    .chars()
                    .cycle()
                    .skip(n)
                    .take(n * 7 % 50)
                    .collect::<String>(),
            );
            output.push_str("\r\n");
        }
        output.push_str("end");
        for limit in [0, 10, 1000] {
            let mut at_once = SessionTerminal::new(Size { cols, rows: 5 }, limit);
            at_once.feed(output.as_bytes());
            let mut one_by_one = SessionTerminal::new(Size { cols, rows: 5 }, limit);
            for line in output.split_inclusive('\n') {
                one_by_one.feed(line.as_bytes());
            }
            assert_eq!(
                at_once.snapshot(History::Include).bytes.escape_ascii().to_string(),
                one_by_one.snapshot(History::Include).bytes.escape_ascii().to_string(),
                "{prefix:?} {cols} {limit}"
            );
        }
    }
}

#[test]
fn a_fault_of_the_engine_costs_the_screen_only() {
    let mut terminal = printed(20, 5, "\x1b]2;title\x07\x1b[?2004h1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7");
    let result: Option<()> = terminal.guarded(|_| std::panic::resume_unwind(Box::new("a fault")));
    assert_eq!((result, terminal.faults()), (None, 1));
    assert_eq!(terminal.title(), "title");
    assert!(terminal.has_mode(2004));
    assert_eq!(lines(&mut terminal), ["1", "2"], "the history stays");
    terminal.feed(b"on it goes");
    assert_eq!(terminal.text(0, ScreenFormat::Text), "on it goes\n");
    terminal.rebuild([&b"from "[..], b"the ring"].into_iter());
    assert_eq!(lines(&mut terminal), ["from the ring"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("CASES").map_or(100, |c| c.parse().unwrap_or(100)), ..ProptestConfig::default() })]

    /// Whatever comes, at whatever size: the engine never fails and snapshots stay bounded.
    #[test]
    fn nothing_breaks_the_engine(
        parts in prop::collection::vec(prop_oneof![
            4 => "(\\x1b\\[[?>=<]?[0-9;:]{0,6}[ !$]?[@-~])".prop_map(String::into_bytes),
            2 => prop::sample::select(&["漢", "☁\u{fe0f}", "e\u{301}", "👩\u{200d}👧", "\u{fe0f}", "\u{301}", "abc", "\t", "\r\n", "\x08"][..])
                .prop_map(|s| s.as_bytes().to_vec()),
            1 => "(\\x1b[()#%]?[ -~])".prop_map(String::into_bytes),
            1 => prop::collection::vec(any::<u8>(), 0..8),
            1 => prop::sample::select(&["\x1b[?1049h", "\x1b[?1049l", "\x1b[?6h", "\x1b[?7l", "\x1b[4h", "\x1b[9;4:3m", "\x1b[44m", "\x1b[?47h"][..])
                .prop_map(|s| s.as_bytes().to_vec()),
        ], 0..60),
        sizes in prop::collection::vec((1_u16..40, 1_u16..12), 1..4),
    ) {
        let mut terminal = SessionTerminal::new(Size { cols: sizes[0].0, rows: sizes[0].1 }, 20);
        for (n, part) in parts.iter().enumerate() {
            terminal.feed(part);
            if n % 16 == 7 {
                let (cols, rows) = sizes[n % sizes.len()];
                terminal.resize(Size { cols, rows });
            }
        }
        let snapshot = terminal.snapshot(History::Include);
        prop_assert_eq!(terminal.faults(), 0, "{}", parts.concat().escape_ascii());
        prop_assert!(snapshot.bytes.len() < 100_000);
    }
}

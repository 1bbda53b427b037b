//! Tests of the output filter: every question is found once and taken out, wherever the reads cut it.

use super::*;
use proptest::prelude::*;

fn scan_pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<u8>, Vec<Found>) {
    let mut filter = OutputFilter::new();
    let (mut output, mut found) = (Vec::new(), Vec::new());
    for piece in pieces {
        filter.scan(piece, &mut output, &mut found);
    }
    (output, found)
}

fn scan(input: &[u8]) -> (Vec<u8>, Vec<Found>) {
    scan_pieces([input])
}

fn queries(found: Vec<Found>) -> Vec<Query> {
    found
        .into_iter()
        .filter_map(|f| match f {
            Found::Query { query, .. } => Some(query),
            Found::Clipboard { .. } => None,
        })
        .collect()
}

fn colours(slots: Vec<ColourSlot>, end: StringEnd) -> Query {
    Query::Colours { slots, end }
}

fn table() -> Vec<(&'static [u8], Query)> {
    use ColourSlot::*;
    use Query::*;
    vec![
        (b"\x1b[c", PrimaryAttributes),
        (b"\x1b[0c", PrimaryAttributes),
        (b"\x1bZ", PrimaryAttributes),
        (b"\x1b[>c", SecondaryAttributes),
        (b"\x1b[=0c", TertiaryAttributes),
        (b"\x1b[>q", Version),
        (b"\x1b[>0q", Version),
        (b"\x1b[5n", OperatingStatus),
        (b"\x1b[6n", CursorPosition),
        (b"\x1b[?6n", ExtendedCursorPosition),
        (b"\x1b[?996n", ColourScheme),
        (b"\x1b[?15n", Unanswered),
        (b"\x1b[4$p", AnsiMode(4)),
        (b"\x1b[?2026$p", PrivateMode(2026)),
        (b"\x1b[?u", KittyKeyboard),
        (b"\x1b[?4m", ModifyOtherKeys),
        (b"\x1b[14t", TextAreaPixels),
        (b"\x1b[16t", CellPixels),
        (b"\x1b[18t", TextAreaCells),
        (b"\x1b[21t", WindowTitle),
        (b"\x1b[?1;1;0S", Graphics(1)),
        (b"\x1b[x", TerminalParameters(0)),
        (b"\x1b]11;?\x07", colours(vec![Background], StringEnd::Bel)),
        (b"\x1b]10;?;?\x1b\\", colours(vec![Foreground, Background], StringEnd::St)),
        (b"\x1b]12;?\x1b\\", colours(vec![Cursor], StringEnd::St)),
        (b"\x1b]4;7;?;255;?\x1b\\", colours(vec![Palette(7), Palette(255)], StringEnd::St)),
        (b"\x1b]17;?\x07", Unanswered),
        (b"\x1b]21;foreground=?\x1b\\", Unanswered),
        (b"\x1bP$qm\x1b\\", Setting(b"m".to_vec())),
        (b"\x1bP$q q\x1b\\", Setting(b" q".to_vec())),
        (b"\x1bP+q544e;436f\x1b\\", Capabilities(b"544e;436f".to_vec())),
    ]
}

#[test]
fn every_question_is_taken_out_at_every_cut() {
    for (bytes, query) in table() {
        let whole = [b"ab", bytes, b"cd"].concat();
        for cut in 0..=whole.len() {
            let (output, found) = scan_pieces([&whole[..cut], &whole[cut..]]);
            assert_eq!(output, b"abcd", "{} cut at {cut}", bytes.escape_ascii());
            assert_eq!(
                found,
                [Found::Query { at: 2, query: query.clone() }],
                "{} cut at {cut}",
                bytes.escape_ascii()
            );
        }
    }
}

#[test]
fn what_asks_nothing_stays() {
    let texts: [&[u8]; 20] = [
        b"plain \xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80 text\r\n",
        b"\x1b[31m\x1b[2J\x1b[?1049h\x1b[>4;2m\x1b[>1u\x1b[<u\x1b[=1;1u",
        b"\x1b[u\x1b[s\x1b[1S\x1b[5q\x1b[2 q",
        b"\x1b[1c",
        b"\x1b[8;24;80t",
        b"\x1b[!p",
        b"\x1b]0;a title?\x07",
        b"\x1b]2;?\x1b\\",
        b"\x1b]8;id=1;http://e/?q\x1b\\x\x1b]8;;\x1b\\",
        b"\x1b]4;1;rgb:ff/00/00\x1b\\",
        b"\x1b]11;#000000\x07",
        b"\x1b]104\x07\x1b]111\x07",
        b"\x1b]133;A\x07",
        b"\x1bPq#0;2;0;0;0~\x1b\\",
        b"\x1bPtmux;\x1b\x1b[6\x1b\\",
        b"\x1b_Gf=24,a=T;AAAA\x1b\\",
        b"\x1b(0\x1b)B\x1b#8\x1b=\x1b>\x1bc\x1b7\x1b8",
        b"\x1b\x1b[m",
        b"\x1b[3\x18n",
        b"\x1b]11;\x18?\x07",
    ];
    for text in texts {
        for cut in 0..=text.len() {
            let (mut output, found) = scan_pieces([&text[..cut], &text[cut..]]);
            let (end, _) = scan_pieces([text, b"."]);
            output.push(b'.');
            assert_eq!(end, output, "{} cut at {cut}", text.escape_ascii());
            assert_eq!(output, [text, b"."].concat(), "{} cut at {cut}", text.escape_ascii());
            assert_eq!(found, [], "{} cut at {cut}", text.escape_ascii());
        }
    }
}

#[test]
fn a_question_says_where_it_stood() {
    let (output, found) = scan(b"one\x1b[6ntwo\x1b[5n");
    assert_eq!(output, b"onetwo");
    let places: Vec<_> =
        found.iter().map(|f| matches!(f, Found::Query { at, .. } if *at == 3 || *at == 6)).collect();
    assert_eq!(places, [true, true]);
}

#[test]
fn what_a_question_sets_at_the_same_time_stays() {
    let (output, found) = scan(b"\x1b]4;1;#ff0000;2;?\x07");
    assert_eq!(output, b"\x1b]4;1;#ff0000\x1b\\");
    assert_eq!(queries(found), [colours(vec![ColourSlot::Palette(2)], StringEnd::Bel)]);
    let (output, found) = scan(b"\x1b]10;#ffffff;?\x1b\\");
    assert_eq!(output, b"\x1b]10;#ffffff\x1b\\");
    assert_eq!(queries(found), [colours(vec![ColourSlot::Background], StringEnd::St)]);
}

#[test]
fn a_string_ended_by_the_next_sequence_is_complete() {
    let (output, found) = scan(b"\x1b]11;?\x1b[1mx");
    assert_eq!(output, b"\x1b[1mx");
    assert_eq!(queries(found), [colours(vec![ColourSlot::Background], StringEnd::St)]);
    let (output, _) = scan(b"\x1b]11;#123456\x1b[1mx");
    assert_eq!(output, b"\x1b]11;#123456\x1b\\\x1b[1mx");
}

#[test]
fn control_characters_inside_a_question_are_kept() {
    let (output, found) = scan(b"a\x1b[\r\n6nb");
    assert_eq!(output, b"a\r\nb");
    assert_eq!(found, [Found::Query { at: 3, query: Query::CursorPosition }]);
    let (output, found) = scan(b"a\x1b\n[6nb");
    assert_eq!(output, b"a\nb");
    assert_eq!(queries(found), [Query::CursorPosition]);
}

#[test]
fn graphics_queries_and_enquiries_are_dropped() {
    assert_eq!(scan(b"a\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\b").0, b"ab");
    assert_eq!(scan(b"a\x1b_Ga=q,i=1\x1b\\b").0, b"ab");
    assert_eq!(scan(b"a\x05b").0, b"ab");
}

#[test]
fn an_incomplete_character_waits_for_its_rest() {
    for text in ["é", "中", "😀"] {
        for cut in 1..text.len() {
            let mut filter = OutputFilter::new();
            let (mut output, mut found) = (Vec::new(), Vec::new());
            filter.scan(&[b"a", &text.as_bytes()[..cut]].concat(), &mut output, &mut found);
            assert_eq!(output, b"a", "{text} cut at {cut}");
            filter.scan(&text.as_bytes()[cut..], &mut output, &mut found);
            assert_eq!(String::from_utf8(output), Ok(format!("a{text}")));
        }
    }
    assert_eq!(scan(b"\xff\xc3").0, b"\xff", "a byte that starts nothing is not kept back");
    assert_eq!(scan(b"\xe4\xb8\xad\xad\xad").0, b"\xe4\xb8\xad\xad\xad");
}

#[test]
fn d8_a_clipboard_write_passes_once_and_nothing_else_does() {
    let write = b"\x1b]52;c;aGk=\x07";
    for cut in 0..=write.len() {
        let (output, found) = scan_pieces([&write[..cut], &write[cut..]]);
        assert_eq!(output, write);
        let access = Clipboard::Write { selection: b"c".to_vec(), base64: b"aGk=".to_vec() };
        assert_eq!(found, [Found::Clipboard { at: 0, access }]);
    }
    let refused: [&[u8]; 6] = [
        b"\x1b]52;c;\x07",
        b"\x1b]52;c;?\x1b\\",
        b"\x1b]52;c\x07",
        b"\x1b]52;c;not base64!\x07",
        b"\x1b]52;c;====\x07",
        b"\x1b]52;x;aGk=\x07",
    ];
    for refused in refused {
        let (output, found) = scan(refused);
        assert_eq!(output, b"", "{}", refused.escape_ascii());
        assert_eq!(found, [Found::Clipboard { at: 0, access: Clipboard::Refused }]);
    }
}

#[test]
fn d8_a_clipboard_write_of_one_mebibyte_passes_and_a_longer_one_is_dropped_whole() {
    let base64 = |bytes: usize| vec![b'A'; bytes.div_ceil(3) * 4];
    let fits = [b"\x1b]52;c;".as_slice(), &base64(1024 * 1024), b"\x1b\\"].concat();
    let (output, found) = scan_pieces(fits.chunks(65_536));
    assert!(
        output == fits && matches!(&found[..], [Found::Clipboard { access: Clipboard::Write { .. }, .. }])
    );
    let long = [b"\x1b]52;c;".as_slice(), &base64(1024 * 1024 + 300), b"\x1b\\after"].concat();
    let (output, found) = scan_pieces(long.chunks(65_536));
    assert_eq!(output, b"after");
    assert_eq!(found, [Found::Clipboard { at: 0, access: Clipboard::Refused }]);
}

/// Clients' terminals keep the person's title on a stack of the same kind: pops of ours would take that one.
#[test]
fn the_stack_of_titles_is_ours_and_what_comes_back_is_a_title() {
    let table: &[(&[u8], &[u8])] = &[
        (
            b"\x1b]2;one\x07\x1b[22;0t\x1b]0;two\x1b\\x\x1b[23;0ty",
            b"\x1b]2;one\x07\x1b]0;two\x1b\\x\x1b]2;one\x1b\\y",
        ),
        (b"\x1b[22t\x1b[22;1t\x1b]2;vim\x07\x1b[23;1t\x1b[23;2t.", b"\x1b]2;vim\x07\x1b]2;\x1b\\."),
        (b"a\x1b[23;0tb\x1b[23tc\x1b[23;2td", b"abcd"),
    ];
    for (printed, expected) in table {
        for cut in 0..=printed.len() {
            let (output, found) = scan_pieces([&printed[..cut], &printed[cut..]]);
            assert_eq!(
                output,
                *expected,
                "{} cut at {cut}: {}",
                printed.escape_ascii(),
                output.escape_ascii()
            );
            assert_eq!(found, []);
        }
    }
    // A stack that only grows is bounded, and one of xterm's depth works.
    let (output, _) = scan(
        &[
            (0..100).flat_map(|n| format!("\x1b]2;{n}\x07\x1b[22t").into_bytes()).collect::<Vec<_>>(),
            b"\x18\x1b[23t".repeat(100),
        ]
        .concat(),
    );
    let back = output.split(|b| *b == 0x18).skip(1).filter(|title| !title.is_empty()).count();
    assert_eq!(back, 10);
}

#[test]
fn endless_sequences_are_let_through() {
    for head in [&b"\x1b["[..], b"\x1b]2;", b"\x1b]11;", b"\x1bP$q", b"\x1b_G"] {
        let endless = [head, &[b'1'; 100_000]].concat();
        let (output, found) = scan_pieces(endless.chunks(1000));
        assert_eq!(output, endless);
        assert_eq!(found, []);
    }
}

proptest! {
    /// Where reads cut the stream changes nothing.
    #[test]
    fn cuts_do_not_matter(
        parts in prop::collection::vec(prop_oneof![
            prop::sample::select(table().into_iter().map(|(b, _)| b.to_vec()).collect::<Vec<_>>()),
            prop::collection::vec(prop::sample::select(b"\x1b[]?;0123456789$qPcnm\x07\\\x18\x05\n\xc3\xa9\xe4".to_vec()), 0..12),
            "[a-zé中😀]{0,6}".prop_map(String::into_bytes),
        ], 0..12),
        cuts in prop::collection::vec(0_usize..200, 0..6),
    ) {
        let whole = [parts.concat(), b"\x18end".to_vec()].concat();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(whole.len())).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut last = 0;
        for cut in cuts.into_iter().chain([whole.len()]) {
            pieces.push(&whole[last..cut]);
            last = cut;
        }
        let (output, found) = scan(&whole);
        let (cut_output, cut_found) = scan_pieces(pieces);
        prop_assert_eq!(output, cut_output);
        prop_assert_eq!(queries(found), queries(cut_found));
    }
}

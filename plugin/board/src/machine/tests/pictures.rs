//! Pictures: whole screens as snapshots, and exactness for any size and any text.

use crate::{
    effect::Effect,
    frame::Frame,
    input::{Input, KeyCode},
    machine::samples::{Bench, START, ended_row, grant, link_hello, row},
    machine::verdict::RIPE_AFTER_MS,
};
use board_protocol::{
    board::{Row, Warning},
    hello::Versions,
    ids::{BoardSeq, UnixMs},
    pipe::{DaemonHealth, Down, LinkHello},
    state::{HostState, ProcessState, SemanticState},
};
use proptest::prelude::*;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const SIZES: [(usize, usize); 3] = [(24, 80), (36, 120), (50, 200)];

fn at(row: Row, state: SemanticState, minutes: u64) -> Row {
    Row { state, last_activity_at_ms: UnixMs(START.0 - minutes * 60_000), ..row }
}

/// A board with a row of every kind.
fn scene() -> Vec<Row> {
    let mut rows = vec![
        Row {
            name: "fix the login flow".into(),
            summary: "cargo test --workspace".into(),
            pinned: true,
            ..at(row(1), SemanticState::Working, 1)
        },
        Row {
            name: "漢字のセッション 👩\u{200d}💻".into(),
            summary: "翻訳しています".into(),
            unread: true,
            ..at(row(2), SemanticState::Working, 0)
        },
        Row {
            question: Some("Which version number should the release carry: 0.2.0 or 1.0.0-rc.1?".into()),
            name: "release notes".into(),
            unread: true,
            cwd: "/srv/site".into(),
            ..at(row(3), SemanticState::NeedsInput, 12)
        },
        Row {
            name: "bench echo".into(),
            summary: "p99 7 ms".into(),
            ..at(row(4), SemanticState::Completed, 200)
        },
        Row {
            error: Some("connection refused".into()),
            unread: true,
            name: "deploy".into(),
            ..at(ended_row(5, "exit code 3"), SemanticState::Failed, 3_000)
        },
        Row { name: "shell".into(), ..at(row(6), SemanticState::Holding, 90) },
        Row {
            summary: String::new(),
            host_state: HostState::None,
            process_state: ProcessState::Exited,
            ..at(row(7), SemanticState::Queued, 0)
        },
        Row {
            ended: Some("exit code 0".into()),
            host_state: HostState::Exited,
            process_state: ProcessState::Exited,
            name: "a name that is far too long for the column it stands in".into(),
            summary: "moved the journal and the rows that it changes into one transaction".into(),
            ..at(row(8), SemanticState::Idle, 30)
        },
        Row {
            ended: Some("signal 15".into()),
            host_state: HostState::Exited,
            process_state: ProcessState::Exited,
            ..at(row(9), SemanticState::Stopped, 5)
        },
        Row {
            doubt: Some("host not heard from since 10:02".into()),
            ..at(row(10), SemanticState::Working, 45)
        },
    ];
    rows.sort_by(board_protocol::board::row_order);
    rows
}

fn board() -> Bench {
    Bench::with_rows(scene())
}

#[test]
fn the_board_at_three_sizes() {
    for (rows, columns) in SIZES {
        insta::assert_snapshot!(format!("board_{columns}x{rows}"), board().text(rows, columns));
    }
}

#[test]
fn the_board_where_there_is_little_room() {
    for (rows, columns) in [(4, 20), (8, 40), (12, 56)] {
        insta::assert_snapshot!(format!("board_{columns}x{rows}"), board().text(rows, columns));
    }
}

#[test]
fn the_board_with_its_colours() {
    insta::assert_snapshot!(board().board.render(24, 80).to_ansi().replace('\u{1b}', "␛"));
}

#[test]
fn a_long_board_is_a_window_around_the_selection() {
    let mut bench = Bench::with_rows((1..=200).map(row).collect());
    for _ in 0..100 {
        bench.key(KeyCode::Down);
    }
    insta::assert_snapshot!(bench.text(24, 80));
}

#[test]
fn typing_asking_and_help_at_three_sizes() {
    for (rows, columns) in SIZES {
        let mut bench = board();
        bench.char('i');
        bench.on(Input::Paste("write the release notes\nfor 漢字 and others".into()));
        insta::assert_snapshot!(format!("insert_{columns}x{rows}"), bench.text(rows, columns));
        bench.key(KeyCode::Esc);
        bench.char('x');
        bench.pass(RIPE_AFTER_MS);
        insta::assert_snapshot!(format!("confirm_{columns}x{rows}"), bench.text(rows, columns));
        bench.key(KeyCode::Esc);
        bench.char('?');
        insta::assert_snapshot!(format!("help_{columns}x{rows}"), bench.text(rows, columns));
    }
}

#[test]
fn every_page_says_what_to_do_next() {
    let (asked, _) = Bench::loaded();
    insta::assert_snapshot!("page_asked", asked.text(12, 80));
    let (mut denied, _) = Bench::loaded();
    denied.on(Input::PermissionDenied);
    insta::assert_snapshot!("page_denied", denied.text(12, 80));
    let connecting = Bench::granted();
    insta::assert_snapshot!("page_connecting", connecting.text(14, 80));
    let mut silent = Bench::granted();
    silent.pass(2_500);
    insta::assert_snapshot!("page_not_connected", silent.text(14, 80));
    let empty = Bench::with_rows(vec![]);
    insta::assert_snapshot!("page_empty", empty.text(14, 80));
    let mut unreachable = board();
    unreachable.down(Down::Daemon(DaemonHealth::Unreachable {
        text: "The daemon does not answer; it is started again in 3 s".into(),
    }));
    insta::assert_snapshot!("page_daemon_unreachable", unreachable.text(24, 80));
    let (mut mismatch, _) = Bench::loaded();
    mismatch.on(grant(1, Some("0.2.0")));
    mismatch.opens_up();
    mismatch.down(Down::Hello(LinkHello {
        build: "0.2.0".into(),
        plugin_build: "0.2.0".into(),
        ..link_hello()
    }));
    mismatch.full(1, scene());
    insta::assert_snapshot!("page_mismatch", mismatch.text(24, 80));
    let mut foreign = Bench::linked();
    foreign.down(Down::Hello(LinkHello { versions: Versions { oldest: 9, newest: 9 }, ..link_hello() }));
    insta::assert_snapshot!("page_foreign", foreign.text(14, 80));
}

#[test]
fn warnings_and_complaints_are_shown() {
    let (mut bench, _) = Bench::loaded();
    bench.on(grant(1, None));
    bench.opens_up();
    let warnings = vec![Warning { text: "config.toml: unknown key \u{1b}[31mcolour".into() }];
    let generation = crate::machine::samples::generation("daemon-1");
    bench.down(Down::Page { generation, seq: BoardSeq(1), page: 0, pages: 1, rows: vec![row(1)], warnings });
    assert!(bench.text(24, 80).contains("! config.toml: unknown key colour"));
}

// Field report C22: control bytes in what an agent says reached the terminal through the board.
#[test]
fn c22_hostile_text_becomes_cells_only() {
    let hostile = "\u{1b}]0;x\u{7}\u{1b}[2J\u{202e}\u{0}evil\u{9b}31m\r\n\u{2028}";
    let rows = SemanticState::ALL
        .iter()
        .zip(1..)
        .map(|(state, n)| Row {
            state: *state,
            name: hostile.into(),
            summary: hostile.into(),
            question: Some(hostile.into()),
            error: Some(hostile.into()),
            doubt: (n == 3).then(|| hostile.into()),
            ended: (n > 4).then(|| hostile.into()),
            cwd: format!("/x/{hostile}"),
            ..row(n)
        })
        .collect();
    let mut bench = Bench::with_rows(rows);
    bench.down(Down::Daemon(DaemonHealth::Unreachable { text: hostile.into() }));
    bench.down(Down::Hello(LinkHello { build: hostile.into(), ..link_hello() }));
    bench.char('x');
    for (rows, columns) in SIZES {
        assert_exact(&bench.board.render(rows, columns), rows, columns);
    }
    assert!(bench.text(36, 120).contains("evil"));
}

/// Every line has its cells by both ways of counting, and nothing but styles and newlines controls the terminal.
fn assert_exact(frame: &Frame, rows: usize, columns: usize) {
    let text = frame.text();
    let lines: Vec<&str> = if rows == 0 { vec![] } else { text.split('\n').collect() };
    assert_eq!(lines.len(), rows);
    for line in lines {
        let by_char: usize = line.chars().map(|c| c.width().unwrap_or(1_000)).sum();
        assert_eq!(by_char, columns, "{line:?}");
        assert_eq!(line.width(), columns, "{line:?}");
    }
    let ansi = frame.to_ansi();
    let mut plain = String::new();
    let mut parts = ansi.split('\u{1b}');
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (sgr, rest) = part.split_once('m').expect("an SGR sequence");
        assert!(sgr.starts_with('[') && sgr[1..].bytes().all(|b| b.is_ascii_digit() || b == b';'), "{sgr:?}");
        plain.push_str(rest);
    }
    assert_eq!(plain, text);
    assert!(plain.chars().all(|c| c == '\n' || board_protocol::text::is_plain(c)));
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        ".{0,40}",
        "[a-z ]{0,60}",
        "[漢字ひらがな한글ＡＢ]{0,40}",
        proptest::collection::vec(
            prop_oneof![
                Just("👩\u{200d}💻"),
                Just("👨\u{200d}👩\u{200d}👧"),
                Just("👍🏽"),
                Just("🇩🇪"),
                Just("✔\u{fe0f}"),
                Just("e\u{301}\u{302}\u{303}"),
                Just("क्षि"),
                Just("\u{1b}[31m"),
                Just("\u{200d}"),
                Just("\u{fe0f}"),
                Just("\u{1f1e9}"),
                Just("ﷺ"),
                Just("a"),
                Just(" "),
            ],
            0..20
        )
        .prop_map(|parts| parts.concat()),
    ]
}

fn any_row() -> impl Strategy<Value = Row> {
    (1_u32..500, 0_usize..8, any_text(), any_text(), any_text(), any::<(bool, bool, bool)>()).prop_map(
        |(n, state, name, summary, other, (pinned, unread, ended))| Row {
            state: SemanticState::ALL[state],
            name,
            summary,
            question: Some(other.clone()),
            cwd: format!("/{other}"),
            pinned,
            unread,
            ended: ended.then_some(other),
            ..row(n)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_frame_is_exactly_rows_by_columns(
        rows in proptest::collection::vec(any_row(), 0..40),
        text in any_text(),
        height in 1_usize..=200,
        width in 1_usize..=500,
        small in any::<bool>(),
        room in 0_u8..6,
        downs in 0_u8..40,
    ) {
        let (height, width) = if small { (height % 30 + 1, width % 60 + 1) } else { (height, width) };
        let mut bench = Bench::with_rows(rows);
        for _ in 0..downs {
            bench.key(KeyCode::Down);
        }
        match room {
            1 => {
                bench.char('i');
                bench.on(Input::Paste(text));
                bench.key(KeyCode::Left);
                bench.key(KeyCode::Left);
            }
            2 => { bench.char('x'); }
            3 => { bench.char('?'); }
            4 => { bench.on(Input::PermissionDenied); }
            5 => { bench.down(Down::Daemon(DaemonHealth::Unreachable { text })); }
            _ => {}
        }
        assert_exact(&bench.board.render(height, width), height, width);
    }
}

#[test]
fn no_size_panics_and_tiny_ones_are_exact_too() {
    for height in 0..12 {
        for width in 0..25 {
            for key in [None, Some('i'), Some('x'), Some('?')] {
                let mut bench = board();
                if let Some(key) = key {
                    bench.char(key);
                }
                if height > 0 {
                    assert_exact(&bench.board.render(height, width), height, width);
                } else {
                    assert_eq!(bench.board.render(height, width).text(), "");
                }
            }
        }
    }
}

#[test]
fn the_selected_row_and_a_question_are_visible_at_every_usable_size() {
    for height in 4..60 {
        for width in [20, 30, 40, 60, 80, 120, 200] {
            let mut bench =
                Bench::with_rows((1..=60).map(|n| Row { name: format!("s{n}"), ..row(n) }).collect());
            for _ in 0..33 {
                bench.key(KeyCode::Down);
            }
            let text = bench.text(height, width);
            assert!(text.contains("› "), "{width}x{height}\n{text}");
            assert!(text.contains("s34"), "{width}x{height}\n{text}");
            bench.char('s');
            bench.pass(RIPE_AFTER_MS);
            let text = bench.text(height, width);
            assert!(text.contains("(y/N)"), "{width}x{height}\n{text}");
            bench.key(KeyCode::Esc);
            bench.char('i');
            assert!(bench.text(height, width).contains("INSERT"), "{width}x{height}");
            assert!(bench.board.render(height, width).cursor.is_some());
        }
    }
}

#[test]
fn the_cursor_stands_where_the_next_character_comes() {
    let mut bench = board();
    bench.char('i');
    bench.type_text("漢a");
    let frame = bench.board.render(24, 80);
    let (x, y) = frame.cursor.unwrap();
    let text = frame.text();
    let line = text.lines().nth(y).unwrap();
    assert_eq!(line.find("漢a").map(|at| line[..at].width() + 3), Some(x), "{line}");
    bench.on(Input::Paste("long ".repeat(200)));
    let frame = bench.board.render(24, 80);
    let (_, y) = frame.cursor.unwrap();
    assert_eq!(y, 24 - 3, "a long text is scrolled so that its end is visible");
    assert!(frame.text().lines().nth(y + 1 - 24 / 3).unwrap().contains('↑'), "{}", frame.text());
}

// Field report H9: zellij gives a plugin 16 MiB; the board allows itself 8.
#[test]
fn h9_two_thousand_rows_with_long_texts_stay_small() {
    let long = |n: u32| {
        let text =
            |columns: usize| format!("{n:05} ").repeat(columns).chars().take(columns).collect::<String>();
        Row {
            name: text(60),
            summary: text(80),
            question: Some("漢字".repeat(200)),
            error: Some(text(240)),
            cwd: format!("/{}", text(100)),
            ..row(n)
        }
    };
    let rows: Vec<Row> =
        (0..2_000).map(|n| Row { state: SemanticState::ALL[n as usize % 8], ..long(n) }).collect();
    let mut bench = Bench::linked();
    for (page, rows) in (0..).zip(rows.chunks(20)) {
        let generation = crate::machine::samples::generation("daemon-1");
        let rows = rows.to_vec();
        bench.down(Down::Page { generation, seq: BoardSeq(1), page, pages: 100, rows, warnings: vec![] });
    }
    assert_eq!(bench.board.model.len(), 2_000);
    let bytes = bench.board.model.heap_bytes();
    assert!(bytes < 3 * 1024 * 1024, "{bytes} bytes of rows");
    assert!(
        bench.down(Down::Ping { number: 1 }).iter().any(|effect| matches!(effect, Effect::SendUp { .. }))
    );
}

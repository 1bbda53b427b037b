//! Pictures: whole screens as snapshots, and exactness for any size and any text.

use super::exact::answered;
use crate::{
    effect::Effect,
    input::{Input, KeyCode},
    machine::verdict::RIPE_AFTER_MS,
    machine::{
        Field,
        samples::{
            Bench, START, detail, directories, ended_row, grant, link_hello, open_launch, queued, row,
        },
    },
    notice::Level,
};
use board_protocol::{
    board::{Row, Warning},
    hello::Versions,
    ids::{BoardSeq, UnixMs},
    pipe::{DaemonHealth, Down, LinkHello, QueryKind},
    plan::PlanStatus,
    state::{GlyphSet, HostState, ProcessState, SemanticState},
};
use unicode_width::UnicodeWidthStr;

pub(super) const SIZES: [(usize, usize); 3] = [(24, 80), (36, 120), (50, 200)];

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

pub(super) fn board() -> Bench {
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

/// A row with everything that a row can have.
fn busy_row() -> Row {
    Row {
        agent: "pi".into(),
        name: "fix the login flow".into(),
        question: Some("Keep the old cookie name, or rename it and log everybody out once?".into()),
        error: Some("npm test: 2 of 214 failed".into()),
        tags: vec!["auth".into(), "urgent".into()],
        queued: 2,
        errors: 3,
        stalled_ms: Some(14 * 60_000),
        background: 1,
        pinned: true,
        unread: true,
        ..at(row(1), SemanticState::NeedsInput, 12)
    }
}

fn peeking() -> Bench {
    let mut bench = Bench::with_rows(vec![busy_row(), row(2)]);
    bench.key(KeyCode::End);
    let effects = bench.char(' ');
    let parts = vec![
        detail(busy_row()),
        queued("q-1", "then run the whole suite"),
        queued("q-2", "and push\nthe branch"),
    ];
    bench.answer(&effects, QueryKind::Detail, parts);
    bench
}

#[test]
fn one_session_at_three_sizes() {
    for (rows, columns) in SIZES {
        insta::assert_snapshot!(format!("peek_{columns}x{rows}"), peeking().text(rows, columns));
        let mut bench = peeking();
        bench.char('r');
        bench.on(Input::Paste("Rename it.\nWe announce it in the release notes.".into()));
        insta::assert_snapshot!(format!("reply_{columns}x{rows}"), bench.text(rows, columns));
        let mut bench = peeking();
        bench.type_text("qj");
        insta::assert_snapshot!(format!("queue_{columns}x{rows}"), bench.text(rows, columns));
        let mut bench = peeking();
        answered(&mut bench, 'e', "agent event: a question was asked");
        insta::assert_snapshot!(format!("explain_{columns}x{rows}"), bench.text(rows, columns));
        let mut bench = peeking();
        bench.char('!');
        insta::assert_snapshot!(format!("runner_{columns}x{rows}"), bench.text(rows, columns));
    }
}

#[test]
fn f8_the_launch_dialog_at_many_sizes() {
    for (rows, columns) in SIZES.into_iter().chain([(8, 20), (10, 40), (14, 60)]) {
        let mut bench = board();
        open_launch(&mut bench, "pi");
        insta::assert_snapshot!(format!("launch_empty_{columns}x{rows}"), bench.text(rows, columns));
        bench.on(Input::Paste(
            "fix the login name:login #web\nThe cookie is set twice when the person comes back from the bank.".into(),
        ));
        insta::assert_snapshot!(format!("launch_{columns}x{rows}"), bench.text(rows, columns));
        bench
            .board
            .tell(Level::Error, "there is no directory /srv/gone. Make it first, or start it elsewhere");
        insta::assert_snapshot!(format!("launch_refused_{columns}x{rows}"), bench.text(rows, columns));
        bench.board.launch.form.field = Field::Folder;
        bench.key(KeyCode::Enter);
        bench.key(KeyCode::Down);
        insta::assert_snapshot!(format!("launch_favourites_{columns}x{rows}"), bench.text(rows, columns));
        let effects = bench.on(Input::Paste("/srv/".into()));
        let names: Vec<String> = (0..30).map(|n| format!("project-{n:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        bench.answer(&effects, QueryKind::Directories, directories(&names));
        for _ in 0..12 {
            bench.key(KeyCode::Down);
        }
        insta::assert_snapshot!(format!("launch_directories_{columns}x{rows}"), bench.text(rows, columns));
    }
    let mut bench = board();
    open_launch(&mut bench, "pi");
    insta::assert_snapshot!("launch_colours", bench.board.render(24, 80).to_ansi().replace('\u{1b}', "␛"));
}

#[test]
fn badges_and_folders_and_marks() {
    let other = |n: u32| Row { cwd: "/srv/web/site".into(), ..at(row(n), SemanticState::NeedsInput, 3) };
    for (rows, columns) in [(24, 80), (24, 120), (10, 40)] {
        let mut bench = Bench::with_rows(vec![busy_row(), other(2), other(3), row(4)]);
        bench.type_text("m j ");
        insta::assert_snapshot!(format!("badges_{columns}x{rows}"), bench.text(rows, columns));
        bench.down(Down::Hello(LinkHello { glyphs: GlyphSet::Ascii, ..link_hello() }));
        let text = bench.text(rows, columns);
        assert!(text.is_ascii(), "{text}");
        insta::assert_snapshot!(format!("ascii_{columns}x{rows}"), text);
    }
}

// A header alone above "more" says nothing about the row that it stands for.
#[test]
fn no_header_stands_alone_above_what_is_cut_away() {
    let many = |n: u32| {
        at(Row { cwd: format!("/x/{}", n % 3), ..row(n) }, SemanticState::ALL[(n / 5) as usize % 8], 0)
    };
    let mut bench = Bench::with_rows((0..60).map(many).collect());
    for step in 0..60 {
        for rows in 12..40 {
            let text = bench.text(rows, 60);
            let lines: Vec<&str> = text.lines().collect();
            if let Some(cut) = lines.iter().position(|line| line.starts_with("  ↓ ")) {
                let above = lines[cut - 1];
                assert!(above.contains("task-"), "step {step}, {rows} rows\n{text}");
            }
        }
        bench.key(KeyCode::Down);
    }
}

#[test]
fn the_way_to_help_is_never_left_out() {
    for columns in 30..200 {
        assert!(board().text(24, columns).contains("? help"), "{columns}");
        assert!(peeking().text(24, columns).contains("? help"), "{columns}");
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

// Field report A4: a session that had been silent for long looked as busy as ever.
#[test]
fn a4_a_silence_that_is_too_long_stands_in_front_of_what_a_row_says() {
    let silent = Row { stalled_ms: Some(14 * 60_000), ..row(1) };
    let bench = Bench::with_rows(vec![silent]);
    for (columns, text) in
        [(120, "stalled 14m does thing 1"), (80, "stalled 14m does thing"), (40, "⚠14m does")]
    {
        assert!(bench.text(24, columns).contains(text), "{}", bench.text(24, columns));
    }
}

// A name was cut at 29 cells on the widest screens, too.
#[test]
fn a_name_has_more_room_where_there_is_more() {
    let name = "a name that says in full what this session is about";
    let bench = Bench::with_rows(vec![Row { name: name.into(), ..row(1) }]);
    let shown = |columns: usize| {
        let text = bench.text(24, columns);
        (0..=name.len()).rev().find(|end| text.contains(&name[..*end])).unwrap_or(0)
    };
    assert_eq!(shown(100), 29, "reference F.5");
    assert!(shown(120) > 35 && shown(160) == name.len(), "{} {}", shown(120), shown(160));
}

// An unknown word showed nothing, and did not say why.
#[test]
fn f6_an_unknown_filter_word_says_which_there_are() {
    let mut bench = board();
    bench.char('/');
    bench.type_text("stat:run");
    let said = "! unknown word \"stat:\"; known: s: diag: evidence: review: queued: #tag";
    assert!(bench.text(24, 80).contains(said), "{}", bench.text(24, 80));
    bench.key(KeyCode::Enter);
    assert!(bench.text(24, 80).contains("unknown word \"stat:\""), "{}", bench.text(24, 80));
    bench.key(KeyCode::Esc);
    bench.char('/');
    bench.type_text("s:run");
    assert!(!bench.text(24, 80).contains("unknown"), "{}", bench.text(24, 80));
}

// Nothing said what the signs mean.
#[test]
fn the_help_page_explains_every_sign_that_rows_have() {
    let mut bench = board();
    bench.char('?');
    let text = bench.text(80, 120);
    for state in SemanticState::ALL {
        let facts = state.facts();
        let [read, unread] = facts.glyphs;
        assert!(
            text.contains(&format!("{read} {unread}           {}", facts.label)),
            "{}\n{text}",
            facts.label
        );
    }
    assert!(text.contains("pinned") && text.contains("messages that wait"), "{text}");
}

#[test]
fn a11_f5_f6_a_plan_has_its_badge_its_words_in_peek_and_its_filter() {
    let waits = Row {
        plan: PlanStatus::AwaitingApproval,
        question: Some("Approve this plan?".into()),
        ..at(row(1), SemanticState::NeedsInput, 1)
    };
    let mut bench = Bench::with_rows(vec![waits.clone(), at(row(2), SemanticState::Idle, 1)]);
    let text = bench.text(24, 120);
    assert_eq!(text.matches('π').count(), 1, "{text}");
    assert!(text.contains("π Approve this plan?"), "{text}");
    let effects = bench.char(' ');
    bench.answer(&effects, QueryKind::Detail, vec![detail(waits)]);
    let text = bench.text(24, 120);
    assert!(text.contains("a plan awaits approval: host-runner plan show"), "{text}");
    bench.key(KeyCode::Esc);
    bench.char('/');
    for c in "steer:awaiting-approval".chars() {
        bench.char(c);
    }
    let text = bench.text(24, 120);
    assert!(text.contains("task-1") && !text.contains("task-2"), "{text}");
}

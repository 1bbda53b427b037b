//! The view of a transcript: what it asks for, where the person stands in it, and what it looks like.

use crate::{
    Effect,
    input::{Input, Key, KeyCode},
    keymap::Room,
    machine::samples::{Bench, head, queries, ran, row, said, ups},
};
use board_protocol::{
    board::Row,
    pipe::{Intent, Query, QueryKind, QueryPart, Up},
    transcript::{TranscriptRole, TranscriptWindow},
};

fn agent(n: u32) -> Row {
    Row { agent: "pi".into(), ..row(n) }
}

fn windows(effects: &[Effect]) -> Vec<TranscriptWindow> {
    let window = |(_, query)| match query {
        Query::Transcript { window, .. } => Some(window),
        _ => None,
    };
    queries(effects).into_iter().filter_map(window).collect()
}

fn visits(effects: &[Effect]) -> usize {
    let visit = |up: &Up| matches!(up, Up::Intent { intent: Intent::Visit { .. }, .. });
    ups(effects).iter().filter(|up| visit(up)).count()
}

/// Items `first..first + count` of `total`, each a line.
fn part(first: u32, count: u32, total: u32) -> Vec<QueryPart> {
    let items = (first..first + count).map(|n| said(n, TranscriptRole::Agent, &format!("item {n}.")));
    std::iter::once(head(first, count, total)).chain(items).collect()
}

/// Looks at the newest ten of forty.
fn reading() -> Bench {
    let mut bench = Bench::with_rows(vec![agent(1), agent(2)]);
    let effects = bench.char('v');
    assert_eq!(windows(&effects), [TranscriptWindow::Newest]);
    bench.answer(&effects, QueryKind::Transcript, part(30, 10, 40));
    bench.text(24, 80);
    bench
}

/// The answer comes, and is drawn.
fn come(bench: &mut Bench, effects: &[Effect], parts: Vec<QueryPart>) -> String {
    bench.answer(effects, QueryKind::Transcript, parts);
    bench.text(24, 80)
}

/// The row changes, and a second passes.
fn changes(bench: &mut Bench, revision: u64) -> Vec<Effect> {
    bench.wait(1_500);
    bench.delta(revision, vec![Row { revision, ..agent(1) }], &[])
}

#[test]
fn f2_it_opens_at_its_end_and_follows_what_is_said() {
    let mut bench = reading();
    let text = bench.text(24, 80);
    assert!(text.contains("item 39.") && text.contains("transcript · 31–40 of 40"), "{text}");
    let effects = changes(&mut bench, 1);
    assert_eq!(windows(&effects), [TranscriptWindow::Newest]);
    let text = come(&mut bench, &effects, part(31, 10, 41));
    assert!(text.contains("item 40.") && !text.contains("later"), "{text}");
    assert_eq!(windows(&bench.pass(9_000)), [], "a row that stays as it is is not asked about");
}

#[test]
fn f2_who_scrolls_up_stays_with_what_they_read() {
    let mut bench = reading();
    bench.key(KeyCode::PageUp);
    let before = bench.text(24, 80);
    let effects = changes(&mut bench, 1);
    assert_eq!(windows(&effects), [TranscriptWindow::From(30)], "the same beginning");
    let after = come(&mut bench, &effects, part(30, 12, 42));
    let body = |text: &str| text.lines().filter(|line| line.contains("item")).map(str::to_owned).collect();
    let (before, after): (Vec<String>, Vec<String>) = (body(&before), body(&after));
    assert_eq!(before, after);
    bench.key(KeyCode::End);
    assert!(bench.text(24, 80).contains("item 41."));
    assert_eq!(windows(&changes(&mut bench, 2)), [TranscriptWindow::Newest], "at the end it follows again");
}

#[test]
fn f2_beyond_an_edge_lies_the_next_part() {
    let mut bench = reading();
    let (mut effects, mut presses) = (Vec::new(), 0);
    while windows(&effects).is_empty() {
        effects = bench.key(KeyCode::PageUp);
        bench.text(24, 80);
        presses += 1;
        assert!(presses < 9, "{}", bench.text(24, 80));
    }
    assert_eq!(windows(&effects), [TranscriptWindow::Before(30)]);
    assert!(bench.text(24, 80).contains("↑ 30 earlier"), "the old part stays until the new one is here");
    assert_eq!(windows(&bench.key(KeyCode::PageUp)), [], "asked once");
    let text = come(&mut bench, &effects, part(20, 10, 40));
    assert!(text.contains("item 29.") && text.contains("↓ 10 later"), "at its end: {text}");
    assert_eq!(windows(&changes(&mut bench, 1)), [TranscriptWindow::From(20)]);

    // And back: the last one asked for wins.
    let effects = bench.key(KeyCode::PageDown);
    assert_eq!(windows(&effects), [TranscriptWindow::From(30)]);
    let text = come(&mut bench, &effects, part(30, 10, 40));
    assert!(text.contains("item 30.") && text.contains("↑ 30 earlier"), "at its beginning: {text}");

    let effects = bench.key(KeyCode::Home);
    assert_eq!(windows(&effects), [TranscriptWindow::From(0)]);
    let text = come(&mut bench, &effects, part(0, 10, 40));
    assert!(text.contains("item 0.") && !text.contains("earlier"), "{text}");
    let effects = bench.key(KeyCode::End);
    assert_eq!(windows(&effects), [TranscriptWindow::Newest]);
    assert!(come(&mut bench, &effects, part(30, 10, 40)).contains("item 39."));
}

#[test]
fn f8b_scrolling_is_clamped_at_both_ends() {
    let mut bench = Bench::with_rows(vec![agent(1)]);
    let effects = bench.char('v');
    let end = come(&mut bench, &effects, part(0, 30, 30));
    for key in [KeyCode::Down, KeyCode::PageDown, KeyCode::Char('j'), KeyCode::End] {
        for _ in 0..40 {
            assert_eq!(windows(&bench.key(key)), []);
        }
        assert_eq!(bench.text(24, 80), end);
    }
    bench.key(KeyCode::Up);
    assert_ne!(bench.text(24, 80), end, "one key back is one line back");
    bench.key(KeyCode::Home);
    let start = bench.text(24, 80);
    for key in [KeyCode::Up, KeyCode::PageUp, KeyCode::Char('k')] {
        for _ in 0..40 {
            assert_eq!(windows(&bench.key(key)), []);
        }
        assert_eq!(bench.text(24, 80), start);
    }
    assert!(start.contains("item 0."), "{start}");
}

// Reference B.10, field report A28: attach and transcript mark read, moving over a row does not.
#[test]
fn a28_opening_it_marks_read_and_leaving_it_marks_what_came() {
    let unread = |revision| Row { unread: true, revision, ..agent(1) };
    let mut bench = Bench::with_rows(vec![unread(0), agent(2)]);
    assert_eq!(visits(&bench.key(KeyCode::Down)) + visits(&bench.key(KeyCode::Up)), 0);
    assert_eq!(visits(&bench.char('v')), 1);
    bench.delta(1, vec![agent(1)], &[]);
    assert_eq!(visits(&bench.delta(2, vec![unread(2)], &[])), 0);
    assert_eq!(visits(&bench.key(KeyCode::Esc)), 1);
    assert_eq!(bench.board.room, Room::List);
}

#[test]
fn a_program_that_is_no_agent_has_none() {
    let mut bench = Bench::with_rows(vec![Row { unread: true, ..row(1) }]);
    let effects = bench.char('v');
    assert_eq!((windows(&effects).len(), visits(&effects)), (0, 0));
    assert_eq!(bench.board.room, Room::List);
    assert_eq!(bench.notice(), "\"task-1\" is no agent and keeps no transcript; l shows its screen");
}

#[test]
fn what_lies_over_it_leaves_it_where_it_was() {
    let mut bench = reading();
    bench.key(KeyCode::PageUp);
    let before = bench.text(24, 80);
    bench.char('?');
    bench.text(24, 80);
    bench.char('q');
    assert_eq!(bench.text(24, 80), before);
    bench.char('r');
    assert_eq!(bench.board.room, Room::Reply);
    bench.key(KeyCode::Esc);
    assert_eq!(bench.board.room, Room::Transcript);
    let effects = bench.char('h');
    assert!(ups(&effects).is_empty(), "a busy row is not put on hold: {effects:?}");
    bench.char(' ');
    bench.char('v');
    bench.key(KeyCode::Esc);
    assert_eq!(bench.board.room, Room::Peek, "back to where it was opened");
}

#[test]
fn b13_why_there_is_none_is_shown_and_asked_again() {
    let mut bench = Bench::with_rows(vec![agent(1)]);
    let effects = bench.char('v');
    let problem = |text: &str| vec![QueryPart::Problem { text: text.into() }];
    let text = come(&mut bench, &effects, problem("Session file not created yet."));
    assert!(text.contains("! Session file not created yet."), "{text}");
    bench.key(KeyCode::PageUp);
    bench.key(KeyCode::Home);
    let effects = bench.pass(5_000);
    assert_eq!(windows(&effects), [TranscriptWindow::Newest]);
    let text = come(&mut bench, &effects, vec![head(0, 0, 0)]);
    assert!(text.contains("Session transcript empty yet."), "{text}");
}

#[test]
fn pieces_of_one_item_are_one_text() {
    let mut bench = Bench::with_rows(vec![agent(1)]);
    let effects = bench.char('v');
    let mut parts = vec![head(0, 1, 1)];
    parts.extend(["one tw", "o three"].map(|text| said(0, TranscriptRole::Agent, text)));
    let text = come(&mut bench, &effects, parts);
    assert!(text.contains("one two three") && text.matches("agent").count() == 1, "{text}");
}

fn conversation() -> Vec<QueryPart> {
    let list = (1..=9).map(|n| format!("src/file_{n}.rs")).collect::<Vec<_>>().join("\n");
    let said = |n, role, text: &str| said(n, role, text);
    vec![
        head(17, 9, 26),
        said(17, TranscriptRole::Note, "Conversation compacted"),
        said(
            18,
            TranscriptRole::You,
            "Why does the login flow lose the cookie?\n\n    GET /login\n    set-cookie: id",
        ),
        said(19, TranscriptRole::Thinking, "The name may differ between the two handlers."),
        said(
            20,
            TranscriptRole::Agent,
            "I look at both handlers first, then at the test that covers them, because the names of the cookies may differ between the two of them.",
        ),
        ran(21, "ls src/*.rs", &list, false),
        ran(22, "cargo test login", "error: 漢字 test failed\nexit code 101", true),
        said(
            23,
            TranscriptRole::Tool,
            "cargo test --workspace --all-targets -- --nocapture login_keeps_the_cookie_of_the_person",
        ),
        said(24, TranscriptRole::Custom, "1 of 3 done"),
        said(25, TranscriptRole::Agent, "Both use `id`.\n\n- one\n- two"),
    ]
}

#[test]
fn b13_f8b_what_it_looks_like() {
    for (rows, columns) in [(24, 80), (36, 120), (12, 40)] {
        let mut bench = Bench::with_rows(vec![agent(1)]);
        let effects = bench.char('v');
        bench.answer(&effects, QueryKind::Transcript, conversation());
        let text = bench.text(rows, columns);
        insta::assert_snapshot!(format!("transcript_{columns}x{rows}"), text);
    }
    let mut bench = Bench::with_rows(vec![agent(1)]);
    let effects = bench.char('v');
    bench.answer(&effects, QueryKind::Transcript, conversation());
    bench.text(24, 80);
    bench.key(KeyCode::Home);
    insta::assert_snapshot!(
        "transcript_colours",
        bench.board.render(36, 60).to_ansi().replace('\u{1b}', "␛")
    );
}

#[test]
fn it_is_wrapped_once_for_an_answer_and_a_width() {
    let mut bench = reading();
    let lines = |bench: &Bench| bench.board.wrapped.borrow().lines_at();
    let first = lines(&bench);
    bench.on(Input::Key(Key::plain(KeyCode::Up)));
    bench.text(24, 80);
    bench.text(30, 80);
    assert_eq!(lines(&bench), first, "scrolling and height change nothing");
    bench.text(24, 60);
    assert_ne!(lines(&bench), first);
}

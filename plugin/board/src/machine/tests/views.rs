//! Views of one session: what they ask, when, and what becomes of the answers.

use crate::{
    Effect,
    input::{Input, KeyCode, Visibility},
    keymap::Room,
    machine::samples::{Bench, detail, generation, queries, row, ups},
};
use board_protocol::{
    board::Row,
    daemon::{EvidenceLine, LogLevel, LogLine, StateChange},
    evidence::{
        Claim, CommandEvidence, CommandKind, CommandStatus, ErrorEvidence, EvidenceItem, FileAction,
        FileChange, Review,
    },
    ids::UnixMs,
    pipe::{Down, InstanceId, Query, QueryKind, QueryPart, ReviewPart, Up},
    run::RunUsage,
    state::{ProcessState, SemanticState},
};

const ME: InstanceId = InstanceId((7 << 16) | 1);

fn asked(effects: &[Effect]) -> Vec<QueryKind> {
    queries(effects).iter().map(|(_, query)| query.kind()).collect()
}

fn dropped(effects: &[Effect]) -> usize {
    ups(effects).iter().filter(|up| matches!(up, Up::QueryDropped { .. })).count()
}

fn idle(n: u32) -> Row {
    Row {
        agent: "pi".into(),
        state: SemanticState::Idle,
        process_state: ProcessState::Exited,
        busy: false,
        summary: "moved the check".into(),
        ..row(n)
    }
}

fn page(bench: &mut Bench, number: u64, page: u32, pages: u32, parts: Vec<QueryPart>) -> Vec<Effect> {
    bench.down(Down::QueryPage { instance: ME, number, page, pages, parts })
}

fn line(text: &str) -> QueryPart {
    QueryPart::ScreenLine(text.into())
}

#[test]
fn peek_asks_once_shows_the_answer_and_is_forgotten_with_its_view() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    let effects = bench.char(' ');
    assert_eq!(asked(&effects), [QueryKind::Detail]);
    assert!(bench.text(24, 80).contains("loading…") && bench.text(24, 80).contains("moved the check"));
    bench.answer(&effects, QueryKind::Detail, vec![detail(idle(1))]);
    let text = bench.text(24, 80);
    assert!(text.contains("All 212 tests pass.") && text.contains("agent event: settled, 2m ago"), "{text}");
    assert_eq!(asked(&bench.pass(5_000)), [], "nothing has changed");
    let effects = bench.key(KeyCode::Esc);
    assert_eq!((asked(&effects), dropped(&effects)), (vec![], 0));
    let effects = bench.char(' ');
    assert!(bench.text(24, 80).contains("loading…"), "what was told is not kept");
    assert_eq!(dropped(&bench.key(KeyCode::Esc)), 1, "nobody waits for this answer");
    // It comes all the same, late.
    let number = queries(&effects)[0].0;
    assert!(!page(&mut bench, number, 0, 1, vec![detail(idle(1))]).contains(&Effect::Render));
}

#[test]
fn a_changed_row_is_asked_about_again_at_most_once_a_second() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    let effects = bench.char(' ');
    bench.answer(&effects, QueryKind::Detail, vec![detail(idle(1))]);
    let mut questions = 0;
    for step in 0..50 {
        bench.wait(100);
        let effects = bench.delta(step + 1, vec![Row { revision: step + 1, ..idle(1) }], &[]);
        questions += asked(&effects).len();
        if !queries(&effects).is_empty() {
            bench.answer(&effects, QueryKind::Detail, vec![detail(idle(1))]);
        }
    }
    assert!((4..=5).contains(&questions), "{questions} in five seconds");
}

#[test]
fn only_the_newest_question_is_answered() {
    let mut bench = Bench::with_rows(vec![idle(1), idle(2)]);
    let first = queries(&bench.char(' '))[0].0;
    let effects = bench.key(KeyCode::Down);
    assert_eq!((asked(&effects).len(), dropped(&effects)), (1, 1));
    let second = queries(&effects)[0].0;
    page(&mut bench, first, 0, 1, vec![detail(Row { summary: "the old one".into(), ..idle(1) })]);
    assert!(bench.text(24, 80).contains("loading…"));
    page(&mut bench, second, 0, 1, vec![detail(Row { summary: "the new one".into(), ..idle(2) })]);
    assert!(bench.text(24, 80).contains("the new one"));
    // And nobody else's.
    let effects = bench.key(KeyCode::Up);
    let number = queries(&effects)[0].0;
    let instance = InstanceId::new(7, 2);
    bench.down(Down::QueryPage { instance, number, page: 0, pages: 1, parts: vec![detail(idle(1))] });
    assert!(bench.text(24, 80).contains("loading…"));
}

#[test]
fn pages_come_in_order_or_are_asked_for_again() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    let number = queries(&bench.char('l'))[0].0;
    page(&mut bench, number, 0, 2, vec![QueryPart::Screen { live: true }, line("$ make")]);
    assert!(bench.text(24, 80).contains("loading…"));
    page(&mut bench, number, 1, 2, vec![line("done")]);
    let text = bench.text(24, 80);
    assert!(
        text.contains("its screen, to look at") && text.contains(" $ make") && text.contains(" done"),
        "{text}"
    );
    let effects = bench.pass(1_000);
    assert_eq!(asked(&effects), [QueryKind::Screen], "once a second");
    let number = queries(&effects)[0].0;
    let effects = page(&mut bench, number, 1, 2, vec![line("out of turn")]);
    assert!(bench.text(24, 80).contains(" done"), "the last picture stays");
    assert_eq!(asked(&effects), [QueryKind::Screen]);
}

#[test]
fn a_hidden_board_asks_nothing() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    let effects = bench.char('l');
    bench.answer(&effects, QueryKind::Screen, vec![QueryPart::Screen { live: true }, line("x")]);
    bench.on(Input::Visible(Visibility::Hidden));
    assert_eq!(asked(&bench.pass(4_000)), []);
    assert_eq!(asked(&bench.on(Input::Visible(Visibility::Shown))), [QueryKind::Screen]);
}

#[test]
fn a_lost_answer_is_asked_for_again_and_a_problem_is_shown() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.char(' ');
    let mut again = 0;
    for _ in 0..10 {
        again += asked(&bench.pass(1_000)).len();
        bench.down(Down::Ping { number: 1 });
    }
    assert_eq!(again, 1);
    let effects = bench.pass(5_000);
    let effects = if effects.is_empty() { bench.down(Down::Ping { number: 2 }) } else { effects };
    let problem = QueryPart::Problem { text: "the daemon \u{1b}[2Jis gone".into() };
    bench.answer(&effects, QueryKind::Detail, vec![problem]);
    assert!(bench.text(24, 80).contains("! the daemon is gone"));
}

#[test]
fn another_link_is_asked_anew() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.char(' ');
    bench.link = generation("link-2");
    bench.up = "up-2".into();
    let effects = bench.opens_up();
    assert_eq!(asked(&effects), [QueryKind::Detail]);
}

#[test]
fn a_view_follows_its_session_and_leaves_with_it() {
    let mut bench = Bench::with_rows(vec![idle(1), idle(2)]);
    bench.char('e');
    // It changes its group, and the filter would hide it by now.
    bench.delta(1, vec![Row { state: SemanticState::Failed, ..idle(1) }], &[]);
    assert_eq!((bench.board.room, bench.selected().as_deref()), (Room::Explain, Some("task-1")));
    bench.delta(2, vec![], &[1]);
    assert_eq!((bench.board.room, bench.selected().as_deref()), (Room::List, Some("task-2")));
    assert_eq!(bench.notice(), "The session is gone");
}

#[test]
fn evidence_and_diagnostics_are_asked_together_and_scroll_to_their_end_only() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    let effects = bench.char('e');
    assert_eq!(asked(&effects), [QueryKind::Work, QueryKind::Explanation, QueryKind::Log]);
    let at_ms = UnixMs(bench.now.0 - 60_000);
    let change = QueryPart::Change(StateChange {
        at_ms,
        from: Some(SemanticState::Working),
        to: SemanticState::Idle,
        event: "agent event: settled".into(),
        rule: "a turn that ended without a question needs instructions".into(),
    });
    let evidence =
        QueryPart::Evidence(EvidenceLine { source: "agent event".into(), at_ms, what: "settled".into() });
    bench.answer(&effects, QueryKind::Explanation, vec![evidence, change]);
    let log = |n: u32| {
        QueryPart::Log(LogLine {
            at_ms,
            level: LogLevel::Warn,
            source: "service".into(),
            code: format!("code-{n}"),
            message: "refused".into(),
        })
    };
    bench.answer(&effects, QueryKind::Log, (1..=50).map(log).collect());
    let text = bench.text(24, 80);
    assert!(text.contains("agent event: settled (this decides)"), "{text}");
    assert!(text.contains("Running → Needs instructions"), "{text}");
    assert!(text.contains("WARN code-50: refused") && !text.contains("code-1:"), "the newest first: {text}");
    bench.key(KeyCode::End);
    let end = bench.text(24, 80);
    assert!(end.contains("code-1: refused") && end.contains("↑ "), "{end}");
    bench.key(KeyCode::PageDown);
    bench.key(KeyCode::Down);
    assert_eq!(bench.text(24, 80), end, "no further than its end");
    bench.key(KeyCode::Up);
    assert_ne!(bench.text(24, 80), end, "and back at once");
    bench.key(KeyCode::Home);
    assert_eq!(bench.text(24, 80), text);
}

fn reviewed(n: u32, at: u64) -> Row {
    let review = Review {
        ready: true,
        outcome: "ready".into(),
        file_changes: 14,
        commands: 1,
        failed_commands: 1,
        errors: 1,
        latest_claim: None,
        updated_at_ms: Some(UnixMs(at)),
    };
    Row { review: Some(review), ..idle(n) }
}

fn items(at_ms: UnixMs) -> Vec<QueryPart> {
    let file = EvidenceItem::FileChange(FileChange {
        path: "src/auth.rs".into(),
        action: FileAction::Edited,
        tool: "edit".into(),
        first_seen_at_ms: at_ms,
        last_seen_at_ms: at_ms,
        count: 3,
    });
    let command = EvidenceItem::Command(CommandEvidence {
        id: "c".into(),
        at_ms,
        command: "npm test\necho done".into(),
        kind: CommandKind::Test,
        status: CommandStatus::Failed,
        exit_code: Some(2),
        duration_ms: Some(12_000),
        output_preview: Some("2 failed\n\n  at auth.js".into()),
    });
    let error = EvidenceItem::Error(ErrorEvidence {
        at_ms,
        source: "model".into(),
        message: "overloaded".into(),
        tool: None,
    });
    let claim = EvidenceItem::Claim(Claim { at_ms, text: "The tests fail still.".into() });
    [file, command, error, claim].into_iter().map(|item| QueryPart::Item(Box::new(item))).collect()
}

#[test]
fn f8_the_evidence_page_shows_what_was_done_above_what_moved_the_row() {
    let mut bench = Bench::with_rows(vec![reviewed(1, 5)]);
    let effects = bench.char('e');
    let at_ms = UnixMs(bench.now.0 - 60_000);
    let review = reviewed(1, 5).review.expect("a review");
    let usage = RunUsage { read: 1_000, written: 50, cost_micros: Some(12_300), turns: 1, tools: 4 };
    let part = ReviewPart { review, usage, dropped: 0, transcript: Some("/s/a.jsonl".into()) };
    let mut parts = vec![QueryPart::Review(Box::new(part))];
    parts.extend(items(at_ms));
    bench.answer(&effects, QueryKind::Work, parts);
    let text = bench.text(40, 120);
    for line in [
        "ready · 14 files changed · 1 command, 1 failed · 1 error · 1000 tokens read, 50 written, $0.0123",
        "1m   edited src/auth.rs ×3",
        "13 more: host-runner evidence prints what is kept",
        "✗ test: npm test ↵ echo done · exit 2 · 12s",
        "2 failed",
        "at auth.js",
        "model: overloaded",
        "The tests fail still.",
        "transcript: /s/a.jsonl",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let at = |words: &str| text.find(words).unwrap_or(usize::MAX);
    assert!(at("Work") < at("Changed files") && at("Commands") < at("Diagnostics"), "{text}");
    // More was done: it is asked anew, though nothing moved the row.
    bench.delta(1, vec![reviewed(1, 9)], &[]);
    let effects = bench.pass(1_000);
    assert!(asked(&effects).contains(&QueryKind::Work), "{effects:?}");
}

#[test]
fn f5_a_row_that_rests_with_work_to_show_says_ready_and_a_closer_look_counts_it() {
    let nothing = Row { review: Some(Review { ready: true, ..Review::default() }), ..idle(2) };
    let mut bench = Bench::with_rows(vec![reviewed(1, 5), nothing, idle(3)]);
    let text = bench.text(20, 120);
    assert_eq!(text.matches("ready").count(), 1, "{text}");
    let effects = bench.char(' ');
    bench.answer(&effects, QueryKind::Detail, vec![detail(reviewed(1, 5))]);
    let text = bench.text(30, 120);
    assert!(text.contains("14 files changed · 1 command, 1 failed · 1 error (e shows it)"), "{text}");
}

#[test]
fn a_screen_begins_at_its_end() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    let effects = bench.char('l');
    let lines = (1..=60).map(|n| line(&format!("line {n}.")));
    bench.answer(
        &effects,
        QueryKind::Screen,
        std::iter::once(QueryPart::Screen { live: false }).chain(lines).collect(),
    );
    let text = bench.text(24, 80);
    assert!(text.contains("line 60.") && text.contains("the last that it showed"), "{text}");
    bench.key(KeyCode::Home);
    assert!(bench.text(24, 80).contains("line 1."), "{}", bench.text(24, 80));
    bench.key(KeyCode::End);
    assert_eq!(bench.text(24, 80), text);
}

#[test]
fn what_was_told_about_nobody_is_harmless() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    for parts in [vec![], vec![QueryPart::Cut { left_out: 9 }], vec![line("x")]] {
        let effects = bench.char(' ');
        bench.answer(&effects, QueryKind::Detail, parts);
        bench.text(24, 80);
        bench.key(KeyCode::Esc);
    }
    let effects = bench.char(' ');
    let number = queries(&effects)[0].0;
    assert!(matches!(queries(&effects)[0].1, Query::Detail { .. }));
    page(&mut bench, number, 7, 3, vec![]);
    page(&mut bench, 999, 0, 1, vec![]);
}

//! Marked rows, whole states, and the filter.

use super::intents::{intents, outcome};
use crate::{
    effect::Effect,
    input::{Input, Key, KeyCode},
    keymap::Room,
    machine::samples::{Bench, row},
};
use board_protocol::{
    board::Row,
    command::CommandOutcome,
    ids::CommandId,
    pipe::Intent,
    refusal::{Refusal, RefusalKind},
    state::{HostState, ProcessState, SemanticState},
};
use board_text::Language;

fn agent(n: u32, state: SemanticState) -> Row {
    let alive = state == SemanticState::Working;
    Row {
        agent: "pi".into(),
        state,
        process_state: if alive { ProcessState::Alive } else { ProcessState::Exited },
        host_state: HostState::Alive,
        busy: alive,
        ..row(n)
    }
}

fn done(n: u32) -> Row {
    agent(n, SemanticState::Completed)
}

fn question(bench: &Bench) -> &str {
    bench.board.confirm.as_ref().map_or("", |confirm| &confirm.question)
}

fn ctrl_x(bench: &mut Bench) -> Vec<Effect> {
    bench.on(Input::Key(Key::ctrl(KeyCode::Char('x'))))
}

/// Answers every command until none is left; returns what was commanded.
fn answer_all(
    bench: &mut Bench,
    effects: &[Effect],
    result: impl Fn(&Intent) -> CommandOutcome,
) -> Vec<Intent> {
    let mut waiting: Vec<(CommandId, Intent)> = intents(effects);
    let mut all = Vec::new();
    while !waiting.is_empty() {
        assert!(waiting.len() <= 8, "a few at a time");
        let (id, intent) = waiting.remove(0);
        let effects = outcome(bench, &id, result(&intent));
        all.push(intent);
        waiting.extend(intents(&effects));
    }
    all
}

fn applied(_: &Intent) -> CommandOutcome {
    CommandOutcome::Applied { session: row(1).id, notice: None }
}

#[test]
fn marks_start_empty_and_go_with_the_mode() {
    let mut bench = Bench::with_rows((1..=3).map(done).collect());
    bench.type_text("m j ");
    assert_eq!(bench.notice(), "SELECT mode — 2 selected");
    assert!(bench.text(24, 80).contains("◉ task-1") && bench.text(24, 80).contains("○ task-3"));
    bench.char('h');
    bench.char('x');
    assert_eq!(question(&bench), "", "no batch of these");
    bench.char('u');
    assert_eq!(bench.notice(), "SELECT mode — selection cleared");
    bench.type_text("am");
    assert_eq!((bench.board.room, bench.board.marks.len()), (Room::List, 0));
}

#[test]
fn i8_how_many_are_marked_is_said_in_the_language_of_the_board() {
    for (language, said) in
        [(Language::Chinese, "多选模式 — 已选 2 个"), (Language::Japanese, "選択モード — 2 件を選択")]
    {
        let mut bench = Bench::with_rows((1..=3).map(done).collect());
        bench.board.language = language;
        bench.type_text("m j ");
        assert_eq!(bench.notice(), said);
    }
}

#[test]
fn a_batch_is_asked_once_sent_a_few_at_a_time_and_told_once() {
    let mut rows: Vec<Row> = (1..=20).map(|n| agent(n, SemanticState::Idle)).collect();
    rows.extend([agent(21, SemanticState::Working), done(22)]);
    let mut bench = Bench::with_rows(rows);
    bench.type_text("mad");
    assert_eq!(question(&bench), "Mark 20 selected sessions as done? 2 will be skipped. (y/N)");
    let effects = bench.yes();
    let sent = answer_all(&mut bench, &effects, applied);
    assert_eq!(sent.len(), 20);
    assert!(sent.iter().all(|intent| matches!(intent, Intent::MarkCompleted { .. })));
    assert_eq!((bench.notice(), bench.board.room), ("Moved 20 to Done · skipped 2", Room::Select));
}

#[test]
fn what_a_batch_is_refused_is_counted_with_the_last_reason() {
    let mut bench = Bench::with_rows((1..=3).map(|n| agent(n, SemanticState::Idle)).collect());
    bench.type_text("mad");
    let effects = bench.yes();
    let busy = || CommandOutcome::Refused(Refusal::new(RefusalKind::Busy, "a turn runs"));
    answer_all(&mut bench, &effects, |intent| match intent {
        Intent::MarkCompleted { session } if *session == row(2).id => busy(),
        other => applied(other),
    });
    assert_eq!(bench.notice(), "Moved 2 to Done · 1 refused: a turn runs");
}

// Acceptance I.2, A6.
#[test]
fn i2_a6_ctrl_x_in_select_asks_for_the_done_ones() {
    let mut bench = Bench::with_rows(vec![agent(1, SemanticState::Idle), done(2), done(3)]);
    bench.char('m');
    ctrl_x(&mut bench);
    assert_eq!(bench.notice(), "Select one or more Done sessions first");
    bench.char(' ');
    ctrl_x(&mut bench);
    assert_eq!(bench.notice(), "Only Done sessions can be batch deleted");
    bench.char('a');
    ctrl_x(&mut bench);
    let asked = "Delete 2 done sessions? 1 will be skipped. Session files are preserved. (y/N)";
    assert_eq!((question(&bench), bench.board.room), (asked, Room::Confirm));
    let effects = bench.yes();
    let sent = answer_all(&mut bench, &effects, applied);
    assert!(matches!(&sent[..], [Intent::Remove { .. }, Intent::Remove { .. }]), "{sent:?}");
    assert_eq!((bench.notice(), bench.board.room), ("Deleted 2 · skipped 1 live", Room::Select));
}

#[test]
fn batches_say_what_they_lack() {
    let mut bench = Bench::with_rows(vec![done(1)]);
    bench.type_text("md");
    assert_eq!(bench.notice(), "Select one or more sessions first");
    bench.type_text(" d");
    assert_eq!(bench.notice(), "No inactive sessions in the selection can be moved to Done");
}

// Decision 4.
#[test]
fn the_whole_state_means_what_the_filter_shows() {
    let idle = |n| agent(n, SemanticState::Idle);
    let shell = |n| Row { state: SemanticState::Idle, host_state: HostState::Alive, ..row(n) };
    let mut bench = Bench::with_rows(vec![idle(11), idle(12), idle(23), shell(14), done(15)]);
    bench.char('/');
    bench.type_text("task-1");
    bench.key(KeyCode::Enter);
    bench.char('X');
    let asked = "Delete 2 Needs instructions sessions? 1 running skipped. 1 hidden by the filter stay. (y/N)";
    assert_eq!(question(&bench), asked);
    let effects = bench.yes();
    let mut removed = answer_all(&mut bench, &effects, applied);
    removed.sort_by_key(|intent| format!("{intent:?}"));
    let remove = |n| Intent::Remove { session: row(n).id };
    assert_eq!(removed, [remove(11), remove(12)]);
    assert_eq!(bench.notice(), "Deleted 2 · skipped 1 live");
    let mut bench = Bench::with_rows(vec![shell(1)]);
    bench.char('X');
    assert_eq!(bench.notice(), "No inactive Needs instructions sessions to delete");
}

#[test]
fn the_filter_is_live_kept_and_cleared() {
    let mut bench = Bench::with_rows(vec![agent(1, SemanticState::Idle), done(2), done(13)]);
    bench.char('/');
    assert_eq!(bench.notice(), "FILTER mode — type query; Esc clears");
    bench.type_text("s:done 13");
    assert_eq!(bench.selected().as_deref(), Some("task-13"));
    let text = bench.text(24, 80);
    assert!(text.contains("DONE 1 of 2") && !text.contains("task-1 "), "{text}");
    assert!(text.contains("2 done"), "counts ignore the filter: {text}");
    bench.key(KeyCode::Enter);
    assert!(bench.text(24, 80).contains("filter:s:done 13"));
    bench.char('j');
    assert_eq!(bench.selected().as_deref(), Some("task-13"));
    bench.key(KeyCode::Esc);
    assert_eq!(bench.notice(), "Filter cleared — NORMAL mode");
    assert!(bench.text(24, 80).contains("DONE 2 "));
    bench.char('/');
    bench.type_text("nothing has this");
    assert!(bench.text(24, 80).contains("No sessions match the filter."));
    bench.key(KeyCode::Esc);
    assert_eq!(bench.board.room, Room::List);
    assert!(bench.selected().is_some());
}

#[test]
fn marks_of_rows_that_the_filter_hides_go() {
    let mut bench = Bench::with_rows((1..=3).map(done).collect());
    bench.type_text("ma");
    bench.delta(1, vec![agent(2, SemanticState::Idle)], &[1]);
    assert_eq!(bench.board.marks.len(), 2, "a row that is gone is marked no more");
}

// Field report L1: rows were shuffled by activity, and the cursor lost its row.
#[test]
fn l1_a_minute_of_activity_moves_nothing() {
    let mut bench = Bench::with_rows((1..=30).map(|n| agent(n, SemanticState::Idle)).collect());
    for _ in 0..7 {
        bench.char('j');
    }
    let order = |bench: &Bench| -> Vec<String> {
        bench.board.shown.rows(&bench.board.model).map(|row| row.name.to_string()).collect()
    };
    let before = order(&bench);
    for step in 0..600 {
        bench.wait(100);
        // Some order without a pattern, the same in every run.
        let n = u32::try_from(step * 7_919 % 30).unwrap() + 1;
        let row = Row {
            last_activity_at_ms: bench.now,
            summary: format!("{step}"),
            ..agent(n, SemanticState::Idle)
        };
        bench.delta(step + 1, vec![row], &[]);
        assert_eq!(bench.selected().as_deref(), Some("task-8"));
    }
    assert_eq!(order(&bench), before);
}

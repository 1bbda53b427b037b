//! What a key does to the selected session, and the exact words before and after it.

use super::intents::{intents, outcome};
use crate::{
    input::{Input, Key, KeyCode},
    keymap::Room,
    machine::{
        samples::{Bench, ended_row, queries, row, ups},
        verdict::RIPE_AFTER_MS,
    },
};
use board_protocol::{
    board::Row,
    command::{CommandOutcome, Pin},
    pipe::{Intent, QueryKind},
    refusal::{Refusal, RefusalKind},
    state::{HostState, ProcessState, SemanticState},
};

fn pi(n: u32, state: SemanticState, process_state: ProcessState) -> Row {
    let busy = process_state == ProcessState::Alive;
    Row { agent: "pi".into(), state, process_state, busy, ..row(n) }
}

fn idle(n: u32) -> Row {
    pi(n, SemanticState::Idle, ProcessState::Exited)
}

fn ctrl_x(bench: &mut Bench) -> Vec<Intent> {
    let effects = bench.on(Input::Key(Key::ctrl(KeyCode::Char('x'))));
    intents(&effects).into_iter().map(|(_, intent)| intent).collect()
}

fn question(bench: &Bench) -> Option<&str> {
    bench.board.confirm.as_ref().map(|confirm| confirm.question.as_str())
}

// Acceptance I.1, A21: in list, peek and the view of its terminal; a busy row only gives the notice.
#[test]
fn i1_a21_h_holds_and_releases_wherever_one_session_is_seen() {
    let session = row(1).id;
    let on = Intent::MarkHolding { session: session.clone() };
    let off = Intent::ClearHolding { session };
    let held = |process| pi(1, SemanticState::Holding, process);
    let cases = [
        (idle(1), Some(on.clone()), ""),
        (row(1), Some(on), ""),
        (held(ProcessState::Exited), Some(off.clone()), ""),
        // What looks busy may be released all the same: the coordinator decides.
        (held(ProcessState::Alive), Some(off), ""),
        (
            pi(1, SemanticState::Working, ProcessState::Alive),
            None,
            "Wait for the active run to finish before placing on hold",
        ),
    ];
    for (row, intent, notice) in cases {
        for way in ["", " ", "l"] {
            let mut bench = Bench::with_rows(vec![row.clone()]);
            bench.type_text(way);
            let sent = intents(&bench.char('h')).pop().map(|(_, intent)| intent);
            assert_eq!(sent, intent, "{way:?} {row:?}");
            assert_eq!(bench.notice(), notice);
        }
    }
}

#[test]
fn verdicts_are_told_as_they_were_taken_or_refused() {
    let refusal = || Refusal::new(RefusalKind::Busy, "a turn runs");
    let held = pi(1, SemanticState::Holding, ProcessState::Exited);
    for (row, applied, refused) in [
        (idle(1), "On hold", "Hold failed: a turn runs"),
        (held, "Resumed — needs instructions", "Resume failed: a turn runs"),
    ] {
        for (result, notice) in [
            (CommandOutcome::Applied { session: row.id.clone(), notice: None }, applied),
            (CommandOutcome::Refused(refusal()), refused),
        ] {
            let mut bench = Bench::with_rows(vec![row.clone()]);
            let (id, _) = intents(&bench.char('h')).pop().unwrap();
            outcome(&mut bench, &id, result);
            assert_eq!(bench.notice(), notice);
        }
    }
}

#[test]
fn d_asks_and_says_why_not() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.char('d');
    assert_eq!(question(&bench), Some("Mark \"task-1\" as done? (y/N)"));
    let sent = intents(&bench.yes());
    assert!(matches!(&sent[..], [(_, Intent::MarkCompleted { .. })]), "{sent:?}");
    for (row, notice) in [
        (pi(1, SemanticState::Completed, ProcessState::Exited), "Already marked done"),
        (
            pi(1, SemanticState::Working, ProcessState::Alive),
            "Wait for the active run to finish before marking done",
        ),
    ] {
        let mut bench = Bench::with_rows(vec![row]);
        bench.char('d');
        assert_eq!((question(&bench), bench.notice()), (None, notice));
    }
}

#[test]
fn pins_and_unread_marks_turn_round() {
    let session = row(1).id;
    let cases = [
        ('p', row(1), Intent::SetPin { session: session.clone(), pin: Pin::Pinned }),
        (
            'p',
            Row { pinned: true, ..row(1) },
            Intent::SetPin { session: session.clone(), pin: Pin::Unpinned },
        ),
        ('u', row(1), Intent::MarkUnread { session: session.clone() }),
        ('u', Row { unread: true, ..row(1) }, Intent::Visit { session }),
    ];
    for (key, row, intent) in cases {
        let mut bench = Bench::with_rows(vec![row]);
        assert_eq!(intents(&bench.char(key)).pop().unwrap().1, intent);
    }
}

// Acceptance I.2, A1 to A3.
#[test]
fn i2_a1_x_asks_and_only_y_deletes() {
    let mut bench = Bench::with_rows(vec![idle(1), idle(2)]);
    assert_eq!(intents(&bench.char('x')), []);
    assert_eq!(bench.board.room, Room::Confirm);
    assert_eq!(question(&bench), Some("Delete \"task-1\"? Session file is preserved. (y/N)"));
    let mut replied = Bench::with_rows(vec![Row { queued: 2, ..idle(1) }]);
    replied.char('x');
    let asked = "Delete \"task-1\"? 2 replies that wait are thrown away. Session file is preserved. (y/N)";
    assert_eq!(question(&replied), Some(asked));
    for key in [KeyCode::Char('n'), KeyCode::Esc, KeyCode::Char('x'), KeyCode::Char('q'), KeyCode::Enter] {
        let mut bench = Bench::with_rows(vec![idle(1)]);
        bench.char('x');
        bench.wait(RIPE_AFTER_MS);
        assert_eq!(ups(&bench.key(key)), [], "{key:?}");
        assert_eq!((bench.board.room, bench.notice()), (Room::List, ""));
    }
    let (id, _) = intents(&bench.yes()).pop().unwrap();
    outcome(&mut bench, &id, CommandOutcome::Applied { session: row(1).id, notice: None });
    bench.delta(1, vec![], &[1]);
    assert_eq!(bench.notice(), "Deleted \"task-1\"");
    assert_eq!(bench.selected().as_deref(), Some("task-2"));
}

// Field report B14: a key that was typed before the question could be read confirmed it.
#[test]
fn b14_a_y_that_was_typed_ahead_does_nothing() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.char('x');
    bench.wait(RIPE_AFTER_MS - 1);
    assert_eq!(intents(&bench.char('y')), []);
    assert_eq!(bench.board.room, Room::Confirm, "the question stays");
    assert!(!bench.text(24, 120).contains("(y/N)"), "and promises nothing yet");
    let effects = bench.pass(1);
    assert!(effects.contains(&crate::effect::Effect::Render), "it is drawn anew by itself");
    assert!(bench.text(24, 120).contains("(y/N)"));
    assert_eq!(intents(&bench.char('y')).len(), 1);
    // Whatever else is typed ahead cancels at once.
    bench.char('x');
    bench.char('n');
    assert_eq!(bench.board.room, Room::List);
}

// Acceptance I.2, A4 and A4b.
#[test]
fn i2_a4_ctrl_x_twice_within_half_a_second_deletes() {
    for (apart, deleted) in [(0, 1), (500, 1), (501, 0), (700, 0)] {
        let mut bench = Bench::with_rows(vec![idle(1)]);
        assert_eq!(ctrl_x(&mut bench), []);
        assert_eq!(bench.notice(), "Press ctrl+x again quickly to delete \"task-1\"");
        bench.wait(apart);
        assert_eq!(ctrl_x(&mut bench).len(), deleted, "{apart} ms");
        assert_eq!(bench.board.room, Room::List);
        // The second press of a pair begins no other pair.
        if deleted > 0 {
            assert_eq!(ctrl_x(&mut bench), []);
        }
    }
    let mut bench = Bench::with_rows(vec![row(1)]);
    ctrl_x(&mut bench);
    assert!(bench.notice().ends_with("(stops the active run)"));
    // Any other key lies between.
    let mut bench = Bench::with_rows(vec![idle(1), idle(2)]);
    for key in ['x', 'j', '?', 'k'] {
        ctrl_x(&mut bench);
        bench.char(key);
        bench.key(KeyCode::Esc);
        assert_eq!(ctrl_x(&mut bench), [], "{key}");
        bench.key(KeyCode::Esc);
    }
}

// Acceptance I.2, A5: in a text they are text, and elsewhere nothing is deleted.
#[test]
fn i2_a5_x_is_text_in_a_text_and_inert_in_views() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.type_text("ix");
    assert_eq!(bench.board.editor.text(), "x");
    for way in [" ", "l", "e", "m"] {
        let mut bench = Bench::with_rows(vec![idle(1)]);
        bench.type_text(way);
        bench.char('x');
        let asked = question(&bench);
        // Where diagnostics are shown it is they that go.
        let only = (way == "e").then_some("Clear diagnostics for \"task-1\"? Evidence is preserved. (y/N)");
        assert_eq!(asked, only, "{way:?}");
        if only.is_some() {
            bench.key(KeyCode::Esc);
        }
        if way != "m" {
            assert_eq!((ctrl_x(&mut bench), ctrl_x(&mut bench)), (vec![], vec![]));
        }
    }
}

#[test]
fn renaming_saves_what_is_plain_and_comes_back_when_refused() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.char('R');
    bench.on(Input::Key(Key::ctrl(KeyCode::Char('u'))));
    bench.on(Input::Paste("  new\nname ".into()));
    let (id, intent) = intents(&bench.key(KeyCode::Enter)).pop().unwrap();
    assert_eq!(intent, Intent::Rename { session: row(1).id, name: "new name".into() });
    assert_eq!(bench.board.room, Room::List);
    let refusal = Refusal::new(RefusalKind::BadInput, "that name is taken");
    outcome(&mut bench, &id, CommandOutcome::Refused(refusal));
    assert_eq!((bench.board.room, bench.board.line.text()), (Room::Rename, "new name"));
    assert_eq!(bench.notice(), "that name is taken");
    bench.key(KeyCode::Esc);
    assert_eq!(bench.board.room, Room::List);
    // The same name and none at all change nothing.
    bench.char('R');
    assert_eq!(intents(&bench.key(KeyCode::Enter)), []);
    bench.char('R');
    bench.on(Input::Key(Key::ctrl(KeyCode::Char('u'))));
    assert_eq!(intents(&bench.key(KeyCode::Enter)), []);
    assert_eq!(bench.board.room, Room::Rename);
}

#[test]
fn tags_are_told_as_what_changes() {
    let mut bench = Bench::with_rows(vec![Row { tags: vec!["api".into(), "web".into()], ..idle(1) }]);
    bench.char('t');
    assert_eq!(bench.board.line.text(), "api web");
    bench.on(Input::Key(Key::ctrl(KeyCode::Char('w'))));
    bench.type_text("#urgent");
    let (_, intent) = intents(&bench.key(KeyCode::Enter)).pop().unwrap();
    let (add, remove) = (vec!["urgent".into()], vec!["web".into()]);
    assert_eq!(intent, Intent::Tag { session: row(1).id, add, remove });
}

// Field report A28: passing over a row cleared the mark that it waits.
#[test]
fn a28_moving_and_peeking_leave_a_row_unread() {
    let mut bench = Bench::with_rows(vec![idle(1), Row { unread: true, ..idle(2) }, idle(3)]);
    for keys in ["jjkk", "j  ", "jlee", "g"] {
        for key in keys.chars() {
            assert_eq!(intents(&bench.char(key)), [], "{key}");
        }
        bench.key(KeyCode::Esc);
        bench.key(KeyCode::Esc);
        bench.key(KeyCode::Home);
    }
    bench.key(KeyCode::Down);
    let sent = intents(&bench.key(KeyCode::Right));
    assert!(matches!(&sent[..], [(_, Intent::Visit { .. })]), "{sent:?}");
}

#[test]
fn g_goes_round_to_what_waits_for_the_person() {
    let asks = |n| pi(n, SemanticState::NeedsInput, ProcessState::Exited);
    let failed = |n| Row { unread: true, ..ended_row(n, "exit code 1") };
    let mut bench = Bench::with_rows(vec![idle(1), asks(2), idle(3), failed(4), asks(5)]);
    let mut seen = vec![bench.selected().unwrap()];
    for key in "ggggGG".chars() {
        bench.char(key);
        seen.push(bench.selected().unwrap());
    }
    assert_eq!(seen, ["task-2", "task-5", "task-4", "task-2", "task-5", "task-2", "task-4"]);
    // Where nobody calls, it walks what goes no further without the person, read or not; what was put aside is let be.
    let aside = pi(3, SemanticState::Holding, ProcessState::Exited);
    let mut bench = Bench::with_rows(vec![idle(1), idle(2), Row { unread: true, ..aside }]);
    for expected in ["task-2", "task-1"] {
        bench.char('g');
        assert_eq!(bench.selected().unwrap(), expected);
    }
    let mut bench = Bench::with_rows(vec![idle(1)]);
    bench.char('g');
    assert_eq!(bench.notice(), "Nothing else waits for you");
    let mut bench = Bench::with_rows(vec![row(1)]);
    bench.char('g');
    assert_eq!(bench.notice(), "Nothing waits for you");
}

#[test]
fn a_generic_session_may_be_judged_while_it_runs() {
    let shell = Row { host_state: HostState::Alive, ..row(1) };
    let mut bench = Bench::with_rows(vec![shell]);
    bench.char('d');
    assert!(question(&bench).is_some());
}

#[test]
fn cleared_diagnostics_are_told_anew() {
    let mut bench = Bench::with_rows(vec![idle(1)]);
    let effects = bench.char('e');
    bench.answer(&effects, QueryKind::Log, vec![]);
    bench.char('x');
    let (id, intent) = intents(&bench.yes()).pop().unwrap();
    assert_eq!(intent, Intent::ClearLog { session: row(1).id });
    outcome(&mut bench, &id, CommandOutcome::Applied { session: row(1).id, notice: None });
    assert_eq!(bench.notice(), "Diagnostics cleared");
    let again = queries(&bench.pass(1_000));
    assert!(again.iter().any(|(_, query)| query.kind() == QueryKind::Log), "{again:?}");
}

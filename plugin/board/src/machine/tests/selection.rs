//! The selection follows its row (field reports L1, L2).

use crate::{
    input::KeyCode,
    machine::samples::{Bench, row},
};
use board_protocol::{board::Row, ids::UnixMs, state::SemanticState};

#[test]
fn up_and_down_wrap() {
    let mut bench = Bench::with_rows((1..=3).map(row).collect());
    let mut seen = vec![bench.selected().unwrap()];
    for key in [KeyCode::Down, KeyCode::Char('j'), KeyCode::Down, KeyCode::Up, KeyCode::Char('k')] {
        bench.key(key);
        seen.push(bench.selected().unwrap());
    }
    assert_eq!(seen, ["task-1", "task-2", "task-3", "task-1", "task-3", "task-2"]);
    for (key, expected) in [
        (KeyCode::End, "task-3"),
        (KeyCode::Home, "task-1"),
        (KeyCode::PageDown, "task-3"),
        (KeyCode::PageUp, "task-1"),
    ] {
        bench.key(key);
        assert_eq!(bench.selected().as_deref(), Some(expected), "{key:?}");
    }
}

#[test]
fn l1_the_selection_keeps_its_row_under_any_activity() {
    let mut bench = Bench::with_rows((1..=20).map(row).collect());
    for _ in 0..7 {
        bench.key(KeyCode::Down);
    }
    for base in 1..300_u64 {
        let n = (base as u32 * 13) % 20 + 1;
        let last_activity_at_ms = UnixMs(bench.now.0 + base);
        let changed =
            Row { last_activity_at_ms, unread: base % 2 == 0, summary: format!("step {base}"), ..row(n) };
        bench.delta(base, vec![changed], &[]);
        assert_eq!(bench.selected().as_deref(), Some("task-8"));
    }
}

#[test]
fn l2_the_selection_follows_its_row_into_another_group_and_is_lit_for_a_moment() {
    let mut bench = Bench::with_rows((1..=3).map(row).collect());
    bench.key(KeyCode::Down);
    let calm = bench.board.render(24, 80).to_ansi();
    bench.delta(
        1,
        vec![Row { state: SemanticState::NeedsInput, question: Some("Which?".into()), ..row(2) }],
        &[],
    );
    assert_eq!(bench.selected().as_deref(), Some("task-2"));
    let lit = bench.board.render(24, 80).to_ansi();
    assert!(lit.contains("\u{1b}[0;1;7m") && !calm.contains("\u{1b}[0;1;7m"), "{lit}");
    bench.pass(800);
    assert!(!bench.board.render(24, 80).to_ansi().contains("\u{1b}[0;1;7m"), "only for a moment");
}

#[test]
fn when_its_row_vanishes_the_neighbour_is_selected() {
    let mut bench = Bench::with_rows((1..=3).map(row).collect());
    bench.key(KeyCode::Down);
    bench.delta(1, vec![], &[2]);
    assert_eq!(bench.selected().as_deref(), Some("task-3"));
    bench.delta(2, vec![], &[3]);
    assert_eq!(bench.selected().as_deref(), Some("task-1"));
    bench.delta(3, vec![], &[1]);
    assert_eq!(bench.selected(), None);
    bench.delta(4, vec![row(9)], &[]);
    assert_eq!(bench.selected().as_deref(), Some("task-9"));
}

#[test]
fn a_question_about_a_row_that_vanishes_is_withdrawn() {
    let mut bench = Bench::with_rows(vec![row(1), row(2)]);
    bench.char('x');
    bench.delta(1, vec![], &[1]);
    assert_eq!(bench.notice(), "The session is gone; nothing was done");
    assert_eq!(bench.char('y'), bench.char('y'), "y is an ordinary key again");
    assert_eq!(bench.notice(), "Press i to enter INSERT mode, then type or paste");
}

//! A board at which nothing happens costs nothing: few timers, no frame without a change.

use crate::{
    effect::Effect,
    input::{Input, Visibility},
    machine::samples::{Bench, START, row},
};
use board_protocol::{board::Row, ids::UnixMs, pipe::Down};

/// How often a link pings.
const PING_MS: u64 = 2_000;
/// A year and more: such an age does not change while a test looks.
const LONG_AGO_MS: u64 = 400 * 86_400_000;
/// The budget: no timer faster than once a second.
const FASTEST_MS: u64 = 1_000;

/// What zellij was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Cost {
    renders: usize,
    timers: usize,
    shortest_ms: u64,
}

/// Lets `seconds` pass as they do in a real pane: the link pings, and every timer that was asked for goes off.
fn cost_of(bench: &mut Bench, seconds: u64) -> Cost {
    let mut cost = Cost { shortest_ms: u64::MAX, ..Cost::default() };
    let end = bench.now.0 + seconds * 1_000;
    let mut timers: Vec<u64> = Vec::new();
    let mut ping = bench.now.0 + PING_MS;
    let mut number = 0;
    loop {
        let timer = timers.iter().copied().min().unwrap_or(u64::MAX);
        let next = timer.min(ping);
        if next > end {
            return cost;
        }
        bench.now = UnixMs(next);
        let effects = if next == ping {
            ping += PING_MS;
            number += 1;
            bench.down(Down::Ping { number })
        } else {
            timers.retain(|at| *at != next);
            bench.on(Input::Timer)
        };
        for effect in effects {
            match effect {
                Effect::Render => cost.renders += 1,
                Effect::SetTimer { after_ms } => {
                    cost.timers += 1;
                    cost.shortest_ms = cost.shortest_ms.min(after_ms);
                    timers.push(bench.now.0 + after_ms);
                }
                _ => {}
            }
        }
    }
}

fn quiet_rows() -> Vec<Row> {
    let long_ago = UnixMs(START.0 - LONG_AGO_MS);
    (0..200).map(|n| Row { last_activity_at_ms: long_ago, ..row(n) }).collect()
}

/// A board that was looked at for a while.
fn idle(rows: Vec<Row>) -> Bench {
    let mut bench = Bench::with_rows(rows);
    cost_of(&mut bench, 60);
    bench
}

#[test]
fn u7_an_idle_board_draws_nothing_and_has_no_timer_faster_than_once_a_second() {
    let mut bench = idle(quiet_rows());
    // A timer that was lost must not be what the silence is made of.
    bench.on(Input::Visible(Visibility::Hidden));
    bench.on(Input::Visible(Visibility::Shown));
    cost_of(&mut bench, 60);
    let cost = cost_of(&mut bench, 600);
    assert_eq!(cost.renders, 0, "{cost:?}");
    assert!((1..=600).contains(&cost.timers), "{cost:?}");
    assert!(cost.shortest_ms >= FASTEST_MS, "{cost:?}");
}

#[test]
fn an_idle_board_is_drawn_when_an_age_changes_and_then_only() {
    let mut bench = idle((0..200).map(row).collect());
    let cost = cost_of(&mut bench, 600);
    // Every row is of the same moment: one change a minute.
    assert_eq!(cost.renders, 10, "{cost:?}");
    assert!(cost.shortest_ms >= FASTEST_MS, "{cost:?}");
}

#[test]
fn a_hidden_board_asks_for_no_timer_and_no_frame() {
    let mut bench = idle(quiet_rows());
    bench.on(Input::Visible(Visibility::Hidden));
    cost_of(&mut bench, 60);
    let mut changed = row(7);
    changed.name = "renamed".into();
    let effects = bench.delta(1, vec![changed], &[]);
    assert!(!effects.contains(&Effect::Render), "{effects:?}");
    assert_eq!(cost_of(&mut bench, 600).timers, 0);
}

#[test]
fn what_the_board_counts_of_itself_stands_in_its_header_where_it_is_asked_for() {
    let mut bench = Bench::with_rows(quiet_rows());
    bench.key(crate::input::KeyCode::Down);
    assert!(!bench.text(24, 120).contains("keys"), "{}", bench.text(24, 120));
    bench.board.settings.shows_meters = true;
    let drawn = crate::meters::Drawn { at: bench.now, key_us: Some(1_234), memory_bytes: 3 << 20 };
    bench.board.drew(drawn);
    // A key that changes nothing else is counted and shown all the same.
    let effects = bench.key(crate::input::KeyCode::Other);
    assert!(effects.contains(&Effect::Render), "{effects:?}");
    let text = bench.text(24, 120);
    assert!(text.contains("keys 2 draws 1 timers 0 key 1234 us list 0 ms memory 3072 KiB"), "{text}");
}

#[test]
fn a_board_of_many_pages_is_drawn_with_its_first_and_its_last_page() {
    let mut bench = Bench::linked();
    let effects = bench.full(1, (0..200).map(row).collect());
    assert_eq!(effects.iter().filter(|effect| **effect == Effect::Render).count(), 2, "{effects:?}");
    assert!(bench.text(24, 120).contains("RUNNING 200"), "{}", bench.text(24, 120));
}

// What is shown while rows come in is what is there: a key must never act on a row that stands elsewhere by now.
#[test]
fn a_key_between_two_pages_finds_every_row_that_has_come() {
    let mut bench = Bench::linked();
    let mut page = |number: u32, rows: Vec<Row>| {
        bench.down(Down::Page {
            generation: crate::machine::samples::generation("daemon-1"),
            seq: board_protocol::ids::BoardSeq(1),
            page: number,
            pages: 4,
            rows,
            warnings: Vec::new(),
        })
    };
    page(0, (10..20).map(row).collect());
    // These stand above the ones that were drawn.
    assert!(!page(1, (0..10).map(row).collect()).contains(&Effect::Render));
    page(2, (20..30).map(row).collect());
    assert_eq!(bench.selected().as_deref(), Some("task-10"));
    bench.key(crate::input::KeyCode::Up);
    assert_eq!(bench.selected().as_deref(), Some("task-9"));
    assert!(bench.text(60, 120).contains("task-29"), "{}", bench.text(60, 120));
}

// Field report G5: with many sessions at work each key took seconds. Whatever comes between two keys, every key is one step and
// one frame, and what nobody sees is not drawn.
#[test]
fn g5_keys_between_updates_of_two_hundred_rows_each_move_one_row() {
    let mut bench = Bench::with_rows((0..200).map(row).collect());
    let mut base = 0;
    for step in 1..=100_u32 {
        for other in 0..5 {
            let n = (step * 7 + other * 31) % 200;
            let changed = Row { summary: format!("step {step}"), ..row(n) };
            let effects = bench.delta(base, vec![changed], &[]);
            base += 1;
            let renders = effects.iter().filter(|effect| **effect == Effect::Render).count();
            assert!(renders <= 1, "{effects:?}");
        }
        let before = bench.selected();
        let effects = bench.key(crate::input::KeyCode::Down);
        assert_eq!(effects.iter().filter(|effect| **effect == Effect::Render).count(), 1, "{effects:?}");
        assert_ne!(bench.selected(), before, "step {step}");
        assert_eq!(bench.selected().as_deref(), Some(format!("task-{step}").as_str()));
    }
    assert_eq!(bench.text(24, 80).lines().count(), 24);
}

//! The columns of rows: the same for every row of a board at a width, whatever stands on it (reference F.5).

use crate::{
    cells::width,
    machine::samples::{Bench, START, row},
};
use board_protocol::{
    board::{Reference, ReferenceKind, Row},
    evidence::Review,
    plan::PlanStatus,
    state::{Confidence, SemanticState},
    terminals::Waiting,
    text::stalled_words,
};
use proptest::prelude::*;
use unicode_width::UnicodeWidthChar;

fn any_needle() -> impl Strategy<Value = String> {
    "[a-z漢👩\\u{1b}\n\\u{202e} ]{0,90}"
}

/// A row with any combination of badges, perhaps a terminal of another one's agent.
fn any_row(n: u32) -> impl Strategy<Value = Row> {
    let counts = (0_u32..3, 0_u32..1_000, 0_u32..100_000, prop::option::of(0_u64..100_000_000));
    let flags = (any::<[bool; 6]>(), 0_usize..3, 0_usize..5, prop::option::of((any_needle(), 0_u32..2_000)));
    let below =
        prop::option::of(prop::sample::select((1..=9_u32).filter(move |of| *of != n).collect::<Vec<_>>()));
    let flags = (flags, below);
    let texts = ("[a-z漢é👩 ]{0,60}", "[a-z漢字 ]{0,200}", "(/[a-z漢]{1,30}){1,6}");
    (counts, flags, texts).prop_map(move |(counts, flags, texts)| {
        let (queued, errors, background, stalled_ms) = counts;
        let (([pinned, unread, plan, ready, rests, worktree], references, tags, waiting), below) = flags;
        let (name, summary, cwd) = texts;
        let reference = |at: usize| Reference {
            kind: if at == 0 { ReferenceKind::Issue } else { ReferenceKind::ChangeRequest },
            number: 7,
            label: format!("{}{}", if at == 0 { '#' } else { '!' }, 123_456_789_u64.pow(2)),
            confidence: if at == 0 { Confidence::High } else { Confidence::Low },
            url: None,
        };
        Row {
            name,
            summary,
            cwd,
            queued,
            errors,
            background,
            stalled_ms,
            pinned,
            unread,
            plan: if plan { PlanStatus::AwaitingApproval } else { PlanStatus::None },
            review: ready.then(|| Review { ready: true, commands: 3, ..Review::default() }),
            resumes_on_attach: rests,
            parent: below.map(|of| row(of).id),
            waiting: waiting.map(|(needle, count)| Waiting { needle, since_ms: START, count }),
            worktree: worktree.then(|| "side".to_owned()),
            references: (0..references).map(reference).collect(),
            tags: (0..tags).map(|at| format!("tag{at}")).collect(),
            state: SemanticState::Idle,
            ..row(n)
        }
    })
}

/// A row with every badge that there is.
fn all_badges() -> Row {
    let reference = |kind, label: &str, confidence| Reference {
        kind,
        number: 7,
        label: label.into(),
        confidence,
        url: Some("https://forge.example/o/r/7".into()),
    };
    Row {
        queued: 3,
        errors: 2,
        background: 1,
        stalled_ms: Some(14 * 60_000),
        pinned: true,
        waiting: Some(Waiting { needle: "PASS".into(), since_ms: START, count: 2 }),
        plan: PlanStatus::AwaitingApproval,
        review: Some(Review { ready: true, commands: 3, ..Review::default() }),
        resumes_on_attach: true,
        worktree: Some("side".into()),
        references: vec![
            reference(ReferenceKind::Issue, "#12", Confidence::High),
            reference(ReferenceKind::ChangeRequest, "!7", Confidence::Low),
        ],
        tags: vec!["api".into(), "web".into()],
        ..row(1)
    }
}

/// Every badge of [`all_badges`], in the order in which they go when there is no room: the last one first.
const IN_ORDER: [&str; 13] =
    ["14m", "⧖2", "!2", "q3", "π", "&1", "ready", "⌥", "#12", "!7", "~", "#api", "#web"];

/// The column of a text on the line that holds it, in cells.
fn column(line: &str, text: &str) -> Option<usize> {
    Some(width(line.get(..line.find(text)?)?))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn f5_columns_stand_where_they_stand_at_every_width(
        rows in (any_row(1), any_row(2), any_row(3)),
        columns in 20_usize..=500,
        mark in any::<bool>(),
    ) {
        let known = Row { state: SemanticState::Idle, cwd: "/srv/FOLDER".into(), ..row(9) };
        let rows = vec![rows.0, rows.1, rows.2, known];
        let mut bench = Bench::with_rows(rows);
        if mark {
            bench.char('m');
            bench.char('a');
        }
        let text = bench.text(40, columns);
        for line in text.lines() {
            // By clusters, and as zellij counts: character by character.
            prop_assert_eq!(width(line), columns, "{}", line);
            prop_assert_eq!(line.chars().map(|c| c.width().unwrap_or(99)).sum::<usize>(), columns, "{}", line);
        }
    }

    #[test]
    fn f5_badges_move_neither_folder_nor_age(mut decorated in any_row(1), columns in 32_usize..=500) {
        let plain = Row { name: "same".into(), cwd: "/srv/FOLDER".into(), state: SemanticState::Idle, ..row(2) };
        decorated = Row { parent: None, name: "same".into(), cwd: "/srv/FOLDER".into(), pinned: false, ..decorated };
        let bench = Bench::with_rows(vec![decorated, plain]);
        let text = bench.text(40, columns);
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("same")).collect();
        prop_assert_eq!(lines.len(), 2);
        prop_assert_eq!(column(lines[0], "FOLDER"), column(lines[1], "FOLDER"));
        for line in &lines {
            // The age ends one cell before the edge.
            prop_assert!(line.ends_with("now "), "{:?}", line);
        }
    }
}

#[test]
fn f5_badges_go_from_the_last_to_the_first_and_leave_the_sentence_half_its_room() {
    let bench = Bench::with_rows(vec![all_badges()]);
    let mut most = 0;
    for columns in 20..=500 {
        let text = bench.text(24, columns);
        let line = text.lines().find(|line| line.contains("task-1")).unwrap_or_else(|| panic!("{text}"));
        // Behind the name: the name holds none of these texts.
        let shown: Vec<bool> = IN_ORDER.iter().map(|badge| line.contains(&format!("{badge} "))).collect();
        let count = shown.iter().take_while(|shown| **shown).count();
        assert!(shown.iter().skip(count).all(|shown| !shown), "{columns}: {line}");
        most = most.max(count);
        if count > 0 {
            let badges = column(line, IN_ORDER[count - 1]).unwrap() + width(IN_ORDER[count - 1]);
            let end = columns.saturating_sub(6);
            let words = stalled_words(14 * 60_000);
            let start = column(line, &words).or_else(|| column(line, "⚠14m")).unwrap();
            assert!(badges - start <= (end - start) / 2, "{columns}: {line}");
        }
    }
    assert_eq!(most, IN_ORDER.len(), "a wide board shows them all");
}

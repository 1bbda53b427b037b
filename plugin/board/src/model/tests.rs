//! Pages, deltas, gaps, duplicates and the order of rows.

use super::*;
use crate::machine::samples::{generation, row};
use proptest::prelude::*;

fn page(seq: u64, page: u32, pages: u32, rows: Vec<Row>) -> Page {
    Page { generation: generation("d1"), seq: BoardSeq(seq), page, pages, rows, warnings: Vec::new() }
}

fn delta(base: u64, seq: u64, upserted: Vec<Row>, removed: &[u32]) -> Delta {
    let removed = removed.iter().map(|n| row(*n).id).collect();
    Delta {
        generation: generation("d1"),
        base: BoardSeq(base),
        seq: BoardSeq(seq),
        upserted,
        removed,
        warnings: None,
    }
}

fn names(model: &Model) -> Vec<String> {
    model.rows.iter().map(|row| row.name.to_string()).collect()
}

#[test]
fn pages_make_a_board_and_what_no_page_names_goes() {
    let mut model = Model::default();
    assert_eq!(model.apply_page(page(1, 0, 1, vec![row(1), row(2), row(3)])), Applied::Changed);
    assert_eq!(names(&model), ["task-1", "task-2", "task-3"]);
    assert_eq!(model.apply_page(page(4, 0, 2, vec![row(1)])), Applied::Changed);
    assert!(!model.is_complete());
    assert_eq!(
        names(&model),
        ["task-1", "task-2", "task-3"],
        "last known rows stay until the board is complete"
    );
    assert_eq!(model.apply_page(page(4, 1, 2, vec![row(4)])), Applied::Changed);
    assert_eq!(names(&model), ["task-1", "task-4"]);
    assert!(model.is_complete());
}

#[test]
fn duplicates_are_ignored_and_gaps_are_seen() {
    let mut model = Model::default();
    assert_eq!(model.apply_delta(delta(0, 1, vec![row(1)], &[])), Applied::Gap, "no board yet");
    assert_eq!(model.apply_page(page(2, 1, 2, vec![row(1)])), Applied::Gap, "a page without its first");
    model.apply_page(page(2, 0, 3, vec![row(1)]));
    assert_eq!(model.apply_page(page(2, 0, 3, vec![row(1)])), Applied::Ignored, "the same page again");
    assert_eq!(model.apply_page(page(2, 2, 3, vec![row(3)])), Applied::Gap, "a page is missing");
    assert!(!model.is_known());
    model.apply_page(page(2, 0, 1, vec![row(1)]));
    assert_eq!(model.apply_page(page(2, 0, 1, vec![row(1)])), Applied::Ignored, "the whole board again");
    assert_eq!(model.apply_page(page(1, 0, 1, vec![row(9)])), Applied::Ignored, "an older board");
    assert_eq!(model.apply_delta(delta(2, 3, vec![row(2)], &[])), Applied::Changed);
    assert_eq!(model.apply_delta(delta(2, 3, vec![row(2)], &[])), Applied::Ignored);
    assert_eq!(model.apply_delta(delta(4, 5, vec![row(5)], &[])), Applied::Gap);
    assert_eq!(names(&model), ["task-1", "task-2"]);
    let mut foreign = delta(3, 4, vec![row(5)], &[]);
    foreign.generation = generation("d2");
    assert_eq!(model.apply_delta(foreign), Applied::Gap, "another daemon");
}

#[test]
fn a_delta_during_a_paging_in_waits_for_its_end() {
    let mut model = Model::default();
    model.apply_page(page(1, 0, 1, vec![row(1)]));
    model.apply_page(page(5, 0, 2, vec![row(1)]));
    assert_eq!(
        model.apply_delta(delta(1, 2, vec![row(7)], &[])),
        Applied::Ignored,
        "the pages have it already"
    );
    assert_eq!(model.apply_delta(delta(5, 6, vec![row(7)], &[])), Applied::Gap);
    model.apply_page(page(5, 1, 2, vec![]));
    assert_eq!(names(&model), ["task-1"]);
}

// Field report L1: rows were reshuffled by activity, and the cursor lost its target.
#[test]
fn l1_activity_never_reorders() {
    let mut model = Model::default();
    model.apply_page(page(1, 0, 1, (1..=20).map(row).collect()));
    let before = names(&model);
    for seq in 2..200 {
        let mut changed = row((seq as u32 * 7) % 20 + 1);
        changed.last_activity_at_ms = UnixMs(1_000_000 + seq);
        changed.summary = format!("step {seq}");
        changed.unread = seq % 3 == 0;
        assert_eq!(model.apply_delta(delta(seq - 1, seq, vec![changed], &[])), Applied::Changed);
        assert_eq!(names(&model), before);
    }
}

proptest! {
    // Whatever comes in, the incremental counts and places equal those made from scratch.
    #[test]
    fn incremental_state_equals_a_recount(changes in proptest::collection::vec((0_u32..30, 0_usize..8, any::<bool>(), any::<bool>(), 0_u8..5), 1..120)) {
        let mut model = Model::default();
        model.apply_page(page(1, 0, 1, vec![]));
        for (seq, (n, state, pinned, unread, kind)) in (2_u64..).zip(changes) {
            let mut changed = row(n);
            changed.state = SemanticState::ALL[state];
            changed.pinned = pinned;
            changed.unread = unread;
            let change = match kind {
                0 => delta(seq - 1, seq, vec![], &[n]),
                _ => delta(seq - 1, seq, vec![changed], &[]),
            };
            prop_assert_eq!(model.apply_delta(change), Applied::Changed);
            prop_assert!(model.rows.is_sorted_by(|a, b| (a.order_key(), &a.id) < (b.order_key(), &b.id)));
            prop_assert_eq!(model.rows.len(), model.keys.len());
            prop_assert_eq!(model.unread, model.rows.iter().filter(|r| r.unread).count());
            for state in SemanticState::ALL {
                prop_assert_eq!(model.count(state), model.rows.iter().filter(|r| r.state == state).count());
            }
            for (index, row) in model.rows.iter().enumerate() {
                prop_assert_eq!(model.index_of(&row.id), Some(index));
            }
        }
    }
}

//! Subscribers at every pace end at the same board.

use super::*;
use crate::{
    client::WholeBoard,
    model::{Live, row, samples},
};

fn sample(number: usize) -> Row {
    let record = samples::after([]);
    Row { id: samples::session(&format!("{number:010x}")), ..row(&record, &Live::default()) }
}

fn renamed(number: usize, name: &str) -> Row {
    Row { name: name.to_owned(), ..sample(number) }
}

/// Takes updates as a careful reader does: each must follow the one before it.
fn take(shown: &mut WholeBoard, number: &mut BoardSeq, updates: Vec<BoardUpdate>) {
    for update in updates {
        match &update {
            BoardUpdate::Full { seq, .. } => *number = *seq,
            BoardUpdate::Delta { base, seq, .. } => {
                assert_eq!(*base, *number);
                assert!(seq > base);
                *number = *seq;
            }
        }
        shown.take(update);
    }
}

#[test]
fn the_first_update_is_everything_and_the_next_only_what_changed() {
    let mut board = Board::default();
    board.apply(vec![sample(1), sample(2)], vec![], None);
    let mut subscription = Subscription::default();
    assert!(matches!(
        subscription.catch_up(&board).as_slice(),
        [BoardUpdate::Full { rows, .. }] if rows.len() == 2
    ));
    assert_eq!(subscription.catch_up(&board), []);
    board.apply(vec![renamed(2, "new")], vec![], None);
    board.apply(vec![], vec![samples::session("0000000001")], None);
    // Two changes, one update.
    let updates = subscription.catch_up(&board);
    let [BoardUpdate::Delta { upserted, removed, warnings: None, .. }] = updates.as_slice() else {
        panic!("{updates:?}")
    };
    assert_eq!(upserted, &[renamed(2, "new")]);
    assert_eq!(removed, &[samples::session("0000000001")]);
}

// A link that lost its connection for a moment subscribed again, got a board with a lower number than the one that it
// had passed on, and every plugin ignored it and all that followed as old.
#[test]
fn a_second_connection_goes_on_with_the_numbers_of_the_first() {
    let mut board = Board::default();
    let mut first = Subscription::default();
    let mut number = BoardSeq(0);
    let mut shown = WholeBoard::default();
    for name in ["a", "b", "c"] {
        board.apply(vec![renamed(1, name)], vec![], None);
        take(&mut shown, &mut number, first.catch_up(&board));
    }
    let mut second = Subscription::default();
    let [BoardUpdate::Full { seq, .. }] = second.catch_up(&board)[..] else { panic!("everything first") };
    assert_eq!(seq, number, "the same board has the same number");
    board.apply(vec![renamed(1, "d")], vec![], None);
    let BoardUpdate::Full { seq, .. } = Subscription::default().catch_up(&board)[0] else { panic!() };
    assert!(seq > number);
    take(&mut shown, &mut number, first.catch_up(&board));
    assert_eq!(number, seq, "however it was reached");
}

#[test]
fn what_cannot_be_seen_is_no_change() {
    let mut board = Board::default();
    assert_eq!(board.apply(vec![sample(1)], vec![], None), Some(1));
    assert_eq!(board.apply(vec![sample(1)], vec![samples::session("0000000009")], Some(vec![])), None);
    let warning = Warning { text: "look".into() };
    assert_eq!(board.apply(vec![], vec![], Some(vec![warning])), Some(2));
}

#[test]
fn whoever_is_too_far_behind_gets_everything() {
    let mut board = Board::default();
    let mut subscription = Subscription::default();
    subscription.catch_up(&board);
    for number in 0..=REMEMBERED_REMOVALS {
        board.apply(vec![sample(number)], vec![], None);
        board.apply(vec![], vec![sample(number).id], None);
    }
    assert!(matches!(subscription.catch_up(&board).as_slice(), [BoardUpdate::Full { .. }]));
}

#[test]
fn a_large_board_comes_in_parts_that_fit_a_frame() {
    let mut board = Board::default();
    let wide = "漢".repeat(40);
    let rows = (0..MAX_UPDATE_ROWS * 2 + 5).map(|number| Row {
        summary: wide.clone(),
        cwd: "/".repeat(240),
        error: Some("é".repeat(240)),
        question: Some("é".repeat(240)),
        ..sample(number)
    });
    board.apply(rows.collect(), vec![], None);
    let updates = Subscription::default().catch_up(&board);
    assert_eq!(updates.len(), 3);
    let mut shown = WholeBoard::default();
    let mut number = BoardSeq(0);
    for update in &updates {
        let message = board_protocol::daemon::FromDaemon::Board(update.clone());
        board_protocol::frame::encode(&message).unwrap();
    }
    take(&mut shown, &mut number, updates);
    assert_eq!(shown.rows.len(), MAX_UPDATE_ROWS * 2 + 5);
}

proptest::proptest! {
    #[test]
    fn every_pace_ends_at_the_same_board(
        steps in proptest::collection::vec((0..3_u8, 0..6_usize, "[a-c]{1}", 0..3_u8), 1..60),
    ) {
        let mut board = Board::default();
        let mut readers: Vec<(Subscription, WholeBoard, BoardSeq)> =
            (0..3).map(|_| (Subscription::default(), WholeBoard::default(), BoardSeq(0))).collect();
        for (what, number, name, reader) in steps {
            match what {
                0 => board.apply(vec![renamed(number, &name)], vec![], None),
                1 => board.apply(vec![], vec![sample(number).id], None),
                _ => board.apply(vec![renamed(number, &name)], vec![sample(number + 1).id], Some(vec![Warning { text: name }])),
            };
            let (subscription, shown, seq) = &mut readers[usize::from(reader)];
            take(shown, seq, subscription.catch_up(&board));
        }
        for (subscription, shown, seq) in &mut readers {
            take(shown, seq, subscription.catch_up(&board));
            let mut rows: Vec<Row> = shown.rows.values().cloned().collect();
            rows.sort_by(row_order);
            proptest::prop_assert_eq!(&rows, &board.rows());
            proptest::prop_assert_eq!(&shown.warnings, &board.warnings);
        }
    }
}

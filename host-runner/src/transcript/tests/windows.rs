//! Pages and windows.

use super::*;
use crate::transcript::{PAGE_ITEMS, pieces};
use board_protocol::{
    pipe::{MAX_ANSWER_BYTES, PAGE_BYTES, QueryPart},
    transcript::TranscriptWindow,
};

fn of(texts: impl IntoIterator<Item = String>) -> Transcript {
    let item = |text| TranscriptItem {
        role: TranscriptRole::You,
        label: "you".into(),
        text,
        output: None,
        failed: false,
        at_ms: None,
    };
    Transcript { items: texts.into_iter().map(item).collect(), ..Transcript::default() }
}

fn numbers(parts: &[QueryPart]) -> (u32, Vec<u32>) {
    let Some(QueryPart::Transcript(head)) = parts.first() else { panic!("{parts:?}") };
    let mut numbers: Vec<u32> = parts[1..]
        .iter()
        .map(|part| match part {
            QueryPart::Said(piece) => piece.number,
            other => panic!("{other:?}"),
        })
        .collect();
    numbers.dedup();
    assert_eq!((head.first, head.count as usize), (*numbers.first().unwrap_or(&head.first), numbers.len()));
    (head.total, numbers)
}

#[test]
fn pages_are_counted_from_the_oldest_item_and_stay() {
    let long = of((0..120).map(|at| at.to_string()));
    assert_eq!((long.pages(), long.page(1), long.page(3), long.page(4)), (3, 0..50, 100..120, 120..120));
    assert_eq!((long.page(0), long.page(usize::MAX), long.newest()), (0..0, 120..120, 70..120));
    let longer = of((0..170).map(|at| at.to_string()));
    assert_eq!(longer.page(1), long.page(1));
    let none = of([]);
    assert_eq!((none.pages(), none.page(1), none.newest()), (1, 0..0, 0..0));
    assert_eq!(PAGE_ITEMS, 50);
}

#[test]
fn windows_follow_each_other_without_gap() {
    let transcript = of((0..350).map(|at| format!("{at} {}", "x".repeat(900))));
    let (total, newest) = numbers(&pieces(&transcript, TranscriptWindow::Newest));
    assert_eq!((total, newest.last()), (350, Some(&349)));
    let (_, before) = numbers(&pieces(&transcript, TranscriptWindow::Before(newest[0])));
    assert_eq!(before.last(), Some(&(newest[0] - 1)));
    let (_, again) = numbers(&pieces(&transcript, TranscriptWindow::From(before[0])));
    assert_eq!(again, before);
    assert_eq!(numbers(&pieces(&transcript, TranscriptWindow::Before(0))).1, Vec::<u32>::new());
    assert_eq!(numbers(&pieces(&transcript, TranscriptWindow::From(999))).1, Vec::<u32>::new());
    assert_eq!(numbers(&pieces(&of([]), TranscriptWindow::Newest)), (0, vec![]));
}

#[test]
fn a_very_long_item_comes_in_pieces_that_fit() {
    let transcript = of(["\"\n漢".repeat(20_000), "end".into()]);
    let parts = pieces(&transcript, TranscriptWindow::Before(1));
    let mut text = String::new();
    for part in &parts[1..] {
        assert!(serde_json::to_vec(part).unwrap().len() < PAGE_BYTES - 512);
        if let QueryPart::Said(piece) = part {
            text.push_str(&piece.item.text);
        }
    }
    assert!(parts.len() > 3 && text.len() > 12_000, "{} parts, {} bytes", parts.len(), text.len());
    assert!(transcript.items[0].text.starts_with(text.trim_end_matches('…')) && text.ends_with('…'));
}

proptest! {
    #[test]
    fn every_window_fits_an_answer(
        sizes in proptest::collection::vec(0_usize..30_000, 0..80),
        at in 0_u32..90,
    ) {
        let transcript = of(sizes.iter().map(|size| "a\n\"".repeat(size / 3)));
        for window in [TranscriptWindow::Newest, TranscriptWindow::From(at), TranscriptWindow::Before(at)] {
            let bytes: usize = pieces(&transcript, window)
                .iter()
                .map(|part| serde_json::to_vec(part).unwrap().len())
                .sum();
            prop_assert!(bytes < MAX_ANSWER_BYTES - 4_096, "{bytes}");
        }
    }
}

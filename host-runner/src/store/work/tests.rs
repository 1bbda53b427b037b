//! Evidence in a real file: upserts, bounds, removal, the next start.

use super::*;
use crate::{
    model::{
        FactKind, Sessions, apply,
        samples::{begin, fact, session},
    },
    store::Batch,
};
use board_protocol::evidence::{Claim, CommandEvidence, CommandStatus, ErrorEvidence};
use board_protocol::run::RunUsage;

const ONE: &str = "0000000001";

fn open(directory: &std::path::Path) -> Store {
    Store::open(&directory.join("board.db"), "now").unwrap().store
}

fn error(at: u64) -> EvidenceItem {
    let (source, message) = ("tool".into(), format!("failure {at}"));
    EvidenceItem::Error(ErrorEvidence { at_ms: UnixMs(at), source, message, tool: None })
}

fn command(id: &str, status: CommandStatus) -> EvidenceItem {
    EvidenceItem::Command(CommandEvidence {
        id: id.into(),
        at_ms: UnixMs(1),
        command: "make".into(),
        kind: Default::default(),
        status,
        exit_code: None,
        duration_ms: None,
        output_preview: None,
    })
}

fn batch(session: &SessionId, items: impl IntoIterator<Item = EvidenceItem>) -> Batch {
    let work = items.into_iter().map(|item| (session.clone(), UnixMs(9), item));
    Batch { work: work.collect(), ..Batch::default() }
}

#[test]
fn a8_an_item_of_the_same_place_is_one_row_within_a_commit_and_across_starts() {
    let directory = tempfile::tempdir().unwrap();
    let one = session(ONE);
    let mut store = open(directory.path());
    let usage = EvidenceItem::Usage(RunUsage { tools: 1, ..RunUsage::default() });
    let items = [command("a", CommandStatus::Started), usage.clone(), command("a", CommandStatus::Failed)];
    store.commit(&batch(&one, items), &Sessions::new()).unwrap();
    drop(store);
    let mut store = open(directory.path());
    let claim = EvidenceItem::Claim(Claim { at_ms: UnixMs(3), text: "Done.".into() });
    let items = [command("b", CommandStatus::Passed), claim.clone(), claim.clone(), usage];
    store.commit(&batch(&one, items), &Sessions::new()).unwrap();
    let kept = store.work(&one).unwrap();
    let expected = [claim, command("b", CommandStatus::Passed), command("a", CommandStatus::Failed)];
    assert_eq!(kept, expected);
    let tally = store.tally(&one).unwrap().clone();
    assert_eq!((tally.commands, tally.failed_commands, tally.usage.tools), (2, 1, 2));
    drop(store);
    assert_eq!(open(directory.path()).tally(&one), Some(&tally));
}

#[test]
fn a8_the_oldest_of_too_many_go_and_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    let (one, other) = (session(ONE), session("0000000002"));
    let mut store = open(directory.path());
    store.commit(&batch(&other, [error(1)]), &Sessions::new()).unwrap();
    let total = u64::from(Kept::Error.limit()) + 30;
    for at in 0..total {
        store.commit(&batch(&one, [error(at)]), &Sessions::new()).unwrap();
        let rows = store.work(&one).unwrap().len();
        assert!(rows <= Kept::Error.limit() as usize, "{rows}");
        let tally = store.tally(&one).unwrap();
        assert_eq!((u64::from(tally.errors), tally.dropped), (at + 1, at + 1 - rows as u64));
    }
    assert_eq!(store.work(&one).unwrap().first(), Some(&error(total - 1)));
    assert_eq!(store.work(&other).unwrap(), [error(1)], "no other session pays for it");
}

#[test]
fn a_failed_commit_counts_nothing_and_a_removed_session_keeps_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let one = session(ONE);
    let mut store = open(directory.path());
    store
        .connection
        .execute_batch("CREATE TRIGGER no BEFORE INSERT ON reviews BEGIN SELECT RAISE(ABORT, 'no'); END")
        .unwrap();
    assert!(store.commit(&batch(&one, [error(1)]), &Sessions::new()).is_err());
    assert_eq!((store.tally(&one), store.work(&one).unwrap()), (None, Vec::new()));
    store.connection.execute_batch("DROP TRIGGER no").unwrap();
    let mut sessions = Sessions::new();
    let begun = begin(ONE, "sample");
    apply(&mut sessions, &begun);
    let both = Batch { facts: vec![begun], ..batch(&one, [error(1)]) };
    store.commit(&both, &sessions).unwrap();
    assert_eq!(store.work(&one).unwrap(), [error(1)]);
    let removed = fact(ONE, 2, FactKind::SessionRemoved);
    apply(&mut sessions, &removed);
    // What came in the same turn goes as well.
    let both = Batch { facts: vec![removed], ..batch(&one, [error(2)]) };
    store.commit(&both, &sessions).unwrap();
    assert_eq!((store.tally(&one), store.work(&one).unwrap()), (None, Vec::new()));
    drop(store);
    assert_eq!(open(directory.path()).tally(&one), None);
}

#[test]
fn all_sessions_together_are_bounded_and_the_oldest_keeps_its_sums() {
    let directory = tempfile::tempdir().unwrap();
    let mut store = open(directory.path());
    store.commit(&batch(&session("0000000001"), [error(1)]), &Sessions::new()).unwrap();
    // A store that is nearly full, as its sums tell.
    let full: Tally = serde_json::from_value(serde_json::json!({
        "errors": MAX_ROWS, "kept": [0, 0, MAX_ROWS, 0], "updated_at": 20
    }))
    .unwrap();
    store.tallies.insert(session("0000000002"), full);
    store.commit(&batch(&session("0000000003"), [error(3)]), &Sessions::new()).unwrap();
    let oldest = store.tally(&session("0000000001")).unwrap();
    assert_eq!((oldest.errors, oldest.all_kept(), oldest.dropped), (1, 0, 1));
    assert_eq!(store.work(&session("0000000001")).unwrap(), []);
    assert_eq!(store.work(&session("0000000003")).unwrap(), [error(3)]);
}

//! What is kept and counted.

use super::*;
use board_protocol::evidence::{Claim, CommandKind, ErrorEvidence, FileChange};

fn command(id: &str, line: &str, at: u64, status: CommandStatus) -> CommandEvidence {
    CommandEvidence {
        id: id.into(),
        at_ms: UnixMs(at),
        command: line.into(),
        kind: CommandKind::Test,
        status,
        exit_code: None,
        duration_ms: None,
        output_preview: None,
    }
}

fn file(action: FileAction, at: u64) -> EvidenceItem {
    EvidenceItem::FileChange(FileChange {
        path: "a.rs".into(),
        action,
        tool: "edit".into(),
        first_seen_at_ms: UnixMs(at),
        last_seen_at_ms: UnixMs(at),
        count: 1,
    })
}

fn claim(text: &str) -> EvidenceItem {
    EvidenceItem::Claim(Claim { at_ms: UnixMs(1), text: text.into() })
}

#[test]
fn a8_a_command_is_one_by_its_id_and_what_is_known_stays() {
    let mut tally = Tally::default();
    let began = command("t", "npm test", 1_000, CommandStatus::Started);
    let kept = tally.take(EvidenceItem::Command(began), None, UnixMs(1_000));
    // Its beginning was forgotten when the daemon was started again.
    let mut end = command("t", "", 4_000, CommandStatus::Failed);
    (end.exit_code, end.output_preview) = (Some(1), Some("2 failed".into()));
    end.kind = CommandKind::Other;
    let kept = tally.take(EvidenceItem::Command(end), kept, UnixMs(4_000));
    let mut whole = command("t", "npm test", 1_000, CommandStatus::Failed);
    (whole.exit_code, whole.duration_ms) = (Some(1), Some(3_000));
    whole.output_preview = Some("2 failed".into());
    assert_eq!(kept, Some(EvidenceItem::Command(whole.clone())));
    assert_eq!((tally.commands, tally.failed_commands, tally.kept(Kept::Command)), (1, 1, 1));
    // That it never ended comes too late.
    let unknown = EvidenceItem::Command(command("t", "npm test", 1_000, CommandStatus::Unknown));
    assert_eq!(tally.take(unknown, kept, UnixMs(5_000)), Some(EvidenceItem::Command(whole)));
    assert_eq!((tally.commands, tally.failed_commands), (1, 1));
}

#[test]
fn a8_a_file_counts_up_and_says_what_was_done_last() {
    let mut tally = Tally::default();
    let mut kept = None;
    for (action, at) in [(FileAction::Written, 5), (FileAction::Edited, 9), (FileAction::Unknown, 7)] {
        kept = tally.take(file(action, at), kept, UnixMs(at));
    }
    let Some(EvidenceItem::FileChange(kept)) = kept else { panic!("no file") };
    assert_eq!((kept.count, kept.action), (3, FileAction::Edited));
    assert_eq!((kept.first_seen_at_ms, kept.last_seen_at_ms), (UnixMs(5), UnixMs(9)));
    assert_eq!((tally.files, tally.updated_at), (1, UnixMs(9)));
}

#[test]
fn a8_the_last_claim_is_the_summary() {
    let mut tally = Tally::default();
    for text in ["first".to_owned(), "last ".repeat(100)] {
        tally.take(claim(&text), None, UnixMs(1));
    }
    let length = |text: &Option<String>| text.as_ref().map(|text| text.chars().count());
    assert!(length(&tally.latest_claim).is_some_and(|length| (170..=180).contains(&length)));
    assert!(length(&tally.summary).is_some_and(|length| (230..=240).contains(&length)));
    assert_eq!(place(&claim("x")).map(|place| place.key), place(&claim("x")).map(|place| place.key));
}

#[test]
fn a8_usage_adds_up_and_has_no_row() {
    let mut tally = Tally::default();
    let usage = RunUsage { read: 5, written: 2, cost_micros: None, turns: 1, tools: 0 };
    let dear = RunUsage { cost_micros: Some(7), ..usage };
    for usage in [usage, dear, dear] {
        assert_eq!(place(&EvidenceItem::Usage(usage)), None);
        assert_eq!(tally.take(EvidenceItem::Usage(usage), None, UnixMs(1)), None);
    }
    assert_eq!(tally.usage, RunUsage { read: 15, written: 6, cost_micros: Some(14), turns: 3, tools: 0 });
    assert_eq!(tally.all_kept(), 0);
}

#[test]
fn what_was_dropped_is_counted_and_the_counts_stay() {
    let mut tally = Tally::default();
    for at in 0..5 {
        let error =
            ErrorEvidence { at_ms: UnixMs(at), source: "tool".into(), message: "x".into(), tool: None };
        tally.take(EvidenceItem::Error(error), None, UnixMs(at));
    }
    tally.trimmed(Kept::Error, 3);
    assert_eq!((tally.errors, tally.kept(Kept::Error), tally.dropped), (5, 3, 2));
    for kind in Kept::ALL {
        assert!(0 < kind.after_trim() && kind.after_trim() < kind.limit(), "{kind:?}");
    }
}

//! Everything that types cannot say about a command, with the code of reference C.5 that it had.

use super::*;
use board_protocol::{
    ids::{CommandId, ProcessIdentity, SessionId, UnixMs},
    run::{RunBeat, RunEnd, RunEnding, RunUsage},
    state::{ClassificationKind, ClassifierKind, CommandSource, Confidence},
};

fn envelope(id: &str, command: Command) -> CommandEnvelope {
    CommandEnvelope {
        command_id: CommandId(id.into()),
        command,
        environment: None,
        source: CommandSource::Run,
        expected_revision: None,
    }
}

fn report(run: &str, report: RunReport) -> Command {
    Command::ReportRun { session: SessionId("0000000001".into()), run: RunId(run.into()), report }
}

fn classify(change: fn(&mut Classification)) -> Command {
    let mut classification = Classification {
        kind: ClassificationKind::InProgress,
        confidence: Confidence::High,
        by: ClassifierKind::Model,
        reason: "r".repeat(MAX_REASON_CHARACTERS),
        question: Some("q".repeat(MAX_QUESTION_CHARACTERS)),
        text_hash: "0123456789ab".into(),
    };
    change(&mut classification);
    Command::Classify { session: SessionId("0000000001".into()), classification }
}

fn end(change: fn(&mut RunEnd)) -> Command {
    let mut end = RunEnd {
        ended_at_ms: UnixMs(9),
        exit_code: Some(0),
        stop: None,
        ending: RunEnding::Itself,
        text: None,
        last_agent_activity_at_ms: Some(UnixMs(9)),
        error: None,
        usage: RunUsage::default(),
    };
    change(&mut end);
    report("r", RunReport::Finalized(end))
}

#[test]
fn what_is_no_command_is_named() {
    let long = || "x".repeat(MAX_RUN_TEXT_BYTES + 1);
    let start = |prompt: usize, pid| RunStart {
        prompt: "p".repeat(prompt),
        process: Some(ProcessIdentity { pid, start_ticks: 1 }),
        ..RunStart::default()
    };
    let beat = |beat| report("r", RunReport::Progressed(beat));
    let table: Vec<(CommandEnvelope, Option<&str>)> = vec![
        (envelope("c", report("r", RunReport::Queued)), None),
        (envelope("", report("r", RunReport::Queued)), Some("missing_commandId")),
        (envelope("a\nb", report("r", RunReport::Queued)), Some("missing_commandId")),
        (envelope(&"c".repeat(MAX_ID_BYTES + 1), report("r", RunReport::Queued)), Some("missing_commandId")),
        (envelope("c", report("", RunReport::Queued)), Some("missing_runId")),
        (envelope("c", Command::Visit { session: SessionId(String::new()) }), Some("missing_viewId")),
        (envelope("c", Command::Visit { session: SessionId("0000000001".into()) }), None),
        // What is not remembered needs no name.
        (envelope("", beat(RunBeat::default())), None),
        (envelope("", beat(RunBeat { doing: Some(long()), ..RunBeat::default() })), Some("bad_status")),
        (envelope("", beat(RunBeat { start: Some(start(1, 0)), ..RunBeat::default() })), Some("bad_status")),
        (envelope("c", report("r", RunReport::Started(start(MAX_RUN_PROMPT_BYTES, 7)))), None),
        (
            envelope("c", report("r", RunReport::Started(start(MAX_RUN_PROMPT_BYTES + 1, 7)))),
            Some("bad_status"),
        ),
        (envelope("c", report("r", RunReport::FollowedUp(start(1, 0)))), Some("bad_status")),
        (envelope("c", end(|_| {})), None),
        (envelope("c", end(|end| end.text = Some("x".repeat(MAX_RUN_TEXT_BYTES + 1)))), Some("bad_status")),
        (
            envelope("c", end(|end| end.last_agent_activity_at_ms = Some(UnixMs(10)))),
            Some("bad_lastAgentActivityAt"),
        ),
        (envelope("c", report("r", RunReport::PlanReady { question: None, plan: None })), None),
        (
            envelope("c", report("r", RunReport::PlanReady { question: Some(" ".into()), plan: None })),
            Some("bad_question"),
        ),
        (
            envelope("c", report("r", RunReport::Patched { summary: Some(long()), preview: None })),
            Some("bad_payload"),
        ),
        (envelope("c", classify(|_| {})), None),
        (envelope("c", classify(|result| result.reason.push('r'))), Some("bad_classification")),
        (
            envelope("c", classify(|result| result.question = Some("q".repeat(241)))),
            Some("bad_classification"),
        ),
        (envelope("c", classify(|result| result.text_hash = "0123".into())), Some("bad_classification")),
        (
            envelope("c", classify(|result| result.text_hash = "0123456789xy".into())),
            Some("bad_classification"),
        ),
    ];
    for (envelope, code) in table {
        let found = validate(&envelope).err();
        match (&found, code) {
            (None, None) => {}
            (Some(refusal), Some(code)) => {
                assert_eq!(refusal.kind, RefusalKind::BadInput);
                assert!(refusal.text.ends_with(&format!("({code})")), "{refusal}: {envelope:?}");
            }
            other => panic!("{other:?}: {envelope:?}"),
        }
    }
}

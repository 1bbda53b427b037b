//! What a journal holds is read for ever: these lines are add-only, like the golden samples of the protocol.

use super::*;
use crate::{
    agents::event::{Asker, Ending, InputSource, SessionStart},
    model::{
        SessionRecord, Sessions, apply,
        news::{AgentSession, SettledNews, Spoken, Tokens},
        run::RunFinished,
        samples,
    },
};
use board_protocol::{
    daemon::ReplyKind,
    host::AttachMode,
    run::{RunEnding, RunKind, RunStop},
    state::{ClassificationKind, ClassifierKind, Confidence},
};

const GENERATION: &str = "11111111-aaaa";
const EVERY_NEWS: &str = r#"{"agent_reported":{"generation":"11111111-aaaa","seq":2,"place":{"boot":"1-a","seq":4},"news":[{"session_began":{"start":"startup","id":"a1","transcript":"/s.jsonl","model":"fake/m"}},{"model_changed":{"model":"fake/n"}},{"input_given":{"source":"person"}},"work_began",{"spoke":{"preview":"Which one?","question":"Which one?","tokens":{"read":100,"written":10,"cost_micros":7},"error":null,"done":true,"model":null}},{"question_asked":{"id":"q","text":"Which?","by":"tool"}},{"question_closed":{"id":"q"}},{"settled":{"ending":"finished","preview":"Done.","question":null,"error":null}}]}}"#;

/// One of each.
fn every_news() -> Vec<AgentNews> {
    vec![
        AgentNews::SessionBegan(Box::new(AgentSession {
            start: SessionStart::Startup,
            id: Some("a1".into()),
            transcript: Some("/s.jsonl".into()),
            model: Some("fake/m".into()),
        })),
        AgentNews::ModelChanged { model: "fake/n".into() },
        AgentNews::InputGiven { source: InputSource::Person },
        AgentNews::WorkBegan,
        AgentNews::Spoke(Box::new(Spoken {
            preview: Some("Which one?".into()),
            question: Some("Which one?".into()),
            tokens: Tokens { read: 100, written: 10, cost_micros: Some(7) },
            error: None,
            done: true,
            model: None,
            text_hash: None,
        })),
        AgentNews::QuestionAsked { id: "q".into(), text: "Which?".into(), by: Asker::Tool },
        AgentNews::QuestionClosed { id: "q".into() },
        AgentNews::Settled(Box::new(SettledNews {
            ending: Ending::Finished,
            preview: Some("Done.".into()),
            question: None,
            error: None,
            text_hash: None,
        })),
    ]
}

/// The name of each kind on disk. A kind that is added does not compile here before it has one.
fn name(kind: &FactKind) -> &'static str {
    match kind {
        FactKind::SessionBegun(_) => "session_begun",
        FactKind::SessionBegunAgain { .. } => "session_begun_again",
        FactKind::SessionResumed { .. } => "session_resumed",
        FactKind::HostSpawned { .. } => "host_spawned",
        FactKind::HostSpawnFailed { .. } => "host_spawn_failed",
        FactKind::HostRegistered(_) => "host_registered",
        FactKind::HostLost { .. } => "host_lost",
        FactKind::ChildStarted { .. } => "child_started",
        FactKind::ChildStartFailed { .. } => "child_start_failed",
        FactKind::ChildExited { .. } => "child_exited",
        FactKind::AttachedChanged { .. } => "attached_changed",
        FactKind::AgentReported { .. } => "agent_reported",
        FactKind::SessionInterrupted => "session_interrupted",
        FactKind::StopRequested { .. } => "stop_requested",
        FactKind::SessionVisited => "session_visited",
        FactKind::SessionUnvisited => "session_unvisited",
        FactKind::SessionRenamed { .. } => "session_renamed",
        FactKind::PinSet { .. } => "pin_set",
        FactKind::TagsSet { .. } => "tags_set",
        FactKind::ReplyQueued { .. } => "reply_queued",
        FactKind::ReplyEdited { .. } => "reply_edited",
        FactKind::ReplyMoved { .. } => "reply_moved",
        FactKind::ReplyRemoved { .. } => "reply_removed",
        FactKind::ReplyHurried { .. } => "reply_hurried",
        FactKind::ReplySent { .. } => "reply_sent",
        FactKind::ReplyProgressed { .. } => "reply_progressed",
        FactKind::ReplyTraced { .. } => "reply_traced",
        FactKind::SessionRemoved => "session_removed",
        FactKind::MarkedCompleted => "marked_completed",
        FactKind::MarkedHolding => "marked_holding",
        FactKind::HoldingCleared => "holding_cleared",
        FactKind::VerdictLifted { .. } => "verdict_lifted",
        FactKind::AutoStateClassified { .. } => "auto_state_classified",
        FactKind::HostReclaimed { .. } => "host_reclaimed",
        FactKind::StraysEnded { .. } => "strays_ended",
        FactKind::RunQueued { .. } => "run_queued",
        FactKind::RunSpawned { .. } => "run_spawned",
        FactKind::RunConversed { .. } => "run_conversed",
        FactKind::RunStarted { .. } => "run_started",
        FactKind::RunFinalized { .. } => "run_finalized",
        FactKind::RunLost { .. } => "run_lost",
        FactKind::PlanReady { .. } => "plan_ready",
        FactKind::RunPatched { .. } => "run_patched",
        FactKind::PlanMoved(_) => "plan_moved",
        FactKind::TitleGiven { .. } => "title_given",
        FactKind::Summarised { .. } => "summarised",
        FactKind::SessionAdopted => "session_adopted",
        FactKind::Fenced(_) => "fenced",
    }
}

fn samples() -> Vec<(FactKind, &'static str)> {
    let generation = || Generation(GENERATION.into());
    let item = || QueueItemId("00000000aa".into());
    let process = samples::process(7);
    let stray = Stray { process, command: "sleep".into() };
    let client = AttachedClient { mode: AttachMode::ReadOnly, place: None };
    let seq = FactSeq(2);
    let run = || RunId("run_1".into());
    vec![
        (
            samples::begin("0000000001", "sample").kind,
            r#"{"session_begun":{"name":"sample","agent":"generic","launch":{"task":"make all"},"argv":["/bin/sh","-c","make all"],"words":"make all","cwd":"/tmp","size":{"cols":120,"rows":36},"generation":"11111111-aaaa","environment_at":5}}"#,
        ),
        (
            FactKind::SessionBegunAgain {
                generation: generation(),
                argv: vec!["make".into()],
                environment_at: UnixMs(5),
            },
            r#"{"session_begun_again":{"generation":"11111111-aaaa","argv":["make"],"environment_at":5}}"#,
        ),
        (
            FactKind::SessionResumed {
                generation: generation(),
                argv: vec!["pi".into()],
                environment_at: UnixMs(5),
            },
            r#"{"session_resumed":{"generation":"11111111-aaaa","argv":["pi"],"environment_at":5}}"#,
        ),
        (
            FactKind::HostSpawned { generation: generation(), process },
            r#"{"host_spawned":{"generation":"11111111-aaaa","process":{"pid":7,"start_ticks":70}}}"#,
        ),
        (
            FactKind::HostSpawnFailed { generation: generation(), reason: "no".into() },
            r#"{"host_spawn_failed":{"generation":"11111111-aaaa","reason":"no"}}"#,
        ),
        (
            FactKind::HostRegistered(HostMet {
                generation: generation(),
                process,
                child: Some(process),
                socket: "/x.sock".into(),
                attached: vec![client.clone()],
            }),
            r#"{"host_registered":{"generation":"11111111-aaaa","process":{"pid":7,"start_ticks":70},"child":{"pid":7,"start_ticks":70},"socket":"/x.sock","attached":[{"mode":"read_only","place":null}]}}"#,
        ),
        (
            FactKind::HostLost { generation: generation(), reason: "no".into(), strays: vec![stray.clone()] },
            r#"{"host_lost":{"generation":"11111111-aaaa","reason":"no","strays":[{"process":{"pid":7,"start_ticks":70},"command":"sleep"}]}}"#,
        ),
        (
            FactKind::ChildStarted { generation: generation(), seq, child: process },
            r#"{"child_started":{"generation":"11111111-aaaa","seq":2,"child":{"pid":7,"start_ticks":70}}}"#,
        ),
        (
            FactKind::ChildStartFailed { generation: generation(), seq, error: "no".into() },
            r#"{"child_start_failed":{"generation":"11111111-aaaa","seq":2,"error":"no"}}"#,
        ),
        (
            FactKind::ChildExited {
                generation: generation(),
                seq,
                exit: Exit::Signal(9),
                strays: vec![stray.clone()],
                reason: None,
            },
            r#"{"child_exited":{"generation":"11111111-aaaa","seq":2,"exit":{"signal":9},"strays":[{"process":{"pid":7,"start_ticks":70},"command":"sleep"}]}}"#,
        ),
        (
            FactKind::AttachedChanged { generation: generation(), seq, attached: vec![client] },
            r#"{"attached_changed":{"generation":"11111111-aaaa","seq":2,"attached":[{"mode":"read_only","place":null}]}}"#,
        ),
        (
            FactKind::AgentReported {
                generation: generation(),
                seq: Some(seq),
                place: Some(Place { boot: "1-a".into(), seq: 4 }),
                news: every_news(),
            },
            EVERY_NEWS,
        ),
        (FactKind::SessionInterrupted, r#""session_interrupted""#),
        (FactKind::StopRequested { then: AfterStop::Removed }, r#"{"stop_requested":{"then":"removed"}}"#),
        (FactKind::SessionVisited, r#""session_visited""#),
        (FactKind::SessionUnvisited, r#""session_unvisited""#),
        (FactKind::SessionRenamed { name: "new".into() }, r#"{"session_renamed":{"name":"new"}}"#),
        (FactKind::PinSet { pin: Pin::Pinned }, r#"{"pin_set":{"pin":"pinned"}}"#),
        (FactKind::TagsSet { tags: vec!["later".into()] }, r#"{"tags_set":{"tags":["later"]}}"#),
        (
            FactKind::ReplyQueued {
                item: item(),
                text: "go on".into(),
                delivery: ReplyDelivery::Auto,
                kind: ReplyKind::Reply,
            },
            r#"{"reply_queued":{"item":"00000000aa","text":"go on","delivery":"auto"}}"#,
        ),
        (
            FactKind::ReplyEdited { item: item(), text: "stop".into() },
            r#"{"reply_edited":{"item":"00000000aa","text":"stop"}}"#,
        ),
        (
            FactKind::ReplyMoved { item: item(), place: 1 },
            r#"{"reply_moved":{"item":"00000000aa","place":1}}"#,
        ),
        (
            FactKind::ReplyHurried { item: item(), again_as: None },
            r#"{"reply_hurried":{"item":"00000000aa"}}"#,
        ),
        (
            FactKind::ReplySent { generation: generation(), item: item() },
            r#"{"reply_sent":{"generation":"11111111-aaaa","item":"00000000aa"}}"#,
        ),
        (
            FactKind::ReplyProgressed {
                generation: generation(),
                seq: FactSeq(3),
                item: item(),
                progress: DeliveryProgress::Refused { reason: "no".into() },
            },
            r#"{"reply_progressed":{"generation":"11111111-aaaa","seq":3,"item":"00000000aa","progress":{"refused":{"reason":"no"}}}}"#,
        ),
        (
            FactKind::ReplyTraced { generation: generation(), item: item(), trace: ReplyTrace::Unknown },
            r#"{"reply_traced":{"generation":"11111111-aaaa","item":"00000000aa","trace":"unknown"}}"#,
        ),
        (
            FactKind::ReplyHurried { item: item(), again_as: Some(QueueItemId("00000000bb".into())) },
            r#"{"reply_hurried":{"item":"00000000aa","again_as":"00000000bb"}}"#,
        ),
        (FactKind::ReplyRemoved { item: item() }, r#"{"reply_removed":{"item":"00000000aa"}}"#),
        (FactKind::MarkedCompleted, r#""marked_completed""#),
        (FactKind::MarkedHolding, r#""marked_holding""#),
        (FactKind::HoldingCleared, r#""holding_cleared""#),
        (
            FactKind::VerdictLifted { generation: Some(generation()), seq: Some(seq), by: Lift::Typed },
            r#"{"verdict_lifted":{"generation":"11111111-aaaa","seq":2,"by":"typed"}}"#,
        ),
        (
            FactKind::VerdictLifted { generation: None, seq: None, by: Lift::Replied },
            r#"{"verdict_lifted":{"generation":null,"seq":null,"by":"replied"}}"#,
        ),
        (
            FactKind::AutoStateClassified {
                classification: Classification {
                    kind: ClassificationKind::NeedsInput,
                    confidence: Confidence::High,
                    by: ClassifierKind::Model,
                    reason: "it asks".into(),
                    question: Some("Which?".into()),
                    text_hash: "0123456789ab".into(),
                },
                state: SemanticState::NeedsInput,
            },
            r#"{"auto_state_classified":{"classification":{"kind":"needs_input","confidence":"high","by":"model","reason":"it asks","question":"Which?","text_hash":"0123456789ab"},"state":"needs_input"}}"#,
        ),
        (
            FactKind::HostReclaimed { generation: generation(), seq },
            r#"{"host_reclaimed":{"generation":"11111111-aaaa","seq":2}}"#,
        ),
        (
            FactKind::StraysEnded { left: vec![stray] },
            r#"{"strays_ended":{"left":[{"process":{"pid":7,"start_ticks":70},"command":"sleep"}]}}"#,
        ),
        (
            FactKind::RunQueued { run: run(), item: None, environment_at: None },
            r#"{"run_queued":{"run":"run_1"}}"#,
        ),
        (
            FactKind::RunQueued { run: run(), item: None, environment_at: Some(UnixMs(9)) },
            r#"{"run_queued":{"run":"run_1","environment_at":9}}"#,
        ),
        (
            FactKind::RunSpawned { run: run(), process },
            r#"{"run_spawned":{"run":"run_1","process":{"pid":7,"start_ticks":70}}}"#,
        ),
        (
            FactKind::RunConversed {
                run: run(),
                conversation: Some("c".into()),
                transcript: Some("/t".into()),
                model: None,
            },
            r#"{"run_conversed":{"run":"run_1","conversation":"c","transcript":"/t","model":null}}"#,
        ),
        (
            FactKind::RunStarted {
                run: run(),
                start: RunStart {
                    kind: RunKind::Reply,
                    prompt: "go on".into(),
                    model: Some("fake/m".into()),
                    process: Some(process),
                    started_at_ms: UnixMs(5),
                },
                cause: RunCause::FollowedUp,
            },
            r#"{"run_started":{"run":"run_1","start":{"kind":"reply","prompt":"go on","model":"fake/m","process":{"pid":7,"start_ticks":70},"started_at_ms":5},"cause":"followed_up"}}"#,
        ),
        (
            FactKind::RunFinalized {
                run: run(),
                end: Box::new(RunFinished {
                    ended_at: UnixMs(9),
                    exit_code: Some(0),
                    stop: Some(RunStop::Done),
                    ending: RunEnding::Itself,
                    preview: Some("Which one?".into()),
                    question: Some("Which one?".into()),
                    text_hash: Some("0123456789ab".into()),
                    last_agent_activity_at: Some(UnixMs(8)),
                    error: None,
                    tokens: Tokens { read: 100, written: 10, cost_micros: Some(7) },
                    turns: 2,
                    tools: 3,
                }),
            },
            r#"{"run_finalized":{"run":"run_1","end":{"ended_at":9,"exit_code":0,"stop":"done","ending":"itself","preview":"Which one?","question":"Which one?","text_hash":"0123456789ab","last_agent_activity_at":8,"error":null,"tokens":{"read":100,"written":10,"cost_micros":7},"turns":2,"tools":3}}}"#,
        ),
        (
            FactKind::RunLost { run: run(), reason: "no".into() },
            r#"{"run_lost":{"run":"run_1","reason":"no"}}"#,
        ),
        (
            FactKind::PlanReady { run: run(), question: "Approve this plan?".into(), plan: None },
            r#"{"plan_ready":{"run":"run_1","question":"Approve this plan?"}}"#,
        ),
        (
            FactKind::PlanReady { run: run(), question: "Go?".into(), plan: Some("1. look".into()) },
            r#"{"plan_ready":{"run":"run_1","question":"Go?","plan":"1. look"}}"#,
        ),
        (
            FactKind::ReplyQueued {
                item: item(),
                text: "plan".into(),
                delivery: ReplyDelivery::Auto,
                kind: ReplyKind::PlanRequest,
            },
            r#"{"reply_queued":{"item":"00000000aa","text":"plan","delivery":"auto","kind":"plan_request"}}"#,
        ),
        (
            FactKind::PlanMoved(PlanMove::Requested { text: "a parser".into(), run: None }),
            r#"{"plan_moved":{"requested":{"text":"a parser"}}}"#,
        ),
        (
            FactKind::PlanMoved(PlanMove::Ready { text: Some("1. look".into()), run: Some(run()) }),
            r#"{"plan_moved":{"ready":{"text":"1. look","run":"run_1"}}}"#,
        ),
        (FactKind::PlanMoved(PlanMove::Approved), r#"{"plan_moved":"approved"}"#),
        (
            FactKind::PlanMoved(PlanMove::ChangesRequested { text: "less".into(), run: None }),
            r#"{"plan_moved":{"changes_requested":{"text":"less"}}}"#,
        ),
        (FactKind::PlanMoved(PlanMove::Executing { run: None }), r#"{"plan_moved":{"executing":{}}}"#),
        (FactKind::PlanMoved(PlanMove::Withdrawn), r#"{"plan_moved":"withdrawn"}"#),
        (FactKind::PlanMoved(PlanMove::Reset), r#"{"plan_moved":"reset"}"#),
        (FactKind::TitleGiven { name: "Mend login".into() }, r#"{"title_given":{"name":"Mend login"}}"#),
        (
            FactKind::Summarised { text_hash: "0123456789ab".into(), summary: "Login mended".into() },
            r#"{"summarised":{"text_hash":"0123456789ab","summary":"Login mended"}}"#,
        ),
        (
            FactKind::RunPatched { run: run(), summary: Some("It works".into()), preview: None },
            r#"{"run_patched":{"run":"run_1","summary":"It works","preview":null}}"#,
        ),
        (FactKind::SessionAdopted, r#""session_adopted""#),
        (
            FactKind::Fenced(Box::new(FactKind::AgentReported {
                generation: generation(),
                seq: Some(FactSeq(3)),
                place: None,
                news: vec![AgentNews::Fenced(Box::new(AgentNews::WorkBegan))],
            })),
            r#"{"fenced":{"agent_reported":{"generation":"11111111-aaaa","seq":3,"place":null,"news":[{"fenced":"work_began"}]}}}"#,
        ),
        (FactKind::SessionRemoved, r#""session_removed""#),
    ]
}

#[test]
fn facts_are_written_as_they_always_were_and_read_as_they_ever_were() {
    for (kind, line) in samples() {
        assert!(line.contains(&format!("\"{}\"", name(&kind))), "{line}");
        assert_eq!(serde_json::to_string(&kind).unwrap(), line);
        assert_eq!(serde_json::from_str::<FactKind>(line).unwrap(), kind);
    }
}

#[test]
fn fields_that_came_later_may_be_missing() {
    let older = r#"{"host_lost":{"generation":"11111111-aaaa","reason":"no"}}"#;
    let kind: FactKind = serde_json::from_str(older).unwrap();
    assert!(matches!(kind, FactKind::HostLost { strays, .. } if strays.is_empty()));
}

#[test]
fn a_record_survives_its_way_through_the_store() {
    let mut sessions = Sessions::new();
    for (at, (kind, _)) in (1_u64..).zip(samples()) {
        apply(&mut sessions, &samples::fact("0000000001", at, kind));
        for record in sessions.values() {
            let text = serde_json::to_string(record).unwrap();
            assert_eq!(serde_json::from_str::<SessionRecord>(&text).unwrap(), *record);
        }
    }
    assert!(sessions.is_empty());
}

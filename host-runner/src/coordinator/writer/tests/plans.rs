//! The life of a plan on a real store: asked for, made, sent back, approved, carried out, and over daemons.

use super::{
    agent::{HOST, journal, prepared, running, says},
    *,
};
use crate::agents::questions;
use board_protocol::{
    command::ReplyDelivery,
    daemon::{ReplyKind, ReplyProgress},
    host::{DeliveryProgress, HostFact, HostLaunch},
    ids::{QueueItemId, RunId},
    plan::{Plan, PlanStatus, PlanStep},
    run::{RunEnd, RunEnding, RunKind, RunReport, RunStart, RunStop, RunUsage},
    state::{Classification, ClassificationKind, ClassifierKind, CommandSource, Confidence},
};
use serde_json::json;

const PLAN: &str = "1. Look at the login.\n2. Mend it.";

/// A session of pi that waits for instructions; the next number is 5.
fn rests(play: &mut Play) -> HostLaunch {
    let launch = running(play);
    play.coordinator.handle(vec![
        says(&launch, 4, json!({"type": "agent_settled", "text": "Ready."})),
        says(&launch, 5, json!({"type": "editor", "state": "empty"})),
    ]);
    launch
}

fn carry_out(play: &mut Play, command: Command) -> (CommandOutcome, Vec<Output>) {
    let id = format!("c{}", play.tickets);
    let input = prepared(play.command(&id, command));
    let outputs = play.coordinator.handle(vec![input]);
    (outcome(&outputs), outputs)
}

fn step(play: &mut Play, session: &SessionId, step: PlanStep) -> Vec<Output> {
    let (outcome, outputs) = carry_out(play, Command::Plan { session: session.clone(), step });
    assert!(matches!(outcome, CommandOutcome::Applied { .. }), "{outcome:?}");
    outputs
}

/// What the host was told to write.
fn told(outputs: &[Output]) -> Vec<(QueueItemId, String)> {
    let deliver = |order: &&HostOrder| match order {
        HostOrder::Deliver { item, text, .. } => Some((item.clone(), text.clone())),
        _ => None,
    };
    orders(outputs).iter().filter_map(deliver).collect()
}

/// The host wrote it, the agent works, and ends with these words.
fn answers(play: &mut Play, launch: &HostLaunch, seq: u64, item: &QueueItemId, words: &str) {
    let progress = HostFact::ReplyProgressed { item: item.clone(), progress: DeliveryProgress::Applied };
    play.coordinator.handle(vec![reported(HOST, seq, progress)]);
    play.coordinator.handle(vec![
        says(launch, seq + 1, json!({"type": "input", "source": "interactive"})),
        says(launch, seq + 2, json!({"type": "agent_start"})),
    ]);
    assert_eq!(play.show(&launch.session).row.state, SemanticState::Working);
    play.coordinator.handle(vec![says(launch, seq + 3, json!({"type": "agent_settled", "text": words}))]);
}

fn plan(play: &mut Play, launch: &HostLaunch) -> Plan {
    play.show(&launch.session).plan.unwrap_or_default()
}

fn actions(plan: &Plan) -> Vec<&str> {
    plan.history.iter().map(|change| change.action.as_str()).collect()
}

/// A plan that awaits approval; the next number is 10.
fn awaiting(play: &mut Play) -> HostLaunch {
    let launch = rests(play);
    let outputs = step(play, &launch.session, PlanStep::Request { text: "the login".into() });
    let [(item, text)] = &told(&outputs)[..] else { panic!("{outputs:?}") };
    assert!(text.ends_with("the login"), "{text}");
    answers(play, &launch, 6, item, PLAN);
    launch
}

#[test]
fn d13_a_plan_is_asked_for_made_approved_and_carried_out() {
    let mut play = Play::new();
    let launch = awaiting(&mut play);
    let row = play.show(&launch.session).row;
    assert_eq!((row.state, row.question.as_deref()), (SemanticState::NeedsInput, Some(questions::PLAN)));
    assert_eq!((row.plan, row.unread, row.queued), (PlanStatus::AwaitingApproval, true, 0));
    assert_eq!(plan(&mut play, &launch).text.as_deref(), Some(PLAN));
    let outputs = step(&mut play, &launch.session, PlanStep::Approve);
    let [(item, text)] = &told(&outputs)[..] else { panic!("{outputs:?}") };
    assert!(text.starts_with("I approve your plan"), "{text}");
    let row = play.show(&launch.session).row;
    assert_eq!((row.plan, row.question), (PlanStatus::ExecutingApprovedPlan, None));
    answers(&mut play, &launch, 10, item, "Mended.");
    let row = play.show(&launch.session).row;
    assert_eq!((row.state, row.plan), (SemanticState::Idle, PlanStatus::ExecutingApprovedPlan));
    let plan = plan(&mut play, &launch);
    assert_eq!(actions(&plan), ["request", "ready", "approve", "execute"]);
    assert!(plan.approved_at_ms.is_some());
    journal(&play);
}

#[test]
fn d13_a_plan_that_is_sent_back_is_made_anew() {
    let mut play = Play::new();
    let launch = awaiting(&mut play);
    let outputs = step(&mut play, &launch.session, PlanStep::Change { text: "fewer steps".into() });
    let [(item, text)] = &told(&outputs)[..] else { panic!("{outputs:?}") };
    assert!(text.ends_with("fewer steps"), "{text}");
    assert_eq!(play.show(&launch.session).row.plan, PlanStatus::ChangesRequested);
    answers(&mut play, &launch, 10, item, "1. Mend it.");
    let plan = plan(&mut play, &launch);
    assert_eq!((plan.status, plan.text.as_deref()), (PlanStatus::AwaitingApproval, Some("1. Mend it.")));
    assert_eq!(plan.change_request.as_deref(), Some("fewer steps"));
    journal(&play);
}

#[test]
fn a11_a_plan_survives_daemons_and_its_question_as_well() {
    let mut play = Play::new();
    let launch = awaiting(&mut play);
    let before = plan(&mut play, &launch);
    let (mut play, _) = play.restart();
    assert_eq!(plan(&mut play, &launch), before);
    let row = play.show(&launch.session).row;
    assert_eq!((row.state, row.question.as_deref()), (SemanticState::NeedsInput, Some(questions::PLAN)));
}

#[test]
fn a_plan_waits_on_when_its_process_ends_and_when_its_row_is_released() {
    let mut play = Play::new();
    let launch = awaiting(&mut play);
    let session = launch.session.clone();
    carry_out(&mut play, Command::MarkHolding { session: session.clone() });
    assert_eq!(play.show(&session).row.state, SemanticState::Holding);
    carry_out(&mut play, Command::ClearHolding { session: session.clone() });
    assert_eq!(play.show(&session).row.question.as_deref(), Some(questions::PLAN));
    play.coordinator.handle(vec![reported(HOST, 10, exit(0))]);
    let row = play.show(&session).row;
    assert_eq!((row.state, row.question.as_deref()), (SemanticState::NeedsInput, Some(questions::PLAN)));
    // It is approved into a fresh host.
    let outputs = step(&mut play, &session, PlanStep::Approve);
    assert!(outputs.iter().any(|output| matches!(output, Output::Spawn(_))), "{outputs:?}");
    let detail = play.show(&session);
    assert_eq!((detail.row.plan, detail.row.queued), (PlanStatus::ExecutingApprovedPlan, 1));
    journal(&play);
}

#[test]
fn changes_while_a_turn_runs_wait_for_its_end_and_that_end_is_no_plan() {
    let mut play = Play::new();
    let launch = awaiting(&mut play);
    let outputs = step(&mut play, &launch.session, PlanStep::Approve);
    let item = told(&outputs)[0].0.clone();
    let applied = HostFact::ReplyProgressed { item, progress: DeliveryProgress::Applied };
    play.coordinator.handle(vec![
        reported(HOST, 10, applied),
        says(&launch, 11, json!({"type": "input", "source": "interactive"})),
        says(&launch, 12, json!({"type": "agent_start"})),
    ]);
    let outputs = step(&mut play, &launch.session, PlanStep::Change { text: "stop after two".into() });
    assert!(told(&outputs).is_empty(), "a turn runs");
    let outputs = play.coordinator.handle(vec![says(
        &launch,
        13,
        json!({"type": "agent_settled", "text": "Half done."}),
    )]);
    assert_eq!(told(&outputs).len(), 1, "its end lets them go");
    let plan = plan(&mut play, &launch);
    assert_eq!((plan.status, plan.text.as_deref()), (PlanStatus::ChangesRequested, Some(PLAN)));
}

#[test]
fn d1_ordinary_words_wait_until_the_plan_is_decided_and_carried_out() {
    let mut play = Play::new();
    let launch = awaiting(&mut play);
    let session = launch.session.clone();
    let reply =
        |delivery| Command::Reply { session: session.clone(), text: "and the logout".into(), delivery };
    let (refused, _) = carry_out(&mut play, reply(ReplyDelivery::Auto));
    assert!(
        matches!(&refused, CommandOutcome::Refused(refusal) if refusal.to_string().contains("plan approve")),
        "{refused:?}"
    );
    let (kept, outputs) = carry_out(&mut play, reply(ReplyDelivery::Queue));
    assert!(matches!(kept, CommandOutcome::Applied { .. }) && told(&outputs).is_empty(), "{outputs:?}");
    let outputs = play.coordinator.handle(vec![Input::Tick]);
    assert!(told(&outputs).is_empty(), "no tick sends it");
    let outputs = step(&mut play, &launch.session, PlanStep::Approve);
    let [(item, text)] = &told(&outputs)[..] else { panic!("{outputs:?}") };
    assert!(text.starts_with("I approve"), "the approval passes what waits: {text}");
    let progress = HostFact::ReplyProgressed { item: item.clone(), progress: DeliveryProgress::Applied };
    play.coordinator.handle(vec![
        reported(HOST, 10, progress),
        says(&launch, 11, json!({"type": "input", "source": "interactive"})),
    ]);
    let outputs =
        play.coordinator.handle(vec![says(&launch, 12, json!({"type": "agent_settled", "text": "Mended."}))]);
    assert_eq!(told(&outputs)[0].1, "and the logout");
}

#[test]
fn words_about_a_plan_that_are_taken_back_leave_it_where_it_was() {
    let mut play = Play::new();
    let launch = rests(&mut play);
    // Somebody types there: the words wait.
    play.coordinator.handle(vec![says(&launch, 6, json!({"type": "editor", "state": "text"}))]);
    let outputs = step(&mut play, &launch.session, PlanStep::Request { text: "the login".into() });
    assert!(told(&outputs).is_empty());
    let queue = play.show(&launch.session).queue;
    assert_eq!((queue[0].kind, queue[0].progress), (ReplyKind::PlanRequest, ReplyProgress::Waiting));
    let session = launch.session.clone();
    carry_out(&mut play, Command::RemoveQueued { session, item: queue[0].id.clone() });
    assert_eq!(plan(&mut play, &launch).status, PlanStatus::None);
    play.coordinator.handle(vec![
        says(&launch, 7, json!({"type": "editor", "state": "empty"})),
        says(&launch, 8, json!({"type": "input", "source": "interactive"})),
        says(&launch, 9, json!({"type": "agent_settled", "text": "Hello."})),
    ]);
    assert_eq!(play.show(&launch.session).row.state, SemanticState::Idle, "that was no plan");
    journal(&play);
}

#[test]
fn a_person_who_talks_to_it_in_its_terminal_has_not_decided() {
    let mut play = Play::new();
    let launch = awaiting(&mut play);
    play.coordinator.handle(vec![
        says(&launch, 10, json!({"type": "input", "source": "interactive"})),
        says(&launch, 11, json!({"type": "agent_start"})),
        says(&launch, 12, json!({"type": "agent_settled", "text": "Because of the cookie."})),
    ]);
    let detail = play.show(&launch.session);
    assert_eq!(detail.row.question.as_deref(), Some(questions::PLAN), "it still waits");
    assert_eq!(detail.plan.unwrap().text.as_deref(), Some(PLAN), "and the plan is the plan");
    step(&mut play, &launch.session, PlanStep::Reset);
    let row = play.show(&launch.session).row;
    assert_eq!((row.state, row.question, row.plan), (SemanticState::Idle, None, PlanStatus::None));
    journal(&play);
}

#[test]
fn a_turn_that_fails_makes_no_plan_and_the_next_one_may() {
    let mut play = Play::new();
    let launch = rests(&mut play);
    let outputs = step(&mut play, &launch.session, PlanStep::Request { text: "the login".into() });
    let (item, _) = told(&outputs)[0].clone();
    let applied = HostFact::ReplyProgressed { item, progress: DeliveryProgress::Applied };
    play.coordinator.handle(vec![
        reported(HOST, 6, applied),
        says(&launch, 7, json!({"type": "input", "source": "interactive"})),
        says(&launch, 8, json!({"type": "agent_settled", "aborted": true, "text": "I was"})),
    ]);
    assert_eq!(plan(&mut play, &launch).status, PlanStatus::PlanRequested);
    play.coordinator.handle(vec![
        says(&launch, 9, json!({"type": "input", "source": "interactive"})),
        says(&launch, 10, json!({"type": "agent_settled", "text": PLAN})),
    ]);
    assert_eq!(plan(&mut play, &launch).text.as_deref(), Some(PLAN));
}

#[test]
fn no_classifier_moves_a_row_whose_plan_awaits_approval() {
    let mut play = Play::new();
    let launch = awaiting(&mut play);
    let classification = Classification {
        kind: ClassificationKind::InProgress,
        confidence: Confidence::High,
        by: ClassifierKind::Model,
        reason: "it says so".into(),
        question: None,
        text_hash: crate::model::auto_state::text_hash(PLAN),
    };
    let command = Command::Classify { session: launch.session.clone(), classification };
    let input = play.command_of(CommandSource::Classifier, "late", command);
    play.coordinator.handle(vec![input]);
    assert_eq!(play.show(&launch.session).row.state, SemanticState::NeedsInput);
}

#[test]
fn another_conversation_has_no_plan() {
    let mut play = Play::new();
    let launch = awaiting(&mut play);
    play.coordinator.handle(vec![says(
        &launch,
        10,
        json!({"type": "session_start", "reason": "new", "sessionId": "another"}),
    )]);
    assert_eq!(play.show(&launch.session).row.plan, PlanStatus::None);
}

// The run's process and the daemon both say that the plan is there.
#[test]
fn d1_a_run_that_was_to_plan_ends_with_its_plan() {
    let mut play = Play::new();
    let (launch, _) = play.start("start");
    play.host_comes(&launch, 50, 1);
    play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    play.stage.0.running.borrow_mut().insert(70);
    let start = RunStart {
        kind: RunKind::Plan,
        prompt: "plan".into(),
        model: None,
        process: Some(crate::model::samples::process(70)),
        started_at_ms: UnixMs(60),
    };
    let end = RunEnd {
        ended_at_ms: UnixMs(90),
        exit_code: Some(0),
        stop: Some(RunStop::Done),
        ending: RunEnding::Itself,
        text: Some(PLAN.into()),
        last_agent_activity_at_ms: Some(UnixMs(80)),
        error: None,
        usage: RunUsage::default(),
    };
    let ready = || RunReport::PlanReady { question: None, plan: Some(PLAN.into()) };
    let mut failed = end.clone();
    failed.exit_code = Some(1);
    for (run, end) in [("run_0", failed), ("run_1", end)] {
        for report in [RunReport::Queued, RunReport::Started(start.clone()), RunReport::Finalized(end)] {
            let session = launch.session.clone();
            let command = Command::ReportRun { session, run: RunId(run.into()), report };
            let id = format!("r{}", play.tickets);
            let input = play.command_of(CommandSource::Run, &id, command);
            let outputs = play.coordinator.handle(vec![input]);
            assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }), "{outputs:?}");
        }
        let planned = plan(&mut play, &launch);
        let status = if run == "run_0" { PlanStatus::None } else { PlanStatus::AwaitingApproval };
        assert_eq!(planned.status, status, "{run}: one that failed makes none");
    }
    let before = journal(&play);
    let command =
        Command::ReportRun { session: launch.session.clone(), run: RunId("run_1".into()), report: ready() };
    let input = play.command_of(CommandSource::Run, "ready", command);
    let outputs = play.coordinator.handle(vec![input]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }), "{outputs:?}");
    assert_eq!(journal(&play), before, "said twice it is no news");
    let planned = plan(&mut play, &launch);
    assert_eq!((planned.plan_run, planned.text), (Some(RunId("run_1".into())), Some(PLAN.into())));
    let row = play.show(&launch.session).row;
    assert_eq!((row.state, row.question.as_deref()), (SemanticState::NeedsInput, Some(questions::PLAN)));
}

//! Who may take which step when, and by which door words about a plan leave.

use super::*;
use crate::{
    agents::{AgentKind, Prepared, event::EditorState, event::Place},
    coordinator::{
        Environment, Preflight, RunSettings,
        decide::{Fresh, Reach, decide as decide_any},
        deliver::{Block, Refusing, Sight, block, next_deliverable},
    },
    model::{
        QueuedItem, Sessions, apply,
        auto_state::AutoDone,
        can_auto_drain,
        samples::{begin, exited, fact, session, started},
    },
};
use board_protocol::{
    command::Command,
    daemon::ReplyProgress,
    host::Exit,
    ids::{Generation, QueueItemId, UnixMs},
    plan::Plan,
    state::{ProcessState, SemanticState},
};
use std::path::Path;

const ID: &str = "0000000001";
const SEEN: Sight =
    Sight { reach: Reach::Connected, editor: Some(EditorState::Empty), unheard_ms: 0, refusal: Refusing::No };

fn life(agent: AgentKind, facts: Vec<FactKind>) -> SessionRecord {
    let mut sessions = Sessions::new();
    let mut first = begin(ID, "sample");
    if let FactKind::SessionBegun(begun) = &mut first.kind {
        begun.agent = agent;
    }
    apply(&mut sessions, &first);
    for (step, kind) in (2_u64..).zip(facts) {
        apply(&mut sessions, &fact(ID, step * 10, kind));
    }
    let mut record = sessions.remove(&session(ID)).unwrap();
    if agent == AgentKind::Pi && record.is_live() {
        record.state = SemanticState::Idle;
        record.process_state = ProcessState::Exited;
        record.agent_record.heard = Some(Place { boot: "b".into(), seq: 1 });
    }
    record
}

/// A live pi that waits for instructions, and whose plan stands there.
fn planned(status: PlanStatus) -> SessionRecord {
    let mut record = life(AgentKind::Pi, vec![started(1)]);
    record.plan = Plan { status, text: Some("1. look".into()), ..Plan::default() };
    if status == PlanStatus::AwaitingApproval {
        record.state = SemanticState::NeedsInput;
        record.agent_record.asked_in_text = Some(questions::PLAN.into());
    }
    record
}

fn works(mut record: SessionRecord) -> SessionRecord {
    record.state = SemanticState::Working;
    record.process_state = ProcessState::Alive;
    record
}

fn with_words(mut record: SessionRecord, kind: ReplyKind, delivery: ReplyDelivery) -> SessionRecord {
    let id = QueueItemId(format!("{:010x}", record.queue.items.len()));
    let (text, at, progress) = ("words".to_owned(), UnixMs(1), ReplyProgress::Waiting);
    record.queue.items.push(QueuedItem { id, text, at, delivery, progress, kind });
    record
}

fn tried_by(record: &SessionRecord, command: &Command, source: CommandSource) -> Result<Allowed, Refusal> {
    let sessions = Sessions::from([(record.id.clone(), record.clone())]);
    with_given(source, |given| decide_any(&sessions, command, given))
}

fn with_given<R>(source: CommandSource, asks: impl FnOnce(Given<'_>) -> R) -> R {
    let fresh = Fresh {
        session: session("00000000ff"),
        generation: Generation("22222222-bbbb".into()),
        item: QueueItemId("00000000ee".into()),
        run: RunId("run_9".into()),
    };
    let environment = Environment { variables: Vec::new(), taken_at: UnixMs(7) };
    let prepared = Prepared { program: "/bin/pi".into(), extension: "/e.ts".into(), terminals: None };
    let preflight = Preflight::Passed { prepared: Some(prepared), worktree: None };
    let given = Given {
        now: UnixMs(1000),
        fresh: &fresh,
        environment: Some(&environment),
        preflight: Some(&preflight),
        reach: SEEN.reach,
        sight: SEEN,
        root: Path::new("/root"),
        source,
        expected_revision: None,
        auto_done: AutoDone::Refused,
        runs: RunSettings::default(),
    };
    asks(given)
}

fn step(record: &SessionRecord, step: PlanStep) -> Result<Allowed, Refusal> {
    tried_by(record, &Command::Plan { session: session(ID), step }, CommandSource::Person)
}

fn request() -> PlanStep {
    PlanStep::Request { text: "the login".into() }
}

fn change() -> PlanStep {
    PlanStep::Change { text: "fewer steps".into() }
}

/// What is recorded, in short.
fn recorded(allowed: &Allowed) -> Vec<String> {
    allowed
        .decision
        .facts
        .iter()
        .map(|fact| match &fact.kind {
            FactKind::PlanMoved(PlanMove::Requested { text, run: Some(run) }) => {
                format!("requested {text} {run}")
            }
            FactKind::PlanMoved(PlanMove::Requested { text, .. }) => format!("requested {text}"),
            FactKind::RunQueued { run, .. } => format!("queued {run}"),
            FactKind::PlanMoved(PlanMove::ChangesRequested { text, .. }) => format!("change {text}"),
            FactKind::PlanMoved(step) => format!("{step:?}"),
            FactKind::ReplyQueued { kind, delivery, .. } => format!("{kind:?} {delivery:?}"),
            FactKind::ReplyRemoved { item } => format!("removed {item}"),
            FactKind::SessionResumed { .. } => "resumed".to_owned(),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn d13_words_about_a_plan_go_through_the_queue_of_a_session_that_runs() {
    let rests = life(AgentKind::Pi, vec![started(1)]);
    let asked = step(&rests, request()).unwrap();
    assert_eq!(recorded(&asked), ["requested the login", "PlanRequest Auto"]);
    let busy = step(&works(rests), request()).unwrap();
    assert_eq!(recorded(&busy), ["requested the login", "PlanRequest Queue"]);
    assert!(busy.notice.unwrap().contains("when its turn ends"));
    let waits = planned(PlanStatus::AwaitingApproval);
    let approved = step(&waits, PlanStep::Approve).unwrap();
    assert_eq!(recorded(&approved), ["Approved", "Executing { run: None }", "PlanApproval Now"]);
    let sent_back = step(&waits, change()).unwrap();
    assert_eq!(recorded(&sent_back), ["change fewer steps", "PlanChange Auto"]);
    let busy = step(&works(planned(PlanStatus::ExecutingApprovedPlan)), change()).unwrap();
    assert_eq!(recorded(&busy), ["change fewer steps", "PlanChange Queue"], "changes while busy are queued");
}

#[test]
fn a11_the_prompt_has_the_persons_words_in_it() {
    let rests = life(AgentKind::Pi, vec![started(1)]);
    let asked = step(&rests, request()).unwrap();
    let FactKind::ReplyQueued { text, .. } = &asked.decision.facts[1].kind else { panic!("{asked:?}") };
    assert_eq!(*text, prompts::only_plan("the login"));
}

#[test]
fn a_session_that_has_ended_is_continued_with_words_about_a_plan() {
    let ended = life(AgentKind::Pi, vec![started(1), exited(2, Exit::Code(0))]);
    let asked = step(&ended, request()).unwrap();
    assert_eq!(recorded(&asked), ["requested the login", "PlanRequest Auto", "resumed"]);
}

#[test]
fn a11_refusals_say_what_to_do() {
    let rests = life(AgentKind::Pi, vec![started(1)]);
    let waits = planned(PlanStatus::AwaitingApproval);
    let queued = with_words(planned(PlanStatus::PlanRequested), ReplyKind::PlanRequest, ReplyDelivery::Queue);
    let generic = life(AgentKind::Generic, vec![started(1)]);
    let blank = || PlanStep::Change { text: " ".into() };
    let table = [
        (&rests, PlanStep::Approve, RefusalKind::WrongState, "No plan is awaiting approval: "),
        (&rests, change(), RefusalKind::WrongState, "host-runner plan request 0000000001 TEXT"),
        (&waits, blank(), RefusalKind::BadInput, "Empty change request: "),
        (&rests, PlanStep::Request { text: String::new() }, RefusalKind::BadInput, "Empty plan request: "),
        (&rests, PlanStep::Reset, RefusalKind::NoChange, "has no plan"),
        (&queued, change(), RefusalKind::WrongState, "host-runner queue rm 0000000001"),
        (&generic, request(), RefusalKind::WrongState, "makes no plans"),
        (&rests, PlanStep::Request { text: "a\u{1b}b".into() }, RefusalKind::BadInput, "U+001B"),
    ];
    for (record, asked, kind, words) in table {
        let refusal = step(record, asked.clone()).unwrap_err();
        assert_eq!(refusal.kind, kind, "{asked:?}: {refusal}");
        assert!(refusal.to_string().contains(words), "{asked:?}: {refusal}");
    }
    for source in [CommandSource::Service, CommandSource::Run, CommandSource::Classifier, CommandSource::Host]
    {
        let command = Command::Plan { session: session(ID), step: PlanStep::Approve };
        let refusal = tried_by(&waits, &command, source).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::SourceNotAllowed, "{source:?}");
    }
}

#[test]
fn a_plan_is_not_approved_into_a_question_or_a_session_that_cannot_hear_it() {
    let mut asks = planned(PlanStatus::AwaitingApproval);
    asks.agent_record.questions.push(crate::model::OpenQuestion {
        id: "q".into(),
        text: "Delete it?".into(),
        by: crate::agents::event::Asker::Dialog,
    });
    let refusal = step(&asks, PlanStep::Approve).unwrap_err();
    assert_eq!(refusal.to_string(), "Attach to answer the pending question");
}

#[test]
fn free_words_never_answer_a_plan_that_awaits_approval() {
    let waits = planned(PlanStatus::AwaitingApproval);
    let reply = |delivery| Command::Reply { session: session(ID), text: "yes".into(), delivery };
    for delivery in [ReplyDelivery::Auto, ReplyDelivery::Now] {
        let refusal = tried_by(&waits, &reply(delivery), CommandSource::Person).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::WrongState, "{delivery:?}");
        for way in ["plan approve 0000000001", "plan change 0000000001 TEXT", "plan reset 0000000001"] {
            assert!(refusal.to_string().contains(way), "{refusal}");
        }
    }
    // Explicitly for later they are kept, and stay there.
    let kept = tried_by(&waits, &reply(ReplyDelivery::Queue), CommandSource::Person).unwrap();
    assert!(kept.notice.unwrap().contains("plan"));
    for delivery in [ReplyDelivery::Auto, ReplyDelivery::Now, ReplyDelivery::Queue] {
        assert_eq!(block(&waits, &SEEN, delivery), Some(Block::Plan), "{delivery:?}");
        let full = with_words(waits.clone(), ReplyKind::Reply, delivery);
        assert_eq!(next_deliverable(&full, &SEEN), None, "{delivery:?}");
    }
    let hurried = with_words(waits, ReplyKind::Reply, ReplyDelivery::Queue);
    let item = hurried.queue.items[0].id.clone();
    let send = Command::SendQueued { session: session(ID), item };
    let refusal = tried_by(&hurried, &send, CommandSource::Person).unwrap_err();
    assert!(refusal.to_string().contains("plan approve"), "{refusal}");
}

#[test]
fn d1_rows_with_a_plan_are_not_drained_and_words_about_it_pass_what_waits() {
    for status in PlanStatus::ALL {
        let record = planned(status);
        let drains = matches!(status, PlanStatus::None | PlanStatus::ExecutingApprovedPlan);
        let mut rests = record.clone();
        rests.state = SemanticState::Idle;
        assert_eq!(can_auto_drain(&rests), drains, "{status:?}");
        let full = with_words(rests, ReplyKind::Reply, ReplyDelivery::Queue);
        assert_eq!(next_deliverable(&full, &SEEN).is_some(), drains, "{status:?}");
        // Behind ordinary words, and whatever the row asks.
        let mut both = with_words(full, ReplyKind::PlanChange, ReplyDelivery::Queue);
        both.state = SemanticState::NeedsInput;
        let next = next_deliverable(&both, &SEEN).map(|item| item.kind);
        assert_eq!(next, Some(ReplyKind::PlanChange), "{status:?}");
        assert_eq!(next_deliverable(&works(both.clone()), &SEEN), None, "a turn runs");
        both.state = SemanticState::Holding;
        assert_eq!(next_deliverable(&both, &SEEN), None, "on hold");
    }
}

#[test]
fn what_a_person_says_while_a_plan_is_made_reaches_an_agent_that_did_not_make_it() {
    // Its turn failed: the person answers that.
    let rests = planned(PlanStatus::PlanRequested);
    let words = with_words(rests.clone(), ReplyKind::Reply, ReplyDelivery::Auto);
    assert!(next_deliverable(&words, &SEEN).is_some());
    // What asks for the plan goes first.
    let both = with_words(
        with_words(rests, ReplyKind::Reply, ReplyDelivery::Auto),
        ReplyKind::PlanRequest,
        ReplyDelivery::Auto,
    );
    assert_eq!(next_deliverable(&both, &SEEN).map(|item| item.kind), Some(ReplyKind::PlanRequest));
}

#[test]
fn a_reset_takes_back_what_the_agent_does_not_have() {
    let record = with_words(planned(PlanStatus::PlanRequested), ReplyKind::Reply, ReplyDelivery::Queue);
    let record = with_words(record, ReplyKind::PlanRequest, ReplyDelivery::Queue);
    let reset = step(&record, PlanStep::Reset).unwrap();
    assert_eq!(recorded(&reset), ["Reset", "removed 0000000001"]);
}

/// A pi whose last turn had no terminal, and whose run stands there.
fn headless(facts: impl IntoIterator<Item = FactKind>) -> SessionRecord {
    let queued = FactKind::RunQueued { run: RunId("run_1".into()), item: None, environment_at: None };
    let first = vec![started(1), exited(2, Exit::Code(0)), queued];
    life(AgentKind::Pi, first.into_iter().chain(facts).collect())
}

#[test]
fn d13_a_session_that_works_without_a_terminal_plans_without_one() {
    let lost = FactKind::RunLost { run: RunId("run_1".into()), reason: "gone".into() };
    let rests = headless([lost]);
    let asked = step(&rests, request()).unwrap();
    assert_eq!(recorded(&asked), ["requested the login run_9", "queued run_9"]);
    let begins = asked.decision.effects.iter().any(|effect| match effect {
        crate::coordinator::decision::Effect::SpawnRun(launch) => {
            launch.kind == RunKind::Plan && launch.prompt == prompts::only_plan("the login")
        }
        _ => false,
    });
    assert!(begins, "{:?}", asked.decision.effects);
    // One is at work: the words are those of the next.
    let busy = step(&headless([]), request()).unwrap();
    assert_eq!(recorded(&busy), ["requested the login", "PlanRequest Queue"]);
}

#[test]
fn d1_words_about_a_plan_follow_a_run_and_ordinary_ones_do_not_follow_one_that_planned() {
    let lost = FactKind::RunLost { run: RunId("run_1".into()), reason: "gone".into() };
    let mut record = headless([lost]);
    record.plan = planned(PlanStatus::ChangesRequested).plan;
    record = with_words(record, ReplyKind::Reply, ReplyDelivery::Queue);
    let follows = |record: &SessionRecord| {
        with_given(CommandSource::Person, |given| {
            let (item, begun) = crate::coordinator::headless::follow_up(record, given)?;
            begun.unwrap();
            record.queue.get(&item).map(|item| item.kind)
        })
    };
    record.state = SemanticState::Idle;
    assert_eq!(follows(&record), None, "the plan is not decided");
    record = with_words(record, ReplyKind::PlanChange, ReplyDelivery::Queue);
    assert_eq!(follows(&record), Some(ReplyKind::PlanChange));
    for state in [SemanticState::Holding, SemanticState::Stopped, SemanticState::Failed] {
        record.state = state;
        assert_eq!(follows(&record), None, "{state:?}");
    }
}

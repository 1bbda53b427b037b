//! A person's verdict against everything that a machine says, on a real store and over daemons.

use super::{
    agent::{HOST, journal, running, says},
    *,
};
use crate::{
    coordinator::{
        ClassifierSettings,
        deliver::{Block, block},
    },
    model::auto_state::AutoDone,
};
use board_protocol::{
    command::ReplyDelivery,
    host::{HostFact, HostLaunch},
    state::{Classification, ClassificationKind, ClassifierKind, CommandSource, Confidence, ProcessState},
};
use serde_json::json;

const WORDS: &str = "Everything is green.";

/// A session of pi whose turn is over; the next number is 5.
fn rests(play: &mut Play) -> HostLaunch {
    let launch = running(play);
    play.coordinator.handle(vec![says(&launch, 4, json!({"type": "agent_settled", "text": WORDS}))]);
    launch
}

fn verdict(play: &mut Play, state: SemanticState, session: &SessionId) {
    let session = session.clone();
    let command = match state {
        SemanticState::Completed => Command::MarkCompleted { session },
        SemanticState::Holding => Command::MarkHolding { session },
        other => panic!("{other:?}"),
    };
    let id = format!("verdict {}", play.tickets);
    let input = play.command(&id, command);
    let outputs = play.coordinator.handle(vec![input]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }), "{outputs:?}");
}

/// A session of pi with a verdict; the next number is 5.
fn fenced(play: &mut Play, state: SemanticState) -> HostLaunch {
    let launch = rests(play);
    verdict(play, state, &launch.session);
    launch
}

fn said(kind: ClassificationKind, words: &str) -> Classification {
    Classification {
        kind,
        confidence: Confidence::High,
        by: ClassifierKind::Model,
        reason: "it says so".into(),
        question: None,
        text_hash: crate::model::auto_state::text_hash(words),
    }
}

fn classify(play: &mut Play, source: CommandSource, id: &str, session: &SessionId) -> CommandOutcome {
    let classification = said(ClassificationKind::InProgress, WORDS);
    let command = Command::Classify { session: session.clone(), classification };
    let input = play.command_of(source, id, command);
    outcome(&play.coordinator.handle(vec![input]))
}

fn refused(outcome: &CommandOutcome) -> Option<RefusalKind> {
    match outcome {
        CommandOutcome::Applied { .. } => None,
        CommandOutcome::Refused(refusal) => Some(refusal.kind),
    }
}

fn input(source: &str) -> serde_json::Value {
    json!({"type": "input", "source": source})
}

fn stands(play: &mut Play, session: &SessionId) -> (SemanticState, ProcessState) {
    let row = play.show(session).row;
    (row.state, row.process_state)
}

// A person puts a row aside, attaches and types: the row works, and no line in its log says that somebody was kept out.
//
// That this can fail is part of it: the same words sent as a machine's (`"source": "extension"`, or the person's input
// mirrored as the daemon's own command) leave the row on hold and a `manual_fence` in the log. The second half does
// exactly that with the one event, and everything that is asserted in the first half is seen to be different.
#[test]
fn i1_a14_typing_into_a_holding_row_lifts_it_without_a_word_in_its_log() {
    let mut play = Play::new();
    let launch = fenced(&mut play, SemanticState::Holding);
    play.coordinator.handle(vec![says(&launch, 5, input("interactive"))]);
    assert_eq!(stands(&mut play, &launch.session), (SemanticState::Working, ProcessState::Alive));
    assert_eq!(play.log(&launch.session), Vec::<String>::new());
    journal(&play);

    let mut play = Play::new();
    let launch = fenced(&mut play, SemanticState::Holding);
    play.coordinator.handle(vec![says(&launch, 5, input("extension"))]);
    assert_eq!(stands(&mut play, &launch.session), (SemanticState::Holding, ProcessState::Exited));
    assert_eq!(play.log(&launch.session), ["manual_fence"]);
}

#[test]
fn i1_a15_words_of_programs_and_a_beginning_of_work_leave_a_fenced_row_where_it_is() {
    for state in [SemanticState::Holding, SemanticState::Completed] {
        for event in [input("rpc"), input("extension"), json!({"type": "agent_start"})] {
            let mut play = Play::new();
            let launch = fenced(&mut play, state);
            play.coordinator.handle(vec![says(&launch, 5, event.clone())]);
            assert_eq!(stands(&mut play, &launch.session), (state, ProcessState::Exited), "{event}");
            assert_eq!(play.log(&launch.session), ["manual_fence"], "{event}");
            let (mut play, _) = play.restart();
            assert_eq!(stands(&mut play, &launch.session), (state, ProcessState::Exited), "{event}");
            journal(&play);
        }
    }
}

#[test]
fn i1_a16_typing_into_a_done_row_lifts_it_too() {
    let mut play = Play::new();
    let launch = fenced(&mut play, SemanticState::Completed);
    play.coordinator.handle(vec![says(&launch, 5, input("interactive"))]);
    assert_eq!(stands(&mut play, &launch.session), (SemanticState::Working, ProcessState::Alive));
    assert_eq!(play.log(&launch.session), Vec::<String>::new());
}

#[test]
fn i1_a17_a_late_classification_meets_the_fence_also_after_a_restart() {
    for state in [SemanticState::Holding, SemanticState::Completed] {
        let mut play = Play::new();
        let launch = fenced(&mut play, state);
        let id = launch.session.clone();
        let fence = Some(RefusalKind::ManualFence);
        assert_eq!(refused(&classify(&mut play, CommandSource::Classifier, "late", &id)), fence);
        let (mut play, _) = play.restart();
        // The same command again gets its first answer; a new one is judged anew, by what was replayed.
        assert_eq!(refused(&classify(&mut play, CommandSource::Classifier, "late", &id)), fence);
        assert_eq!(refused(&classify(&mut play, CommandSource::Classifier, "later", &id)), fence);
        assert_eq!(refused(&classify(&mut play, CommandSource::Service, "latest", &id)), fence);
        assert_eq!(stands(&mut play, &id), (state, ProcessState::Exited));
        assert!(play.log(&id).contains(&"manual_fence".to_owned()));
        journal(&play);
    }
}

// Everything that a runner still has to say after its end: texts, a plan, a classification, the end of its process.
#[test]
fn i1_a18_what_comes_after_the_end_of_a_run_does_not_move_a_holding_row_and_it_is_not_drained() {
    let mut play = Play::new();
    let launch = fenced(&mut play, SemanticState::Holding);
    let id = launch.session.clone();
    let reply = Command::Reply { session: id.clone(), text: "go on".into(), delivery: ReplyDelivery::Queue };
    let reply = play.command("reply", reply);
    let mut outputs = play.coordinator.handle(vec![reply]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }));
    classify(&mut play, CommandSource::Classifier, "c", &id);
    for late in [
        says(
            &launch,
            5,
            json!({"type": "message_end", "role": "assistant", "text": "One more thing. Which one?"}),
        ),
        says(&launch, 6, json!({"type": "agent_settled", "text": "All done?"})),
        Input::Tick,
    ] {
        outputs.extend(play.coordinator.handle(vec![late]));
    }
    // Nothing but the verdict keeps the words back: the agent waits, and its host is there.
    let sight = play.coordinator.sight(Some(&id));
    let record = &play.coordinator.sessions()[&id];
    assert_eq!(block(record, &sight, ReplyDelivery::Queue), Some(Block::Holding));
    outputs.extend(play.coordinator.handle(vec![reported(HOST, 7, exit(1))]));
    let delivered = |order: &&&HostOrder| matches!(order, HostOrder::Deliver { .. });
    assert_eq!(orders(&outputs).iter().find(delivered), None);
    let detail = play.show(&id);
    assert_eq!(
        (detail.row.state, detail.row.process_state, detail.row.host_state),
        (SemanticState::Holding, ProcessState::Exited, HostState::Exited)
    );
    assert_eq!((detail.row.error, detail.row.question), (None, None));
    assert_eq!(detail.row.ended.as_deref(), Some("exit code 1"), "what happened to its process is known");
    assert_eq!(detail.agent.preview.as_deref(), Some("All done?"), "so is what it said");
    assert_eq!(detail.row.queued, 1, "and the person's words are kept");
    let (mut play, outputs) = play.restart();
    assert_eq!(orders(&outputs).iter().find(delivered), None);
    assert_eq!(play.show(&id).row.queued, 1);
    assert_eq!(stands(&mut play, &id), (SemanticState::Holding, ProcessState::Exited));
    journal(&play);
}

#[test]
fn i5_a8_a_stale_classification_cannot_beat_a_verdict_before_or_after_a_restart() {
    let mut play = Play::new();
    let launch = rests(&mut play);
    let id = launch.session.clone();
    // A result about words that are not the last ones counts nowhere.
    let stale = said(ClassificationKind::NeedsInput, "Older words.");
    let command = Command::Classify { session: id.clone(), classification: stale.clone() };
    let input = play.command_of(CommandSource::Classifier, "c1", command.clone());
    let outputs = play.coordinator.handle(vec![input]);
    assert_eq!(refused(&outcome(&outputs)), Some(RefusalKind::StaleRun));
    assert_eq!(stands(&mut play, &id), (SemanticState::Idle, ProcessState::Exited));
    verdict(&mut play, SemanticState::Completed, &id);
    let input = play.command_of(CommandSource::Classifier, "c2", command.clone());
    assert_eq!(refused(&outcome(&play.coordinator.handle(vec![input]))), Some(RefusalKind::ManualFence));
    let (mut play, _) = play.restart();
    let input = play.command_of(CommandSource::Classifier, "c3", command);
    assert_eq!(refused(&outcome(&play.coordinator.handle(vec![input]))), Some(RefusalKind::ManualFence));
    assert_eq!(stands(&mut play, &id), (SemanticState::Completed, ProcessState::Exited));
    journal(&play);
}

// A turn ends, and the person marks the row as done while its runner still has things to say.
#[test]
fn c10_4_done_during_the_last_words_of_a_runner_stays_done_over_a_restart() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let id = launch.session.clone();
    let mark = play.command("done", Command::MarkCompleted { session: id.clone() });
    // All in one batch: the end of the turn, the person, and what comes late.
    play.coordinator.handle(vec![
        says(&launch, 4, json!({"type": "agent_settled", "text": WORDS})),
        mark,
        says(&launch, 5, json!({"type": "message_end", "role": "assistant", "text": "P.S. Shall I go on?"})),
        says(&launch, 6, json!({"type": "agent_settled", "text": "P.S. Shall I go on?"})),
    ]);
    assert_eq!(
        refused(&classify(&mut play, CommandSource::Classifier, "c", &id)),
        Some(RefusalKind::ManualFence)
    );
    assert_eq!(stands(&mut play, &id), (SemanticState::Completed, ProcessState::Exited));
    assert!(play.log(&id).iter().all(|code| code == "manual_fence"), "{:?}", play.log(&id));
    let (mut play, _) = play.restart();
    assert_eq!(stands(&mut play, &id), (SemanticState::Completed, ProcessState::Exited));
    assert_eq!(refused(&classify(&mut play, CommandSource::Run, "d", &id)), Some(RefusalKind::ManualFence));
    journal(&play);
}

// On hold, then spoken to: from there on everything is mirrored as ever.
#[test]
fn c10_5_a_holding_row_that_is_spoken_to_works_like_any_other() {
    let mut play = Play::new();
    let launch = fenced(&mut play, SemanticState::Holding);
    let id = launch.session.clone();
    play.coordinator.handle(vec![says(&launch, 5, input("interactive"))]);
    assert_eq!(stands(&mut play, &id), (SemanticState::Working, ProcessState::Alive));
    play.coordinator.handle(vec![
        says(&launch, 6, json!({"type": "agent_start"})),
        says(
            &launch,
            7,
            json!({"type": "tool_execution_start", "toolCallId": "q", "toolName": "question", "args": {"question": "Which?"}}),
        ),
    ]);
    assert_eq!(play.show(&id).row.question.as_deref(), Some("Which?"));
    play.coordinator.handle(vec![
        says(&launch, 8, json!({"type": "tool_execution_end", "toolCallId": "q", "toolName": "question"})),
        says(&launch, 9, json!({"type": "message_end", "role": "assistant", "text": "It is in place."})),
        says(&launch, 10, json!({"type": "agent_settled", "text": "It is in place."})),
    ]);
    assert_eq!(stands(&mut play, &id), (SemanticState::Idle, ProcessState::Exited));
    assert_eq!(play.log(&id), Vec::<String>::new());
    journal(&play);
}

// The person's words and what they start may come in one report, or in one batch.
#[test]
fn words_of_a_person_open_the_way_for_what_follows_in_the_same_batch() {
    let mut play = Play::new();
    let launch = fenced(&mut play, SemanticState::Completed);
    play.coordinator.handle(vec![
        says(&launch, 5, json!({"type": "agent_start"})),
        says(&launch, 6, input("interactive")),
        says(&launch, 7, json!({"type": "agent_start"})),
        says(&launch, 8, json!({"type": "agent_settled", "text": "Which one do you want?"})),
    ]);
    assert_eq!(stands(&mut play, &launch.session), (SemanticState::NeedsInput, ProcessState::Exited));
    assert_eq!(play.log(&launch.session), ["manual_fence"], "only what came before the person's words");
}

#[test]
fn a_chatty_agent_on_a_fenced_row_fills_neither_log_nor_journal() {
    let mut play = Play::new();
    let launch = fenced(&mut play, SemanticState::Holding);
    let before = journal(&play);
    for seq in 5..105 {
        let tool = json!({"type": "tool_execution_start", "toolCallId": format!("c{seq}"), "toolName": "bash", "args": {"command": "make"}});
        play.coordinator.handle(vec![says(&launch, seq, tool)]);
    }
    assert_eq!(play.log(&launch.session), ["manual_fence"; 10], "enough to see a pattern");
    assert_eq!(journal(&play), before);
    play.stage.0.uptime.set(60_000);
    play.coordinator.handle(vec![says(&launch, 105, json!({"type": "agent_start"}))]);
    let lines = play.coordinator.store.log(&launch.session, 100).unwrap();
    assert_eq!((lines.len(), lines[10].message.as_str()), (12, "… and 90 more"));
    assert_eq!(stands(&mut play, &launch.session), (SemanticState::Holding, ProcessState::Exited));
}

// Decision 1: a program that reports nothing is spoken to by typing a line.
#[test]
fn a_line_typed_into_a_shell_lifts_its_verdict_once_and_is_no_fact_otherwise() {
    for state in [SemanticState::Holding, SemanticState::Completed] {
        let mut play = Play::new();
        let (launch, _) = play.start("c1");
        play.host_comes(&launch, 50, 1);
        let id = launch.session.clone();
        let before = journal(&play);
        play.coordinator.handle(vec![reported(HOST, 2, HostFact::PersonTyped)]);
        assert_eq!(journal(&play), before, "typing is no fact");
        verdict(&mut play, state, &id);
        assert_eq!(stands(&mut play, &id), (state, ProcessState::Alive), "its process is its one turn");
        assert!(!play.show(&id).row.busy);
        play.coordinator.handle(vec![reported(HOST, 3, HostFact::PersonTyped)]);
        assert_eq!(stands(&mut play, &id), (SemanticState::Working, ProcessState::Alive));
        // The host says it again after a reconnect; meanwhile the person has put it aside once more.
        verdict(&mut play, state, &id);
        play.coordinator.handle(vec![reported(HOST, 3, HostFact::PersonTyped)]);
        assert_eq!(stands(&mut play, &id), (state, ProcessState::Alive));
        // So is a line that was typed before: its report only waited.
        play.stage.0.now.set(1000);
        verdict(&mut play, state, &id);
        play.coordinator.handle(vec![reported(HOST, 4, HostFact::PersonTyped)]);
        assert_eq!(stands(&mut play, &id), (state, ProcessState::Alive));
        // Its end leaves it where the person put it.
        play.coordinator.handle(vec![reported(HOST, 5, exit(3))]);
        let row = play.show(&id).row;
        assert_eq!((row.state, row.process_state, row.error), (state, ProcessState::Exited, None));
        assert_eq!(play.log(&id), ["manual_fence"]);
        journal(&play);
    }
}

#[test]
fn a_stop_is_a_persons_word_and_a_later_verdict_is_a_later_one() {
    let mut play = Play::new();
    let launch = fenced(&mut play, SemanticState::Completed);
    let id = launch.session.clone();
    let stop = play.command("stop", Command::Stop { session: id.clone() });
    play.coordinator.handle(vec![stop, reported(HOST, 5, exit(0))]);
    assert_eq!(stands(&mut play, &id), (SemanticState::Stopped, ProcessState::Exited));

    let mut play = Play::new();
    let launch = rests(&mut play);
    let id = launch.session.clone();
    let stop = play.command("stop", Command::Stop { session: id.clone() });
    play.coordinator.handle(vec![stop]);
    verdict(&mut play, SemanticState::Completed, &id);
    play.coordinator.handle(vec![reported(HOST, 5, exit(0))]);
    assert_eq!(stands(&mut play, &id), (SemanticState::Completed, ProcessState::Exited));
    journal(&play);
}

#[test]
fn last_words_are_read_once_a_turn_ended_well_and_only_where_that_is_wanted() {
    let kind = |play: &mut Play, launch: &HostLaunch| {
        play.show(&launch.session).classification.map(|classification| classification.kind)
    };
    let mut play = Play::new();
    let launch = rests(&mut play);
    assert_eq!(kind(&mut play, &launch), Some(ClassificationKind::InProgress));
    let evidence = play.show(&launch.session).agent.evidence;
    assert_eq!(evidence.as_deref(), Some("agent event: settled"), "what changes nothing decided nothing");
    // The next turn is another matter.
    play.coordinator.handle(vec![says(&launch, 5, input("interactive"))]);
    assert_eq!(kind(&mut play, &launch), None);
    // An interrupted one has no last words that would mean anything.
    let interrupted = json!({"type": "agent_settled", "text": "Done. All tests pass.", "aborted": true});
    play.coordinator.handle(vec![says(&launch, 6, interrupted)]);
    assert_eq!(kind(&mut play, &launch), None);
    journal(&play);

    let allowed = ClassifierSettings { done: AutoDone::Allowed, ..ClassifierSettings::default() };
    for (settings, state) in
        [(ClassifierSettings::default(), SemanticState::Idle), (allowed, SemanticState::Completed)]
    {
        let mut play = Play::new();
        play.stage.0.classifier.set(settings);
        let launch = running(&mut play);
        let done = json!({"type": "agent_settled", "text": "I've fixed it. All tests pass."});
        play.coordinator.handle(vec![says(&launch, 4, done)]);
        assert_eq!(play.show(&launch.session).row.state, state);
        // Done that a classifier said is no verdict: the agent goes on, and the row follows.
        play.coordinator.handle(vec![says(&launch, 5, json!({"type": "agent_start"}))]);
        assert_eq!(play.show(&launch.session).row.state, SemanticState::Working);
        assert_eq!(play.log(&launch.session), Vec::<String>::new());
        journal(&play);
    }

    let off = ClassifierSettings { rules: crate::coordinator::AutoState::Off, ..allowed };
    let mut play = Play::new();
    play.stage.0.classifier.set(off);
    let launch = rests(&mut play);
    assert_eq!(kind(&mut play, &launch), None);
}

#[test]
fn a_models_result_is_a_command_and_says_done_only_where_that_is_configured() {
    let mut play = Play::new();
    let launch = rests(&mut play);
    let id = launch.session.clone();
    let send = |play: &mut Play, id: &str, kind| {
        let command =
            Command::Classify { session: launch.session.clone(), classification: said(kind, WORDS) };
        let input = play.command_of(CommandSource::Classifier, id, command);
        outcome(&play.coordinator.handle(vec![input]))
    };
    assert_eq!(refused(&send(&mut play, "m1", ClassificationKind::Done)), None);
    let detail = play.show(&id);
    assert_eq!(detail.row.state, SemanticState::Idle);
    let reason = detail.classification.unwrap().reason;
    assert_eq!(reason, "Model reported done but auto-done is disabled");
    // The same again changes nothing.
    assert_eq!(refused(&send(&mut play, "m2", ClassificationKind::Done)), Some(RefusalKind::NoChange));
    assert_eq!(refused(&send(&mut play, "m3", ClassificationKind::NeedsInput)), None);
    assert_eq!(play.show(&id).row.state, SemanticState::NeedsInput);
    play.stage.0.classifier.set(ClassifierSettings { done: AutoDone::Allowed, ..Default::default() });
    assert_eq!(refused(&send(&mut play, "m4", ClassificationKind::Done)), None);
    let detail = play.show(&id);
    assert_eq!((detail.row.state, detail.row.question), (SemanticState::Completed, None));
    assert!(!play.coordinator.sessions()[&id].is_manual_verdict());
    journal(&play);
}

// Whoever enters a row that was put aside has said nothing about it yet.
#[test]
fn entering_a_fenced_row_does_not_lift_it_and_leaves_no_word_in_its_log() {
    let mut play = Play::new();
    let launch = fenced(&mut play, SemanticState::Holding);
    let id = launch.session.clone();
    play.coordinator.handle(vec![reported(HOST, 5, exit(0))]);
    let fenced = play.log(&id).len();
    let resume = super::agent::prepared(play.command("r", Command::Resume { session: id.clone() }));
    let second = super::agent::spawned(&play.coordinator.handle(vec![resume]));
    play.host_comes(&second, 60, 2);
    let begun = json!({"type": "session_start", "reason": "startup", "model": "m", "boot": "c", "seq": 1});
    let HostFact::AgentReported(report) = (match says(&second, 2, begun) {
        Input::HostReported { fact, .. } => fact,
        other => panic!("{other:?}"),
    }) else {
        panic!("a report")
    };
    play.coordinator.handle(vec![reported(ConnectionId(2), 2, HostFact::AgentReported(report))]);
    assert_eq!(stands(&mut play, &id), (SemanticState::Holding, ProcessState::Exited));
    assert_eq!(play.log(&id).len(), fenced, "{:?}", play.log(&id));
    journal(&play);
}

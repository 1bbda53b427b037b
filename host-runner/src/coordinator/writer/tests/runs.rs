//! Headless runs through the coordinator, on a real store: the reference flows C.10 in the order in which a run process
//! speaks.

use super::{agent::journal, *};
use crate::coordinator::decision::Force;
use board_protocol::{
    host::HostLaunch,
    ids::RunId,
    run::{RunBeat, RunEnd, RunEnding, RunKind, RunReport, RunStart, RunStop, RunUsage},
    state::{CommandSource, ProcessState},
};

/// A session whose own process is over, so that runs can be begun for it.
fn at_rest(play: &mut Play) -> HostLaunch {
    let (launch, _) = play.start("start");
    play.host_comes(&launch, 50, 1);
    play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    play.stage.0.running.borrow_mut().insert(70);
    launch
}

fn send(play: &mut Play, source: CommandSource, id: &str, run: &str, report: RunReport) -> Vec<Output> {
    let session = play.coordinator.sessions().keys().next().unwrap().clone();
    let command = Command::ReportRun { session, run: RunId(run.into()), report };
    let input = play.command_of(source, id, command);
    play.coordinator.handle(vec![input])
}

fn says(play: &mut Play, id: &str, report: RunReport) -> CommandOutcome {
    outcome(&send(play, CommandSource::Run, id, "run_1", report))
}

fn beginning() -> RunStart {
    RunStart {
        kind: RunKind::Reply,
        prompt: "go on".into(),
        model: Some("fake/m".into()),
        process: Some(process(70)),
        started_at_ms: UnixMs(60),
    }
}

fn end(text: &str) -> RunEnd {
    RunEnd {
        ended_at_ms: UnixMs(90),
        exit_code: Some(0),
        stop: Some(RunStop::Done),
        ending: RunEnding::Itself,
        text: Some(text.into()),
        last_agent_activity_at_ms: Some(UnixMs(80)),
        error: None,
        usage: RunUsage { read: 100, written: 10, cost_micros: Some(7), turns: 1, tools: 2 },
    }
}

fn beat(doing: &str) -> RunReport {
    RunReport::Progressed(RunBeat { doing: Some(doing.into()), ..RunBeat::default() })
}

fn stands(play: &mut Play, launch: &HostLaunch) -> (SemanticState, ProcessState) {
    let row = play.show(&launch.session).row;
    (row.state, row.process_state)
}

fn applied(outcome: &CommandOutcome) {
    assert!(matches!(outcome, CommandOutcome::Applied { .. }), "{outcome:?}");
}

fn refused(outcome: &CommandOutcome, kind: RefusalKind) {
    assert!(matches!(outcome, CommandOutcome::Refused(refusal) if refusal.kind == kind), "{outcome:?}");
}

fn remembered(play: &Play) -> i64 {
    let database = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
    database.query_row("SELECT COUNT(*) FROM commands", [], |row| row.get(0)).unwrap()
}

#[test]
fn c10_1_a_run_from_its_request_to_its_classification() {
    let mut play = Play::new();
    let launch = at_rest(&mut play);
    applied(&outcome(&send(&mut play, CommandSource::Person, "queue", "run_1", RunReport::Queued)));
    assert_eq!(stands(&mut play, &launch), (SemanticState::Queued, ProcessState::Alive));
    applied(&says(&mut play, "begin", RunReport::Started(beginning())));
    assert_eq!(stands(&mut play, &launch), (SemanticState::Working, ProcessState::Alive));
    // Beats: shown four times a second, written and remembered never, also without a name of their own.
    let (before, names) = (journal(&play), remembered(&play));
    let mut shown = 0;
    let mut due = None;
    for at in (10_000..11_000).step_by(10) {
        play.stage.0.uptime.set(at);
        if due.take_if(|due| *due <= at).is_some() {
            shown += play.coordinator.handle(vec![Input::ShowDue { session: launch.session.clone() }]).len();
        }
        let outputs = send(&mut play, CommandSource::Run, "", "run_1", beat(&format!("step {at}")));
        applied(&outcome(&outputs));
        for output in &outputs {
            match output {
                Output::BoardChanged { .. } => shown += 1,
                Output::ShowLater { after_ms, .. } => due = Some(at + after_ms),
                _ => {}
            }
        }
    }
    assert_eq!(shown, 4, "a hundred beats in a second");
    assert_eq!((journal(&play), remembered(&play)), (before, names));
    applied(&says(&mut play, "end", RunReport::Finalized(end("Everything is green."))));
    let detail = play.show(&launch.session);
    assert_eq!((detail.row.state, detail.row.process_state), (SemanticState::Idle, ProcessState::Exited));
    assert_eq!(detail.agent.tokens_read, 100);
    let classification = detail.classification.expect("the last words were read");
    assert_eq!(classification.reason, "No clear completion or input signal");
    // What is made of them afterwards.
    let summary = RunReport::Patched { summary: Some("It is green".into()), preview: None };
    applied(&says(&mut play, "patch", summary));
    journal(&play);
}

// The report of the beginning overtakes the request: it applies and is pinned, and the request does not undo it.
#[test]
fn c10_2_a_beginning_that_overtakes_its_request_counts() {
    let mut play = Play::new();
    let launch = at_rest(&mut play);
    applied(&says(&mut play, "begin", RunReport::Started(beginning())));
    assert_eq!(stands(&mut play, &launch), (SemanticState::Working, ProcessState::Alive));
    applied(&outcome(&send(&mut play, CommandSource::Person, "queue", "run_1", RunReport::Queued)));
    assert_eq!(stands(&mut play, &launch), (SemanticState::Working, ProcessState::Alive));
    // Another run may not push it aside while it works, and is not believed about it.
    let other = outcome(&send(&mut play, CommandSource::Run, "o", "run_2", RunReport::Started(beginning())));
    refused(&other, RefusalKind::StaleRun);
    let other = outcome(&send(&mut play, CommandSource::Run, "p", "run_2", RunReport::Finalized(end("x"))));
    refused(&other, RefusalKind::StaleRun);
    applied(&says(&mut play, "end", RunReport::Finalized(end("Everything is green."))));
    refused(&says(&mut play, "again", RunReport::Finalized(end("x"))), RefusalKind::StaleRun);
    assert_eq!(play.log(&launch.session), ["stale_run"; 3]);
    journal(&play);
}

// The daemon was away when the run began: the first beat that says everything stands for the beginning.
#[test]
fn c10_3_a_lost_beginning_is_found_in_the_first_full_beat() {
    let mut play = Play::new();
    let launch = at_rest(&mut play);
    applied(&outcome(&send(&mut play, CommandSource::Person, "queue", "run_1", RunReport::Queued)));
    refused(&says(&mut play, "", beat("Running tests")), RefusalKind::StaleRun);
    refused(&says(&mut play, "early", RunReport::Finalized(end("x"))), RefusalKind::StaleRun);
    let before = journal(&play);
    let full = || {
        let beat = RunBeat { start: Some(beginning()), doing: Some("Running tests".into()), preview: None };
        RunReport::Progressed(beat)
    };
    applied(&says(&mut play, "", full()));
    assert_eq!(stands(&mut play, &launch), (SemanticState::Working, ProcessState::Alive));
    assert_eq!(play.show(&launch.session).row.summary, "make");
    applied(&says(&mut play, "", full()));
    assert_eq!(journal(&play), before + 1, "the beginning is written once, a beat never");
    let (mut play, _) = play.restart();
    applied(&says(&mut play, "end", RunReport::Finalized(end("Which one do you want?"))));
    assert_eq!(stands(&mut play, &launch), (SemanticState::NeedsInput, ProcessState::Exited));
    journal(&play);
}

#[test]
fn ends_of_runs_by_how_they_ended() {
    use SemanticState as S;
    type Change = fn(&mut RunEnd);
    let table: [(&str, Change, S, Option<&str>); 6] = [
        ("well", |_| {}, S::Idle, None),
        ("with a question", |end| end.text = Some("Which one?".into()), S::NeedsInput, None),
        ("badly", |end| end.exit_code = Some(3), S::Failed, Some("exit code 3")),
        ("by a signal", |end| end.exit_code = None, S::Failed, Some("a signal ended it")),
        (
            "with an error of the model",
            |end| {
                end.stop = Some(RunStop::Error);
                end.error = Some("529 overloaded".into());
            },
            S::Failed,
            Some("529 overloaded"),
        ),
        (
            "by a person",
            |end| {
                end.ending = RunEnding::StoppedByPerson;
                end.exit_code = None;
            },
            S::Stopped,
            None,
        ),
    ];
    for (name, change, state, error) in table {
        let mut play = Play::new();
        let launch = at_rest(&mut play);
        says(&mut play, "begin", RunReport::Started(beginning()));
        let mut ended = end("It is in place.");
        change(&mut ended);
        applied(&says(&mut play, "end", RunReport::Finalized(ended)));
        let row = play.show(&launch.session).row;
        assert_eq!((row.state, row.process_state), (state, ProcessState::Exited), "{name}");
        assert_eq!(row.error.as_deref(), error, "{name}");
        journal(&play);
    }
}

#[test]
fn plans_and_words_that_waited() {
    let mut play = Play::new();
    let launch = at_rest(&mut play);
    says(&mut play, "begin", RunReport::Started(RunStart { kind: RunKind::Plan, ..beginning() }));
    let plan = || RunReport::PlanReady { question: None, plan: None };
    refused(&says(&mut play, "p1", plan()), RefusalKind::NoChange);
    says(&mut play, "end", RunReport::Finalized(end("First this, then that.")));
    applied(&says(&mut play, "p2", plan()));
    let row = play.show(&launch.session).row;
    assert_eq!((row.state, row.question.as_deref()), (SemanticState::NeedsInput, Some("Approve this plan?")));
    // Words that had waited begin another run, which replaces this one.
    let followed = send(&mut play, CommandSource::Service, "f", "run_2", RunReport::FollowedUp(beginning()));
    applied(&outcome(&followed));
    assert_eq!(stands(&mut play, &launch), (SemanticState::Working, ProcessState::Alive));
    refused(
        &says(&mut play, "late", RunReport::PlanReady { question: None, plan: None }),
        RefusalKind::StaleRun,
    );
    journal(&play);
}

#[test]
fn what_is_no_command_is_refused_before_anything_is_decided() {
    let mut play = Play::new();
    let launch = at_rest(&mut play);
    let (before, names) = (journal(&play), remembered(&play));
    let bad = outcome(&send(&mut play, CommandSource::Run, "b", "", RunReport::Queued));
    refused(&bad, RefusalKind::BadInput);
    refused(&says(&mut play, "", RunReport::Queued), RefusalKind::BadInput);
    assert_eq!((journal(&play), remembered(&play)), (before, names), "it is neither written nor remembered");
    assert_eq!(play.log(&launch.session), Vec::<String>::new());
}

// What a run says about itself is its own to say (reference C.5, patch_fields).
#[test]
fn nobody_but_a_run_patches_what_it_says() {
    let mut play = Play::new();
    let launch = at_rest(&mut play);
    applied(&says(&mut play, "b", RunReport::Started(beginning())));
    let before = play.show(&launch.session).row;
    let patch = || RunReport::Patched { summary: Some("Mine".into()), preview: Some("Mine".into()) };
    for (id, source) in [("p1", CommandSource::Service), ("p2", CommandSource::Classifier)] {
        let said = outcome(&send(&mut play, source, id, "run_1", patch()));
        refused(&said, RefusalKind::FieldNotAllowed);
        assert_eq!(play.show(&launch.session).row, before, "{source:?}");
    }
    applied(&says(&mut play, "p3", patch()));
}

// A run that is killed says nothing: its process is looked at, at the start of a daemon and on a tick (I.3 A10).
#[test]
fn i3_a10_a_run_whose_process_is_gone_has_failed_in_the_same_pass() {
    for restarted in [Restarted::No, Restarted::Yes] {
        let mut play = Play::new();
        let launch = at_rest(&mut play);
        says(&mut play, "begin", RunReport::Started(beginning()));
        play.coordinator.handle(vec![Input::Tick]);
        assert_eq!(stands(&mut play, &launch), (SemanticState::Working, ProcessState::Alive));
        play.kill(70);
        let mut play = match restarted {
            Restarted::Yes => play.restart().0,
            Restarted::No => {
                play.coordinator.handle(vec![Input::Tick]);
                play
            }
        };
        assert_eq!(stands(&mut play, &launch), (SemanticState::Failed, ProcessState::Exited));
        let row = play.show(&launch.session).row;
        assert_eq!(row.error.as_deref(), Some("Runner exited unexpectedly"));
        let before = journal(&play);
        play.coordinator.handle(vec![Input::Tick]);
        assert_eq!(journal(&play), before, "it is said once");
    }
}

fn signals(outputs: &[Output]) -> Vec<(u32, Force)> {
    let signal = |output: &Output| match output {
        Output::Signal { process, force } => Some((process.pid, *force)),
        _ => None,
    };
    outputs.iter().filter_map(signal).collect()
}

fn person(play: &mut Play, id: &str, command: Command) -> Vec<Output> {
    let input = play.command(id, command);
    play.coordinator.handle(vec![input])
}

#[test]
fn d2_a_stop_between_request_and_process_reaches_the_process() {
    let mut play = Play::new();
    let launch = at_rest(&mut play);
    let session = launch.session.clone();
    applied(&outcome(&send(&mut play, CommandSource::Person, "queue", "run_1", RunReport::Queued)));
    let outputs = person(&mut play, "stop", Command::Stop { session: session.clone() });
    assert_eq!(signals(&outputs), [], "nobody is there yet");
    let spawned =
        Input::RunSpawned { session: session.clone(), run: RunId("run_1".into()), process: process(70) };
    let outputs = play.coordinator.handle(vec![spawned]);
    assert_eq!(signals(&outputs), [(70, Force::Ask)]);
    // The signal was lost with a daemon: the next one says it again, and does not wait for ever.
    let (mut play, outputs) = play.restart();
    assert_eq!(signals(&outputs), [(70, Force::Ask)]);
    play.stage.0.uptime.set(600_000);
    let outputs = play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(signals(&outputs), [(70, Force::Kill)]);
    play.kill(70);
    play.coordinator.handle(vec![Input::HostEnded { session }]);
    assert_eq!(stands(&mut play, &launch), (SemanticState::Stopped, ProcessState::Exited));
    journal(&play);
}

#[test]
fn d2_a_run_that_never_came_ends_as_stopped_when_a_person_asked() {
    for asked in [Restarted::No, Restarted::Yes] {
        let mut play = Play::new();
        let launch = at_rest(&mut play);
        let session = launch.session.clone();
        applied(&outcome(&send(&mut play, CommandSource::Person, "queue", "run_1", RunReport::Queued)));
        let expected = match asked {
            Restarted::Yes => {
                person(&mut play, "stop", Command::Stop { session: session.clone() });
                SemanticState::Stopped
            }
            Restarted::No => SemanticState::Failed,
        };
        play.coordinator.handle(vec![Input::Tick]);
        assert_eq!(stands(&mut play, &launch).0, SemanticState::Queued, "it may still come");
        play.stage.0.uptime.set(10_000);
        play.coordinator.handle(vec![Input::Tick]);
        assert_eq!(stands(&mut play, &launch), (expected, ProcessState::Exited));
        // What comes now comes too late, and is told to go.
        let spawned = Input::RunSpawned { session, run: RunId("run_1".into()), process: process(70) };
        let outputs = play.coordinator.handle(vec![spawned]);
        assert_eq!(signals(&outputs), [(70, Force::Ask)]);
        refused(&says(&mut play, "end", RunReport::Finalized(end("Done."))), RefusalKind::StaleRun);
        assert_eq!(stands(&mut play, &launch).0, expected);
    }
}

#[test]
fn d2_an_end_that_a_person_asked_for_is_a_stop() {
    let mut play = Play::new();
    let launch = at_rest(&mut play);
    applied(&outcome(&send(&mut play, CommandSource::Person, "queue", "run_1", RunReport::Queued)));
    applied(&says(&mut play, "begin", RunReport::Started(beginning())));
    let outputs = person(&mut play, "stop", Command::Stop { session: launch.session.clone() });
    assert_eq!(signals(&outputs), [(70, Force::Ask)]);
    // It had just ended by itself.
    applied(&says(&mut play, "end", RunReport::Finalized(end("Shall I go on?"))));
    assert_eq!(stands(&mut play, &launch), (SemanticState::Stopped, ProcessState::Exited));
}

#[test]
fn d2_a_row_that_works_is_stopped_and_then_removed() {
    let mut play = Play::new();
    let launch = at_rest(&mut play);
    applied(&outcome(&send(&mut play, CommandSource::Person, "queue", "run_1", RunReport::Queued)));
    applied(&says(&mut play, "begin", RunReport::Started(beginning())));
    let outputs = person(&mut play, "rm", Command::Remove { session: launch.session.clone() });
    assert_eq!(signals(&outputs), [(70, Force::Ask)]);
    assert!(play.coordinator.sessions().contains_key(&launch.session));
    let mut stopped = end("");
    stopped.ending = RunEnding::StoppedByPerson;
    says(&mut play, "end", RunReport::Finalized(stopped));
    assert!(play.coordinator.sessions().is_empty());
}

// A pid of before the restart may be somebody else's now, with the same number of ticks since the boot.
#[test]
fn d9_no_run_outlives_a_restart_of_the_machine() {
    for asked in [Restarted::No, Restarted::Yes] {
        let mut play = Play::new();
        let launch = at_rest(&mut play);
        applied(&outcome(&send(&mut play, CommandSource::Person, "queue", "run_1", RunReport::Queued)));
        applied(&says(&mut play, "begin", RunReport::Started(beginning())));
        let expected = match asked {
            Restarted::Yes => {
                person(&mut play, "stop", Command::Stop { session: launch.session.clone() });
                SemanticState::Stopped
            }
            Restarted::No => SemanticState::Failed,
        };
        *play.stage.0.boot.borrow_mut() = "first".into();
        let (play, _) = play.restart();
        *play.stage.0.boot.borrow_mut() = "second".into();
        let (mut play, outputs) = play.restart();
        assert_eq!(signals(&outputs), [], "nobody else is signalled");
        assert_eq!(stands(&mut play, &launch), (expected, ProcessState::Exited));
        // The next run is no older for that.
        play.stage.0.running.borrow_mut().insert(70);
        applied(&outcome(&send(&mut play, CommandSource::Person, "again", "run_2", RunReport::Queued)));
        play.coordinator.handle(vec![Input::Tick]);
        assert_eq!(stands(&mut play, &launch), (SemanticState::Queued, ProcessState::Alive));
    }
}

#[derive(Clone, Copy)]
enum Restarted {
    No,
    Yes,
}

// Reference C.10, flow 7. What the reference mends at the next start cannot come about here: the journal and what follows
// from it are one transaction.
#[test]
fn c10_7_a_crash_between_the_journal_and_what_follows_from_it_leaves_neither() {
    let mut play = Play::new();
    let launch = at_rest(&mut play);
    let before = journal(&play);
    let breaker = rusqlite::Connection::open(play.directory.path().join("board.db")).unwrap();
    breaker
        .execute_batch("CREATE TRIGGER torn BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'torn'); END")
        .unwrap();
    let done = play.command("done", Command::MarkCompleted { session: launch.session.clone() });
    let outputs = play.coordinator.handle(vec![done.clone()]);
    assert!(
        !outputs.iter().any(|output| matches!(output, Output::Answer { answer: Ok(_), .. })),
        "{outputs:?}"
    );
    let (mut play, _) = play.restart();
    assert_eq!(journal(&play), before);
    assert_eq!(stands(&mut play, &launch).0, SemanticState::Idle);
    breaker.execute_batch("DROP TRIGGER torn").unwrap();
    // Nobody was told that it had happened, so it is said again, and happens.
    applied(&outcome(&play.coordinator.handle(vec![done])));
    assert_eq!(stands(&mut play, &launch).0, SemanticState::Completed);
    journal(&play);
}

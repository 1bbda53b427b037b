//! Idle processes on a real store: which get the order, what the row says afterwards, and what brings it back
//! (decision 14, reference D.7, I.6 warm hosts #75).

use super::{
    agent::{HOST, journal, prepared, running, says, spawned},
    *,
};
use crate::{
    agents::AgentKind,
    coordinator::{Environment, NO_SWEEP, warm::WarmSettings},
    model::is_unread,
};
use board_protocol::{
    command::{EnvVar, Launch, Remember, ReplyDelivery, StartSession},
    host::{AttachMode, AttachedClient, HostFact, HostLaunch, HostOrder, HostRegistration, TextField},
    state::{HostState, SemanticState},
};
use serde_bytes::ByteBuf;
use serde_json::json;

const SETTINGS: WarmSettings = WarmSettings { max: 4, ttl_ms: 600_000, grace_ms: 30_000 };
const START: u64 = 1_000_000;

/// A session of pi that has answered and waits, with an empty text field; the next number is 7.
fn idle(play: &mut Play) -> HostLaunch {
    play.stage.0.warm.set(Some(SETTINGS));
    play.stage.0.now.set(START);
    let launch = running(play);
    play.coordinator.handle(vec![
        says(&launch, 4, json!({"type": "message_end", "message": {"role": "assistant", "content": [{"type": "text", "text": "All of it is fixed now."}], "usage": {"input": 1, "output": 1}}})),
        says(&launch, 5, json!({"type": "agent_settled"})),
        says(&launch, 6, json!({"type": "editor", "state": "empty"})),
    ]);
    assert_eq!(record(play, &launch).state, SemanticState::Idle);
    launch
}

fn record<'a>(play: &'a Play, launch: &HostLaunch) -> &'a crate::model::SessionRecord {
    &play.coordinator.sessions()[&launch.session]
}

/// The orders to end something idle that a sweep leads to at this moment, so many milliseconds after the start.
fn sweep(play: &mut Play, after: u64) -> usize {
    play.stage.0.now.set(START + after);
    let outputs = play.coordinator.handle(vec![Input::Sweep]);
    reclaims(&outputs)
}

fn reclaims(outputs: &[Output]) -> usize {
    orders(outputs).into_iter().filter(|order| **order == HostOrder::Reclaim).count()
}

/// Its host ends the program: the two facts that it says then.
fn ends(play: &mut Play, seq: u64) -> Vec<Output> {
    let mut outputs = play.coordinator.handle(vec![reported(HOST, seq, HostFact::Reclaimed)]);
    let over = HostFact::ChildExited {
        exit: board_protocol::host::Exit::Signal(15),
        last_screen: "the end".into(),
        strays: Vec::new(),
    };
    outputs.extend(play.coordinator.handle(vec![reported(HOST, seq + 1, over)]));
    outputs
}

#[test]
fn i6_75_a1_a_swept_row_keeps_its_state_and_says_that_it_resumes() {
    let mut play = Play::new();
    let launch = idle(&mut play);
    let before = record(&play, &launch).clone();
    assert_eq!(sweep(&mut play, 599_999), 0);
    assert_eq!(sweep(&mut play, 600_000), 1);
    // The order alone changes nothing: the host may refuse.
    assert_eq!(record(&play, &launch), &before);
    ends(&mut play, 7);
    let after = record(&play, &launch).clone();
    assert_eq!((after.state, after.host.state), (SemanticState::Idle, HostState::Exited));
    assert_eq!((after.error.as_ref(), after.ending.as_ref(), after.stop), (None, None, None));
    assert_eq!((after.spoke_at, after.last_activity_at), (before.spoke_at, before.last_activity_at));
    assert_eq!(after.agent_record.evidence, before.agent_record.evidence);
    assert!(!is_unread(&after) || is_unread(&before), "a sweep is no news");
    let row = play.show(&launch.session).row;
    assert!(row.resumes_on_attach && !row.busy && row.ended.is_none(), "{row:?}");
    assert_eq!(row.host_state, HostState::Exited);
    assert!(play.log(&launch.session).contains(&"host_reclaimed".to_owned()));
    assert!(
        !play.log(&launch.session).iter().any(|code| code == "host_reconciled" || code == "manual_fence")
    );
    journal(&play);
    // It is no candidate any more.
    assert_eq!(sweep(&mut play, 9_000_000), 0);
}

#[test]
fn i6_75_a2_a_verdict_outlives_the_process() {
    for (id, command) in [
        ("done", Command::MarkCompleted { session: SessionId(String::new()) }),
        ("aside", Command::MarkHolding { session: SessionId(String::new()) }),
    ] {
        let mut play = Play::new();
        let launch = idle(&mut play);
        let session = launch.session.clone();
        let command = match command {
            Command::MarkCompleted { .. } => Command::MarkCompleted { session },
            _ => Command::MarkHolding { session },
        };
        let input = play.command(id, command);
        play.coordinator.handle(vec![input]);
        let state = record(&play, &launch).state;
        assert_eq!(sweep(&mut play, 700_000), 1, "{id}");
        ends(&mut play, 7);
        let after = record(&play, &launch);
        assert!(after.is_manual_verdict() && after.state == state && after.rests(), "{id}: {after:?}");
        assert!(!play.log(&launch.session).contains(&"manual_fence".to_owned()), "{id}");
        journal(&play);
    }
}

#[test]
fn i6_75_a3_whoever_came_between_the_decision_and_the_order_is_seen() {
    let mut play = Play::new();
    idle(&mut play);
    play.stage.0.now.set(START + 700_000);
    // In the same turn, behind the sweep's own input: the selection looks at what is recorded at its end.
    let attached = vec![AttachedClient { mode: AttachMode::ReadOnly, place: None }];
    let changed = |seq, attached| Input::HostReported {
        connection: HOST,
        seq: FactSeq(seq),
        at: UnixMs(START + 700_000),
        fact: HostFact::AttachedChanged { attached, left: None },
    };
    let outputs = play.coordinator.handle(vec![Input::Sweep, changed(7, attached)]);
    assert_eq!(reclaims(&outputs), 0);
    play.coordinator.handle(vec![changed(8, Vec::new())]);
    assert_eq!(sweep(&mut play, 700_001), 0, "whoever left it has just used it");
    assert_eq!(sweep(&mut play, 1_400_000), 1);
}

#[test]
fn i6_75_a4_a_host_of_an_older_build_never_gets_the_order() {
    let mut play = Play::new();
    let launch = idle(&mut play);
    let registration = registration(&launch, 50);
    let again = Input::HostRegistered { connection: ConnectionId(9), version: 5, registration };
    play.coordinator.handle(vec![again]);
    assert_eq!(sweep(&mut play, 700_000), 0);
}

#[test]
fn i6_75_a6_a_start_sweeps_and_one_from_inside_a_session_does_not() {
    for (variables, expected) in [(None, 1), (Some("1"), 0), (Some(""), 1)] {
        let mut play = Play::new();
        idle(&mut play);
        play.stage.0.now.set(START + 700_000);
        let start = StartSession {
            name: None,
            agent: AgentKind::Generic.name().into(),
            launch: Launch::Task("make".into()),
            cwd: "/".into(),
            size: None,
            model: None,
            thinking: None,
            tags: Vec::new(),
            remember: Remember::Nothing,
        };
        let mut input = play.command("other", Command::Start(start));
        if let (Input::Command { environment, .. }, Some(value)) = (&mut input, variables) {
            let (name, value) = (ByteBuf::from(NO_SWEEP), ByteBuf::from(value));
            *environment = Some(Environment { variables: vec![EnvVar { name, value }], taken_at: UnixMs(1) });
        }
        let outputs = play.coordinator.handle(vec![input]);
        assert_eq!(reclaims(&outputs), expected, "{variables:?}");
    }
}

#[test]
fn i6_75_a7_a_process_inside_a_session_never_sweeps() {
    let mut play = Play::new();
    idle(&mut play);
    play.stage.0.warm.set(None);
    assert_eq!(sweep(&mut play, 9_000_000), 0);
    play.stage.0.uptime.set(9_000_000);
    let outputs = play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(reclaims(&outputs), 0);
}

#[test]
fn i6_75_a8_the_first_tick_after_the_hosts_had_time_to_come_back_sweeps_once() {
    let mut play = Play::new();
    idle(&mut play);
    play.stage.0.now.set(START + 700_000);
    let mut ticks = Vec::new();
    for uptime in [5_000, 10_000, 15_000] {
        play.stage.0.uptime.set(uptime);
        ticks.push(reclaims(&play.coordinator.handle(vec![Input::Tick])));
    }
    assert_eq!(ticks, [0, 1, 0]);
}

// The agent has nothing more to say, and what it said about its text field was in the memory of the daemon before.
#[test]
fn d7_a_daemon_that_was_started_since_hears_what_the_text_field_holds() {
    for (text_field, swept) in [(Some(TextField::Empty), 1), (Some(TextField::HasText), 0), (None, 0)] {
        let mut play = Play::new();
        let launch = idle(&mut play);
        let (mut play, _) = play.restart();
        play.stage.0.warm.set(Some(SETTINGS));
        let registration = HostRegistration {
            child: Some(crate::model::samples::process(51)),
            text_field,
            ..registration(&launch, 50)
        };
        play.coordinator.handle(vec![Input::HostRegistered { connection: HOST, version: 6, registration }]);
        assert_eq!(sweep(&mut play, 700_000), swept, "{text_field:?}");
    }
}

#[test]
fn d7_an_attach_that_comes_while_the_process_ends_goes_on_with_the_session() {
    let mut play = Play::new();
    let launch = idle(&mut play);
    assert_eq!(sweep(&mut play, 700_000), 1);
    play.coordinator.handle(vec![reported(HOST, 7, HostFact::Reclaimed)]);
    let detail = play.show(&launch.session);
    assert_eq!(
        (detail.row.host_state, detail.host),
        (HostState::Stopping, None),
        "nobody is let in any more"
    );
    let session = launch.session.clone();
    let resume = prepared(play.command("enter", Command::Resume { session }));
    let outputs = play.coordinator.handle(vec![resume]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }));
    let outputs = play.coordinator.handle(vec![reported(HOST, 8, exit(0))]);
    let next = spawned(&outputs);
    assert_eq!(next.session, launch.session);
    assert_ne!(next.generation, launch.generation);
    let row = play.show(&launch.session).row;
    assert_eq!((row.host_state, row.resumes_on_attach), (HostState::Starting, false));
    journal(&play);
}

#[test]
fn d7_words_that_come_while_the_process_ends_bring_it_back_and_reach_it() {
    let mut play = Play::new();
    let launch = idle(&mut play);
    assert_eq!(sweep(&mut play, 700_000), 1);
    play.coordinator.handle(vec![reported(HOST, 7, HostFact::Reclaimed)]);
    let (session, text) = (launch.session.clone(), "go on".to_owned());
    let reply = Command::Reply { session, text, delivery: ReplyDelivery::Auto };
    let input = prepared(play.command("reply", reply));
    let outputs = play.coordinator.handle(vec![input]);
    assert!(!orders(&outputs).iter().any(|order| matches!(order, HostOrder::Deliver { .. })));
    let next = spawned(&play.coordinator.handle(vec![reported(HOST, 8, exit(0))]));
    play.host_comes(&next, 60, 2);
    let mut ready = says(&next, 2, json!({"type": "session_start", "reason": "resume"}));
    if let Input::HostReported { connection, .. } = &mut ready {
        *connection = ConnectionId(2);
    }
    let outputs = play.coordinator.handle(vec![ready]);
    assert!(orders(&outputs).iter().any(|order| matches!(order, HostOrder::Deliver { .. })), "{outputs:?}");
}

#[test]
fn d7_a_stop_that_comes_while_the_process_ends_is_a_stop() {
    let mut play = Play::new();
    let launch = idle(&mut play);
    play.coordinator.handle(vec![reported(HOST, 7, HostFact::Reclaimed)]);
    let session = launch.session.clone();
    let resume = prepared(play.command("enter", Command::Resume { session: session.clone() }));
    let stop = play.command("stop", Command::Stop { session });
    play.coordinator.handle(vec![resume, stop]);
    let outputs = play.coordinator.handle(vec![reported(HOST, 8, exit(0))]);
    assert!(!outputs.iter().any(|output| matches!(output, Output::Spawn(_))));
    assert_eq!(record(&play, &launch).state, SemanticState::Stopped);
    assert!(!play.show(&launch.session).row.resumes_on_attach);
    journal(&play);
}

#[test]
fn f16_a_daemon_that_comes_back_finds_a_swept_row_at_rest_and_starts_nothing() {
    let mut play = Play::new();
    let launch = idle(&mut play);
    ends(&mut play, 7);
    play.kill(50);
    for _ in 0..3 {
        let (after, outputs) = play.restart();
        play = after;
        play.stage.0.uptime.set(play.stage.0.uptime.get() + 60_000);
        let ticked = play.coordinator.handle(vec![Input::Tick, Input::Sweep]);
        for output in outputs.iter().chain(&ticked) {
            assert!(
                !matches!(output, Output::Spawn(_) | Output::Order { .. } | Output::Signal { .. }),
                "{output:?}"
            );
        }
        let row = play.show(&launch.session).row;
        assert!(row.resumes_on_attach && row.state == SemanticState::Idle, "{row:?}");
    }
}

#[test]
fn d9_a_host_that_is_killed_while_it_ends_an_idle_program_leaves_the_row_at_rest() {
    let mut play = Play::new();
    let launch = idle(&mut play);
    play.coordinator.handle(vec![reported(HOST, 7, HostFact::Reclaimed)]);
    play.kill(50);
    play.kill(51);
    play.coordinator.handle(vec![Input::HostLeft { connection: HOST }]);
    let row = play.show(&launch.session).row;
    assert!(row.resumes_on_attach && row.state == SemanticState::Idle && row.error.is_none(), "{row:?}");
}

#[test]
fn a_row_lists_only_processes_that_still_run() {
    let mut play = Play::new();
    let (launch, _) = play.start("start");
    play.host_comes(&launch, 50, 1);
    let stray = |pid| board_protocol::daemon::Stray {
        process: crate::model::samples::process(pid),
        command: "s".into(),
    };
    play.stage.0.running.borrow_mut().extend([70, 71]);
    let exit = board_protocol::host::Exit::Code(0);
    let over = HostFact::ChildExited { exit, last_screen: String::new(), strays: vec![stray(70), stray(71)] };
    play.coordinator.handle(vec![reported(HOST, 2, over)]);
    assert_eq!(play.show(&launch.session).row.strays, 2);
    play.kill(70);
    play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(play.show(&launch.session).strays, [stray(71)]);
    play.kill(71);
    play.coordinator.handle(vec![Input::Tick]);
    assert_eq!(play.show(&launch.session).row.strays, 0);
    journal(&play);
}

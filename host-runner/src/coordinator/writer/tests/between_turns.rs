//! Terminals of a session without a terminal of its own: its process ends with every turn, and they do not (reference G).

use super::{
    terminals::{answer, applied, open_as, opened, plain, stopped},
    *,
};
use crate::coordinator::terminals::IDLE_BETWEEN_TURNS_MS;
use board_protocol::{
    host::HostLaunch,
    ids::RunId,
    run::{RunEnd, RunEnding, RunReport, RunStart, RunStop, RunUsage},
    state::CommandSource,
};

/// A session without a terminal whose first turn runs, and its secret.
fn headless(play: &mut Play) -> HostLaunch {
    let (launch, _) = play.start("headless");
    play.host_comes(&launch, 50, 1);
    play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    run(play, &launch, "r1", RunReport::Queued);
    play.stage.0.running.borrow_mut().insert(90);
    let start = RunStart { process: Some(process(90)), prompt: "go".into(), ..RunStart::default() };
    run(play, &launch, "r1", RunReport::Started(start));
    launch
}

fn run(play: &mut Play, launch: &HostLaunch, run: &str, report: RunReport) -> Vec<Output> {
    let id = format!("{run} {}", play.tickets);
    let source = if report == RunReport::Queued { CommandSource::Person } else { CommandSource::Run };
    let command = Command::ReportRun { session: launch.session.clone(), run: RunId(run.into()), report };
    let input = play.command_of(source, &id, command);
    let outputs = play.coordinator.handle(vec![input]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }), "{:?}", outcome(&outputs));
    outputs
}

fn run_ends(play: &mut Play, launch: &HostLaunch) -> Vec<Output> {
    let end = RunEnd {
        ended_at_ms: UnixMs(90),
        exit_code: Some(0),
        stop: Some(RunStop::Done),
        ending: RunEnding::Itself,
        text: Some("All of it is fixed now.".into()),
        last_agent_activity_at_ms: Some(UnixMs(80)),
        error: None,
        usage: RunUsage { read: 1, written: 1, cost_micros: None, turns: 1, tools: 0 },
    };
    run(play, launch, "r1", RunReport::Finalized(end))
}

#[test]
fn g4_the_server_of_a_headless_session_is_there_for_its_next_turn() {
    type Ends = fn(&SessionId) -> Command;
    let ways: [(&str, Ends); 3] = [
        ("done", |session| Command::MarkCompleted { session: session.clone() }),
        ("removed", |session| Command::Remove { session: session.clone() }),
        ("forgotten", |session| Command::Visit { session: session.clone() }),
    ];
    for (way, ends) in ways {
        let mut play = Play::new();
        let owner = headless(&mut play);
        opened(&mut play, &owner, "open", 60);
        assert_eq!(stopped(&run_ends(&mut play, &owner)), [0; 0], "{way}");
        // Between turns there is no agent that could open another one.
        let refusal = answer(&open_as(&mut play, &owner, "between", plain("sh"))).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::WrongState);
        play.stage.0.now.set(IDLE_BETWEEN_TURNS_MS - 1);
        assert_eq!(stopped(&play.coordinator.handle(vec![Input::Tick])), [0; 0], "{way}");
        let mut outputs = applied(&mut play, way, ends(&owner.session));
        if way == "forgotten" {
            assert_eq!(stopped(&outputs), [0; 0]);
            play.stage.0.now.set(IDLE_BETWEEN_TURNS_MS + 1_000);
            outputs = play.coordinator.handle(vec![Input::Tick]);
        }
        assert_eq!(stopped(&outputs), [60], "{way}");
        agent::journal(&play);
    }
}

//! What becomes of a person's intents: asked once, answered once, also without a daemon that answers.

use super::*;
use board_protocol::{
    command::{Command, CommandOutcome, Launch, StartSession},
    ids::CommandId,
    pipe::{Intent, Query},
};

fn intent(machine: &mut Machine, id: &str, intent: Intent, now: Duration) -> Vec<Output> {
    machine.on(up(1, Up::Intent { command_id: CommandId(id.into()), intent }), now)
}

fn start(cwd: &str) -> Intent {
    Intent::Start(StartSession {
        name: None,
        agent: "generic".into(),
        launch: Launch::Task("make".into()),
        cwd: cwd.into(),
        size: None,
        model: None,
        thinking: None,
        tags: Vec::new(),
        remember: Default::default(),
    })
}

#[test]
fn an_intent_becomes_a_command_and_gets_its_outcome_also_over_a_new_connection() {
    let mut machine = settled(vec![]);
    let asked = intent(&mut machine, "c1", start(""), ms(200));
    let [Output::Ask { id, request: Request::Command(envelope) }] = &asked[..] else { panic!("{asked:?}") };
    assert!(matches!(&envelope.command, Command::Start(start) if start.cwd == "/work"));
    assert!(envelope.environment.is_some());
    let id = *id;
    let lost = DaemonHealth::Unreachable { text: "gone".into() };
    let outputs = machine.on(Input::Daemon(DaemonEvent::Lost(lost)), ms(210));
    assert_eq!(kinds(&outputs), ["daemon", "ping"], "said at once");
    machine.on(ack(&outputs), ms(211));
    let outputs = machine.on(connected("d"), ms(300));
    assert!(outputs.contains(&asked[0]), "asked again under the same id");
    machine.on(ack(&outputs), ms(301));
    let outcome = CommandOutcome::Applied { session: SessionId("s".into()), notice: None };
    let answered = DaemonEvent::Answered { id, answer: Ok(Answer::Outcome(outcome.clone())) };
    let outputs = machine.on(Input::Daemon(answered), ms(400));
    assert_eq!(
        lines(&outputs)[0],
        Down::Outcome { instance: InstanceId(1), command_id: CommandId("c1".into()), outcome }
    );
}

// Field report F20: the daemon accepts and never answers.
#[test]
fn f20_an_intent_without_an_answer_is_refused_in_time() {
    let mut machine = settled(vec![]);
    let stop = Intent::Stop { session: SessionId("s".into()) };
    intent(&mut machine, "c1", stop, ms(200));
    let mut refused = None;
    while refused.is_none() {
        let now = machine.next_deadline().unwrap();
        assert!(now <= ms(3200), "too late");
        let outputs = machine.on(Input::Tick, now);
        refused = lines(&outputs).into_iter().find(|line| matches!(line, Down::Outcome { .. }));
        machine.on(ack(&outputs), now);
    }
    let Some(Down::Outcome { outcome: CommandOutcome::Refused(refusal), .. }) = refused else { panic!() };
    assert!(refusal.text.contains("try again"), "{refusal}");
}

#[test]
fn without_a_daemon_an_intent_is_refused_at_once_with_the_reason() {
    let mut machine = settled(vec![]);
    let health = DaemonHealth::ShutDown { text: "the board was shut down".into() };
    let outputs = machine.on(Input::Daemon(DaemonEvent::Lost(health.clone())), ms(200));
    machine.on(ack(&outputs), ms(201));
    assert_eq!(intent(&mut machine, "c1", start("/x"), ms(210)), []);
    let outputs = machine.on(Input::Tick, ms(260));
    let Down::Outcome { outcome: CommandOutcome::Refused(refusal), .. } = &lines(&outputs)[0] else {
        panic!("{outputs:?}")
    };
    assert!(refusal.text.contains("shut down"));
    assert_eq!(machine.status().health, health);
}

fn query(machine: &mut Machine, number: u64, query: Query, now: Duration) -> Vec<Output> {
    machine.on(up(1, Up::Query { number, query }), now)
}

fn numbers(outputs: &[Output]) -> Vec<u64> {
    let number = |line: &Down| match line {
        Down::QueryPage { number, .. } => Some(*number),
        _ => None,
    };
    lines(outputs).iter().filter_map(number).collect()
}

#[test]
fn a_board_is_told_what_it_asked_last_and_nothing_that_it_forgot() {
    let mut machine = settled(vec![]);
    let log = || Query::Log { session: SessionId("s".into()), limit: 9 };
    let ask = |outputs: &[Output]| match outputs {
        [Output::Ask { id, request: Request::Log { limit: 9, .. } }] => *id,
        other => panic!("{other:?}"),
    };
    let first = ask(&query(&mut machine, 1, log(), ms(200)));
    let second = ask(&query(&mut machine, 2, log(), ms(201)));
    let answered = |id| Input::Daemon(DaemonEvent::Answered { id, answer: Ok(Answer::Log(vec![])) });
    assert_eq!(machine.on(answered(first), ms(300)), []);
    let outputs = machine.on(answered(second), ms(301));
    assert_eq!(numbers(&outputs), [2]);
    // The third answer waits behind the second one's batch, and its view is closed meanwhile.
    let third = ask(&query(&mut machine, 3, log(), ms(302)));
    machine.on(answered(third), ms(303));
    machine.on(up(1, Up::QueryDropped { number: 3 }), ms(304));
    let next = machine.on(ack(&outputs), ms(305));
    assert_eq!(numbers(&next), [0_u64; 0]);
    assert_eq!(numbers(&machine.on(Input::Tick, ms(500))), [0_u64; 0]);
}

#[test]
fn a_question_without_a_daemon_is_answered_at_once() {
    let mut machine = settled(vec![]);
    let detail = || Query::Detail { session: SessionId("s".into()) };
    query(&mut machine, 1, detail(), ms(200));
    let lost = DaemonHealth::Unreachable { text: "gone".into() };
    let outputs = machine.on(Input::Daemon(DaemonEvent::Lost(lost)), ms(210));
    assert_eq!(numbers(&outputs), [1], "the open one too");
    machine.on(ack(&outputs), ms(211));
    query(&mut machine, 2, detail(), ms(212));
    let outputs = machine.on(Input::Tick, ms(400));
    assert_eq!(numbers(&outputs), [2]);
}

#[test]
fn g2_a_skip_is_a_question_whose_count_becomes_the_outcome() {
    for (count, notice) in
        [(0, "nobody waits for anything there"), (1, "1 wait skipped"), (2, "2 waits skipped")]
    {
        let mut machine = settled(vec![]);
        let session = SessionId("s".into());
        let skip = Intent::SkipWaits { session: session.clone() };
        let asked = intent(&mut machine, "c1", skip, ms(200));
        let [Output::Ask { id, request: Request::SkipWaits { session: named } }] = &asked[..] else {
            panic!("{asked:?}")
        };
        assert_eq!(named, "s");
        let answer = Ok(Answer::WaitsSkipped { count });
        let outputs = machine.on(Input::Daemon(DaemonEvent::Answered { id: *id, answer }), ms(210));
        let outcome = CommandOutcome::Applied { session, notice: Some(notice.into()) };
        let command_id = CommandId("c1".into());
        assert_eq!(lines(&outputs)[0], Down::Outcome { instance: InstanceId(1), command_id, outcome });
    }
}

//! Commands against every stage of a session's life, by hand.

use super::*;
use crate::coordinator::deliver::Refusing;
use crate::model::{
    apply,
    samples::{attached, begun, exited, fact, session, started},
};
use board_protocol::{command::EnvVar, host::Exit, state::CommandSource};

const ID: &str = "0000000001";

/// The stages of a life that commands are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Queued,
    Running,
    Stopping,
    Ended,
}

fn at(stage: Stage) -> Sessions {
    let mut sessions = Sessions::new();
    begun(&mut sessions, ID, "sample");
    let facts = match stage {
        Stage::Queued => vec![],
        Stage::Running => vec![started(1)],
        Stage::Stopping => vec![started(1), FactKind::StopRequested { then: AfterStop::Stays }],
        Stage::Ended => vec![started(1), exited(2, Exit::Code(1))],
    };
    for (step, kind) in (2_u64..).zip(facts) {
        apply(&mut sessions, &fact(ID, step * 10, kind));
    }
    sessions
}

fn environment() -> Environment {
    let shell = EnvVar { name: b"SHELL".to_vec().into(), value: b"/bin/zsh".to_vec().into() };
    Environment { variables: vec![shell], taken_at: UnixMs(7) }
}

fn fresh() -> Fresh {
    Fresh {
        session: session("00000000ff"),
        generation: Generation("22222222-bbbb".into()),
        item: QueueItemId("00000000ee".into()),
        run: RunId("r1".into()),
    }
}

fn sight(reach: Reach) -> Sight {
    Sight { reach, editor: None, unheard_ms: 0, refusal: Refusing::No }
}

fn try_out(sessions: &Sessions, command: &Command, reach: Reach) -> Result<Allowed, Refusal> {
    let (fresh, environment) = (fresh(), environment());
    let prepared = Prepared { program: "/bin/pi".into(), extension: "/e.ts".into(), terminals: None };
    let preflight = Preflight::Passed { prepared: Some(prepared), worktree: None };
    let given = Given {
        now: UnixMs(1000),
        fresh: &fresh,
        environment: Some(&environment),
        preflight: Some(&preflight),
        reach,
        sight: sight(reach),
        root: Path::new("/root"),
        source: CommandSource::Person,
        expected_revision: None,
        auto_done: AutoDone::Refused,
        runs: crate::coordinator::RunSettings::default(),
    };
    decide(sessions, command, given)
}

fn start() -> StartSession {
    StartSession {
        name: None,
        agent: "generic".into(),
        launch: Launch::Task("make all".into()),
        cwd: "/tmp".into(),
        size: None,
        model: None,
        thinking: None,
        tags: Vec::new(),
        remember: Default::default(),
    }
}

#[test]
fn which_command_is_allowed_when() {
    use RefusalKind::{HostUnreachable, WrongState};
    use Stage::{Ended, Queued, Running, Stopping};
    type Make = fn(SessionId) -> Command;
    let rerun: Make = |session| Command::Rerun { session };
    let interrupt: Make = |session| Command::Interrupt { session };
    let stop: Make = |session| Command::Stop { session };
    let remove: Make = |session| Command::Remove { session };
    let visit: Make = |session| Command::Visit { session };
    let table: Vec<(&str, Make, Stage, Reach, Option<RefusalKind>)> = vec![
        ("rerun", rerun, Queued, Reach::Connected, Some(WrongState)),
        ("rerun", rerun, Running, Reach::Connected, Some(WrongState)),
        ("rerun", rerun, Stopping, Reach::Connected, Some(WrongState)),
        ("rerun", rerun, Ended, Reach::Away, None),
        ("interrupt", interrupt, Queued, Reach::Connected, Some(WrongState)),
        ("interrupt", interrupt, Running, Reach::Connected, None),
        ("interrupt", interrupt, Running, Reach::Away, Some(HostUnreachable)),
        ("interrupt", interrupt, Stopping, Reach::Connected, None),
        ("interrupt", interrupt, Ended, Reach::Away, Some(WrongState)),
        ("stop", stop, Queued, Reach::Away, None),
        ("stop", stop, Running, Reach::Connected, None),
        ("stop", stop, Running, Reach::Away, None),
        ("stop", stop, Stopping, Reach::Connected, None),
        ("stop", stop, Ended, Reach::Away, Some(WrongState)),
        ("remove", remove, Queued, Reach::Away, None),
        ("remove", remove, Running, Reach::Connected, None),
        ("remove", remove, Stopping, Reach::Connected, None),
        ("remove", remove, Ended, Reach::Away, None),
        ("visit", visit, Running, Reach::Connected, None),
        ("visit", visit, Ended, Reach::Away, None),
    ];
    for (name, make, stage, reach, expected) in table {
        let decided = try_out(&at(stage), &make(session(ID)), reach);
        assert_eq!(decided.err().map(|refusal| refusal.kind), expected, "{name} when {stage:?}, {reach:?}");
    }
    for make in [rerun, interrupt, stop, remove, visit] {
        let refusal = try_out(&Sessions::new(), &make(session(ID)), Reach::Away).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::UnknownSession);
    }
}

#[test]
fn a_start_makes_a_row_and_a_host_from_the_launching_environment() {
    let allowed = try_out(&Sessions::new(), &Command::Start(start()), Reach::Away).unwrap();
    let Fresh { session, generation, .. } = fresh();
    assert_eq!(allowed.session, session);
    assert_eq!(allowed.decision.effects, [Effect::SpawnHost { session, generation }]);
    let [fact] = allowed.decision.facts.as_slice() else { panic!("one fact") };
    let FactKind::SessionBegun(begun) = &fact.kind else { panic!("{fact:?}") };
    assert_eq!(begun.argv, ["/bin/zsh", "-c", "make all"]);
    assert_eq!(
        (begun.name.as_str(), begun.size, begun.environment_at),
        ("make-all", Size::DEFAULT, UnixMs(7))
    );
}

#[test]
fn a_start_that_makes_no_sense_is_refused() {
    let with = |change: fn(&mut StartSession)| {
        let mut start = start();
        change(&mut start);
        start
    };
    let table: Vec<(StartSession, RefusalKind)> = vec![
        (with(|start| start.agent = "nobody".into()), RefusalKind::BadInput),
        (with(|start| start.launch = Launch::Task("  ".into())), RefusalKind::BadInput),
        (with(|start| start.launch = Launch::Argv(vec![])), RefusalKind::BadInput),
        (with(|start| start.launch = Launch::Task("x".repeat(MAX_TASK_BYTES + 1))), RefusalKind::Limit),
        (with(|start| start.cwd = "relative".into()), RefusalKind::BadInput),
        (with(|start| start.cwd = format!("/{}", "x".repeat(MAX_CWD_BYTES))), RefusalKind::BadInput),
        (with(|start| start.name = Some("\u{7}".into())), RefusalKind::BadInput),
    ];
    for (start, kind) in table {
        let refusal = try_out(&Sessions::new(), &Command::Start(start.clone()), Reach::Away).unwrap_err();
        assert_eq!(refusal.kind, kind, "{start:?}");
    }
    let fresh = fresh();
    let (now, root) = (UnixMs(1), Path::new("/root"));
    let given = Given {
        now,
        fresh: &fresh,
        environment: None,
        preflight: None,
        reach: Reach::Away,
        sight: sight(Reach::Away),
        root,
        source: CommandSource::Person,
        expected_revision: None,
        auto_done: AutoDone::Refused,
        runs: crate::coordinator::RunSettings::default(),
    };
    let refusal = decide(&Sessions::new(), &Command::Start(start()), given).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::BadInput);
    let environment = environment();
    let missing = Refusal::new(RefusalKind::MissingProgram, "no such program");
    let preflight = Preflight::Refused(missing.clone());
    let given = Given { environment: Some(&environment), preflight: Some(&preflight), ..given };
    assert_eq!(decide(&Sessions::new(), &Command::Start(start()), given).unwrap_err(), missing);
}

#[test]
fn a_stop_is_recorded_once_and_ordered_each_time() {
    let order = Effect::OrderHost { session: session(ID), order: HostOrder::Stop };
    let stop = Command::Stop { session: session(ID) };
    let first = try_out(&at(Stage::Running), &stop, Reach::Connected).unwrap();
    assert_eq!(first.decision.facts.len(), 1);
    assert_eq!(first.decision.effects, std::slice::from_ref(&order));
    assert_eq!(first.notice, None);
    let second = try_out(&at(Stage::Stopping), &stop, Reach::Connected).unwrap();
    assert_eq!(second.decision.facts, []);
    assert_eq!(second.decision.effects, [order]);
    assert!(try_out(&at(Stage::Running), &stop, Reach::Away).unwrap().notice.is_some());
}

#[test]
fn removing_what_runs_stops_it_first() {
    let remove = Command::Remove { session: session(ID) };
    for stage in [Stage::Queued, Stage::Running, Stage::Stopping] {
        let allowed = try_out(&at(stage), &remove, Reach::Connected).unwrap();
        let [fact] = allowed.decision.facts.as_slice() else { panic!("{stage:?}") };
        assert_eq!(fact.kind, FactKind::StopRequested { then: AfterStop::Removed }, "{stage:?}");
        assert!(allowed.notice.is_some());
    }
    let allowed = try_out(&at(Stage::Ended), &remove, Reach::Away).unwrap();
    assert_eq!(allowed.decision.facts[0].kind, FactKind::SessionRemoved);
    assert_eq!((allowed.decision.effects, allowed.notice), (vec![], None));
}

#[test]
fn an_interrupt_is_one_ctrl_c() {
    let allowed =
        try_out(&at(Stage::Running), &Command::Interrupt { session: session(ID) }, Reach::Connected).unwrap();
    let order = HostOrder::Interrupt { key: vec![3] };
    assert_eq!(allowed.decision.effects, [Effect::OrderHost { session: session(ID), order }]);
}

#[test]
fn a_visit_is_recorded_only_where_there_is_something_unread() {
    let visit = Command::Visit { session: session(ID) };
    let facts = |sessions: &Sessions| try_out(sessions, &visit, Reach::Away).unwrap().decision.facts.len();
    assert_eq!(facts(&at(Stage::Running)), 0);
    assert_eq!(facts(&at(Stage::Ended)), 1);
    let mut seen = at(Stage::Running);
    apply(&mut seen, &fact(ID, 30, attached(2, 1)));
    apply(&mut seen, &fact(ID, 40, exited(3, Exit::Code(0))));
    assert_eq!(facts(&seen), 0);
}

#[test]
fn the_board_has_a_limit() {
    let mut sessions = Sessions::new();
    let sample = at(Stage::Ended).remove(&session(ID)).unwrap();
    for number in 0..MAX_SESSIONS {
        sessions.insert(session(&format!("{number:010x}")), sample.clone());
    }
    let refusal = try_out(&sessions, &Command::Start(start()), Reach::Away).unwrap_err();
    assert_eq!(refusal.kind, RefusalKind::Limit);
}

#[test]
fn stopping_everything_leaves_the_ended_alone() {
    let mut sessions = at(Stage::Running);
    begun(&mut sessions, "0000000002", "queued");
    sessions.insert(session("0000000003"), {
        let mut ended = at(Stage::Ended).remove(&session(ID)).unwrap();
        ended.id = session("0000000003");
        ended
    });
    let decision = decide_stop_all(&sessions, UnixMs(1));
    assert_eq!(decision.facts.len(), 2);
    assert_eq!(decision.effects.len(), 2);
}

// A person who gave a row the name of another one was told nothing, and their next command by that name was refused.
#[test]
fn a_rename_to_a_name_that_another_row_has_is_done_and_told() {
    let sessions = at(Stage::Running);
    let own = SessionId(ID.into());
    let Ok(Allowed { decision, session, .. }) =
        try_out(&sessions, &Command::Start(start()), Reach::Connected)
    else {
        panic!("not started");
    };
    let mut both = sessions.clone();
    for fact in &decision.facts {
        apply(&mut both, fact);
    }
    let taken = both[&own].name.clone();
    let rename = |name: &str| Command::Rename { session: session.clone(), name: name.into() };
    let told = try_out(&both, &rename(&taken), Reach::Connected).unwrap();
    let notice = told.notice.unwrap();
    assert!(notice.contains(&taken) && notice.contains(ID), "{notice}");
    assert_eq!(told.decision.facts.len(), 1, "it is renamed all the same");
    assert_eq!(try_out(&both, &rename("of its own"), Reach::Connected).unwrap().notice, None);
    let same = both[&session].name.clone();
    assert_eq!(try_out(&both, &rename(&same), Reach::Connected).unwrap().notice, None);
}

//! What a start leaves for the next launch dialog, and a start of an agent without words.

use super::*;
use crate::{
    agents::Prepared,
    coordinator::{Preflight, Question, Ticket},
};
use board_protocol::{
    command::{Launch, Remember, StartSession},
    daemon::{Answer, LaunchPreferences},
    refusal::Refusal,
    state::ProcessState,
};

fn start(agent: &str, task: &str, cwd: &str) -> StartSession {
    StartSession {
        name: None,
        agent: agent.into(),
        launch: Launch::Task(task.into()),
        cwd: cwd.into(),
        size: None,
        model: None,
        thinking: None,
        tags: Vec::new(),
        remember: Remember::Nothing,
    }
}

/// Has it started after a check of its directory and program.
fn starts(play: &mut Play, id: &str, start: StartSession, found: Preflight) -> Vec<Output> {
    let mut input = play.command(id, Command::Start(start));
    if let Input::Command { preflight, .. } = &mut input {
        *preflight = Some(found);
    }
    play.coordinator.handle(vec![input])
}

fn passed() -> Preflight {
    let prepared = Some(Prepared { program: "/bin/pi".into(), extension: "/e.ts".into(), terminals: None });
    Preflight::Passed { prepared, worktree: None }
}

fn preferences(play: &mut Play) -> LaunchPreferences {
    play.tickets += 1;
    let ticket = Ticket(play.tickets);
    let asked = Input::Asked { ticket, question: Question::LaunchPreferences };
    preferences_in(&play.coordinator.handle(vec![asked]))
}

fn preferences_in(outputs: &[Output]) -> LaunchPreferences {
    match outputs {
        [Output::Answer { answer: Ok(Answer::LaunchPreferences(preferences)), .. }] => {
            (**preferences).clone()
        }
        other => panic!("{other:?}"),
    }
}

fn directories(preferences: &LaunchPreferences) -> Vec<(&str, u64)> {
    preferences.directories.iter().map(|favourite| (favourite.path.as_str(), favourite.uses)).collect()
}

#[test]
fn a13_a_start_counts_its_directory_in_its_own_commit_and_a_deleted_row_takes_nothing_back() {
    let mut play = Play::new();
    let outputs = starts(&mut play, "c1", start("generic", "make", "/srv/web"), passed());
    let CommandOutcome::Applied { session, .. } = outcome(&outputs) else { panic!("{outputs:?}") };
    starts(&mut play, "c2", start("generic", "make", "/srv/web"), passed());
    // The same command again is the same start.
    starts(&mut play, "c2", start("generic", "make", "/srv/web"), passed());
    let gone = Refusal::new(RefusalKind::BadInput, "there is no directory /srv/gone");
    let refused = starts(&mut play, "c3", start("generic", "make", "/srv/gone"), Preflight::Refused(gone));
    assert!(matches!(outcome(&refused), CommandOutcome::Refused(_)));
    assert_eq!(directories(&preferences(&mut play)), [("/srv/web", 2)]);
    let remove = play.command("c4", Command::Remove { session });
    play.coordinator.handle(vec![remove]);
    let (mut play, _) = play.restart();
    assert_eq!(directories(&preferences(&mut play)), [("/srv/web", 2)]);
    play.tickets += 1;
    let forget = Input::ForgetDirectory { ticket: Ticket(play.tickets), path: "/srv/web".into() };
    assert_eq!(directories(&preferences_in(&play.coordinator.handle(vec![forget]))), []);
}

#[test]
fn d13_a_dialog_is_remembered_by_its_choices_and_its_tags_are_the_rows() {
    let mut play = Play::new();
    let chosen = StartSession {
        model: Some("fake/m".into()),
        thinking: Some("low".into()),
        tags: vec!["#Web".into(), "urgent".into(), "web".into()],
        remember: Remember::Choices,
        name: Some("login".into()),
        ..start("pi", "fix it", "/srv/web")
    };
    let outputs = starts(&mut play, "c1", chosen.clone(), passed());
    let CommandOutcome::Applied { session, .. } = outcome(&outputs) else { panic!("{outputs:?}") };
    let row = play.show(&session).row;
    assert_eq!((row.name.as_str(), &row.tags[..]), ("login", &["urgent".to_owned(), "web".to_owned()][..]));
    // A quick line says what it wants each time, and changes nothing of that.
    starts(&mut play, "c2", start("generic", "make", "/srv/web"), passed());
    let kept = preferences(&mut play);
    let words = [kept.agent.as_deref(), kept.model.as_deref(), kept.thinking.as_deref()];
    assert_eq!(words, [Some("pi"), Some("fake/m"), Some("low")]);
    let refused = [
        StartSession { tags: vec!["two words".into()], ..chosen.clone() },
        StartSession { tags: (0..17).map(|number| format!("t{number}")).collect(), ..chosen },
    ];
    for (number, start) in refused.into_iter().enumerate() {
        let outputs = starts(&mut play, &format!("r{number}"), start, passed());
        assert!(matches!(outcome(&outputs), CommandOutcome::Refused(_)), "{outputs:?}");
    }
}

// An agent could not be opened without something to say to it.
#[test]
fn an_agent_that_is_started_without_words_waits_for_instructions() {
    let mut play = Play::new();
    let outputs = starts(&mut play, "c1", start("pi", " \n", "/srv/web"), passed());
    let launch = outputs.iter().find_map(|output| match output {
        Output::Spawn(launch) => Some((**launch).clone()),
        _ => None,
    });
    let launch = launch.expect("a host is started");
    assert_eq!(play.show(&launch.session).row.state, SemanticState::Queued);
    play.host_comes(&launch, 50, 1);
    let row = play.show(&launch.session).row;
    assert_eq!(
        (row.name.as_str(), row.state, row.process_state, row.busy),
        ("pi", SemanticState::Idle, ProcessState::Exited, false)
    );
    let generic = starts(&mut play, "c2", start("generic", " ", "/srv/web"), passed());
    assert!(matches!(outcome(&generic), CommandOutcome::Refused(_)), "a command line is needed");
    // It is entered again after its end: nothing was said, so nothing is said again.
    play.coordinator.handle(vec![reported(ConnectionId(1), 2, exit(0))]);
    let (mut play, _) = play.restart();
    assert_eq!(play.show(&launch.session).row.process_state, ProcessState::Exited);
}

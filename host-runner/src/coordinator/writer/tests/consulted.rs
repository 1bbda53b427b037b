//! Commands of a person's own on a real store: when they are asked, and that nothing late, refused or unreadable moves a
//! row.

use super::{
    agent::{HOST, journal, prepared, running, says},
    *,
};
use crate::{
    coordinator::{ClassifierSettings, Consult},
    model::{
        auto_state::{AutoDone, text_hash},
        consult::Consultation,
    },
};
use board_protocol::{
    command::{Launch, Remember, StartSession},
    host::HostLaunch,
    state::{Classification, ClassificationKind, ClassifierKind, CommandSource, Confidence},
};
use serde_json::json;

const WORDS: &str = "Everything is green.";
const DONE: &str = r#"{"state":"done","confidence":"high","reason":"it is"}"#;
const ASKS: &str = r#"{"state":"needs_input","question":"Merge it?"}"#;

fn consults(outputs: &[Output]) -> Vec<Consult> {
    let asked = |output: &Output| match output {
        Output::Consult(consult) => Some((**consult).clone()),
        _ => None,
    };
    outputs.iter().filter_map(asked).collect()
}

fn play(kinds: &[Consultation]) -> Play {
    let play = Play::new();
    *play.stage.0.consults.borrow_mut() = kinds.to_vec();
    play
}

/// A turn that ended with these words; the next number is 5.
fn settled(play: &mut Play, words: &str) -> (HostLaunch, Vec<Consult>) {
    let launch = running(play);
    let outputs =
        play.coordinator.handle(vec![says(&launch, 4, json!({"type": "agent_settled", "text": words}))]);
    (launch, consults(&outputs))
}

fn answer(play: &mut Play, consult: &Consult, answer: Result<&str, &str>) -> Vec<Output> {
    let answer = answer.map(str::to_owned).map_err(str::to_owned);
    let Consult { kind, session, about, .. } = consult.clone();
    play.coordinator.handle(vec![Input::Consulted { kind, session, about, answer }])
}

fn command(play: &mut Play, command: Command) {
    let id = format!("c{}", play.tickets);
    let input = prepared(play.command(&id, command));
    let outputs = play.coordinator.handle(vec![input]);
    assert!(matches!(outcome(&outputs), CommandOutcome::Applied { .. }), "{outputs:?}");
}

#[test]
fn b11_the_end_of_a_turn_asks_once_and_its_answer_counts() {
    let mut play = play(&[Consultation::AutoState]);
    let (launch, asked) = settled(&mut play, WORDS);
    let [consult] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!((consult.kind, consult.about.as_str()), (Consultation::AutoState, text_hash(WORDS).as_str()));
    let input: serde_json::Value = serde_json::from_str(&consult.input).unwrap();
    assert_eq!(
        input,
        json!({"kind": "auto_state", "session": launch.session, "name": "fix-it", "agent": "pi", "cwd": "/", "text": WORDS})
    );
    // The rules have spoken at once.
    let before = play.show(&launch.session);
    assert_eq!(before.classification.map(|known| known.by), Some(ClassifierKind::Heuristic));
    answer(&mut play, consult, Ok(ASKS));
    let after = play.show(&launch.session);
    assert_eq!(
        (after.row.state, after.row.question.as_deref()),
        (SemanticState::NeedsInput, Some("Merge it?"))
    );
    assert_eq!(after.classification.map(|known| known.by), Some(ClassifierKind::Model));
    journal(&play);
}

#[test]
fn b11_done_counts_only_where_that_is_configured() {
    for (done, state) in
        [(AutoDone::Refused, SemanticState::Idle), (AutoDone::Allowed, SemanticState::Completed)]
    {
        let mut play = play(&[Consultation::AutoState]);
        play.stage.0.classifier.set(ClassifierSettings { done, ..ClassifierSettings::default() });
        let (launch, asked) = settled(&mut play, WORDS);
        answer(&mut play, &asked[0], Ok(DONE));
        assert_eq!(play.show(&launch.session).row.state, state);
    }
}

// Acceptance I.5 A8: also over a daemon, and in the replay.
#[test]
fn i5_a8_a_stale_answer_never_beats_a_verdict_also_after_a_restart() {
    for state in [SemanticState::Holding, SemanticState::Completed] {
        let mut play = play(&[Consultation::AutoState]);
        let (launch, asked) = settled(&mut play, WORDS);
        let session = launch.session.clone();
        let verdict = match state {
            SemanticState::Holding => Command::MarkHolding { session: session.clone() },
            _ => Command::MarkCompleted { session: session.clone() },
        };
        command(&mut play, verdict);
        answer(&mut play, &asked[0], Ok(ASKS));
        assert_eq!(play.show(&session).row.state, state);
        assert!(play.log(&session).contains(&"manual_fence".to_owned()), "{:?}", play.log(&session));
        let (mut play, _) = play.restart();
        answer(&mut play, &asked[0], Ok(ASKS));
        let detail = play.show(&session);
        assert_eq!((detail.row.state, detail.classification), (state, None));
        journal(&play);
    }
}

#[test]
fn i5_a8_an_answer_about_older_words_is_refused_and_logged() {
    let mut play = play(&[Consultation::AutoState, Consultation::Summary]);
    let (launch, asked) = settled(&mut play, WORDS);
    assert_eq!(asked.len(), 2);
    play.coordinator.handle(vec![
        says(&launch, 5, json!({"type": "input", "source": "interactive"})),
        says(&launch, 6, json!({"type": "agent_settled", "text": "Something else."})),
    ]);
    answer(&mut play, &asked[0], Ok(ASKS));
    answer(&mut play, &asked[1], Ok("All is green"));
    let row = play.show(&launch.session).row;
    assert_eq!((row.state, row.summary.as_str()), (SemanticState::Idle, "Something else."));
    let log = play.log(&launch.session);
    assert!(log.contains(&"stale_run".to_owned()) && log.contains(&"summary_command".to_owned()), "{log:?}");
}

#[test]
fn b11_a_result_of_a_model_for_the_same_words_is_not_asked_for_again() {
    let mut play = play(&[Consultation::AutoState]);
    play.stage
        .0
        .classifier
        .set(ClassifierSettings { rules: crate::coordinator::AutoState::Off, ..Default::default() });
    let (launch, asked) = settled(&mut play, WORDS);
    // Said again while the first question is open.
    let again = |play: &mut Play, seq: u64| {
        let event = json!({"type": "agent_settled", "text": WORDS});
        consults(&play.coordinator.handle(vec![says(&launch, seq, event)])).len()
    };
    assert_eq!(again(&mut play, 5), 0, "it is asked already");
    answer(&mut play, &asked[0], Ok(ASKS));
    let classification = Classification {
        kind: ClassificationKind::InProgress,
        confidence: Confidence::High,
        by: ClassifierKind::Model,
        reason: "it says so".into(),
        question: None,
        text_hash: text_hash(WORDS),
    };
    let classify = Command::Classify { session: launch.session.clone(), classification };
    let input = play.command_of(CommandSource::Classifier, "another", classify);
    play.coordinator.handle(vec![input]);
    assert_eq!(play.show(&launch.session).classification.map(|known| known.by), Some(ClassifierKind::Model));
    let words = SessionId::clone(&launch.session);
    let mut turn = crate::coordinator::turn::Turn::default();
    play.coordinator.consult_about_words(&words, WORDS, &mut turn);
    assert!(turn.effects.is_empty(), "a model has read these words");
}

#[test]
fn a_command_that_fails_leaves_one_line_and_is_not_asked_again() {
    for (answered, words) in
        [(Err("it took too long and was ended"), "took too long"), (Ok("gibberish"), "no JSON object")]
    {
        let mut play = play(&[Consultation::AutoState]);
        let (launch, asked) = settled(&mut play, WORDS);
        let before = play.show(&launch.session).row.state;
        let outputs = answer(&mut play, &asked[0], answered);
        assert!(consults(&outputs).is_empty());
        assert!(consults(&play.coordinator.handle(vec![Input::Tick])).is_empty(), "nothing tries again");
        assert_eq!(play.show(&launch.session).row.state, before);
        let lines = play.coordinator.store.log(&launch.session, 100).unwrap();
        let lines: Vec<_> = lines.iter().filter(|line| line.code == "auto_state_command").collect();
        assert!(lines.len() == 1 && lines[0].message.contains(words), "{lines:?}");
    }
}

fn started(play: &mut Play, name: Option<&str>) -> Vec<Consult> {
    let start = StartSession {
        name: name.map(str::to_owned),
        agent: "pi".into(),
        launch: Launch::Task("Fix the login, it fails".into()),
        cwd: "/".into(),
        size: None,
        model: None,
        thinking: None,
        tags: Vec::new(),
        remember: Remember::Nothing,
    };
    let input = prepared(play.command("start", Command::Start(start)));
    consults(&play.coordinator.handle(vec![input]))
}

#[test]
fn d3_a_title_takes_the_place_of_a_made_up_name_only() {
    let mut given = play(&[Consultation::Title]);
    assert!(started(&mut given, Some("mine")).is_empty(), "a person gave it a name");
    let mut made_up = play(&[Consultation::Title]);
    let asked = started(&mut made_up, None);
    let [consult] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!((consult.kind, consult.about.as_str()), (Consultation::Title, "fix-the-login-it-fails"));
    answer(&mut made_up, consult, Ok("\"Login fails for everyone today\"\n"));
    assert_eq!(made_up.show(&consult.session).row.name, "Login fails for everyone");
    // It has another name by now.
    answer(&mut made_up, consult, Ok("Too late"));
    assert_eq!(made_up.show(&consult.session).row.name, "Login fails for everyone");
    journal(&made_up);
    let mut renamed = play(&[Consultation::Title]);
    let asked = started(&mut renamed, None);
    let session = asked[0].session.clone();
    command(&mut renamed, Command::Rename { session: session.clone(), name: "mine".into() });
    answer(&mut renamed, &asked[0], Ok("Login fails"));
    assert_eq!(renamed.show(&session).row.name, "mine");
}

#[test]
fn d3_a_summary_stands_for_the_words_that_it_is_about() {
    let mut play = play(&[Consultation::Summary]);
    let (launch, asked) = settled(&mut play, WORDS);
    answer(&mut play, &asked[0], Ok("All tests are green now and nothing is left over"));
    assert_eq!(play.show(&launch.session).row.summary, "All tests are green now and nothing is");
    let (mut play, _) = play.restart();
    assert_eq!(play.show(&launch.session).row.summary, "All tests are green now and nothing is");
    play.coordinator.handle(vec![Input::HostRegistered {
        connection: HOST,
        version: 5,
        registration: registration(&launch, 50),
    }]);
    play.coordinator.handle(vec![
        says(&launch, 5, json!({"type": "input", "source": "interactive"})),
        says(&launch, 6, json!({"type": "agent_settled", "text": "Now the docs are done too."})),
    ]);
    assert_eq!(play.show(&launch.session).row.summary, "Now the docs are done too.");
    journal(&play);
}

#[test]
fn nothing_is_asked_where_no_command_is_set_or_a_program_has_no_turns() {
    let mut none = play(&[]);
    assert!(settled(&mut none, WORDS).1.is_empty());
    let mut generic = play(&Consultation::ALL);
    let (_, outputs) = generic.start("start");
    assert!(consults(&outputs).is_empty());
}

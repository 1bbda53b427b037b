//! A conversation of pi that began elsewhere, on a real store (reference C.5 `adopt_session`, D.4).

use super::{
    agent::{HOST, journal, prepared, running, says, spawned},
    *,
};
use board_protocol::{command::AdoptSession, host::HostLaunch, state::ProcessState};
use serde_json::json;

const FILE: &str = "/home/me/.pi/agent/sessions/one.jsonl";

fn adopt(play: &mut Play, transcript: &str, prompt: Option<&str>) -> (CommandOutcome, Vec<Output>) {
    let adopted = AdoptSession {
        agent: "pi".into(),
        transcript: transcript.into(),
        cwd: "/".into(),
        size: None,
        prompt: prompt.map(str::to_owned),
    };
    let id = format!("adopt {}", play.tickets);
    let input = prepared(play.command(&id, Command::Adopt(adopted)));
    let outputs = play.coordinator.handle(vec![input]);
    (outcome(&outputs), outputs)
}

fn kept_in(launch: &HostLaunch) -> &str {
    let at = launch.argv.iter().position(|word| word == "--session").unwrap();
    &launch.argv[at + 1]
}

fn delivered(outputs: &[Output]) -> Vec<String> {
    let orders = orders(outputs).into_iter();
    orders
        .filter_map(|order| match order {
            HostOrder::Deliver { text, .. } => Some(text.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn d4_a_conversation_from_elsewhere_is_an_idle_row_and_gets_the_words_that_came_with_it() {
    let mut play = Play::new();
    let (outcome, outputs) = adopt(&mut play, FILE, Some("go on"));
    assert!(matches!(outcome, CommandOutcome::Applied { notice: None, .. }), "{outcome:?}");
    let launch = spawned(&outputs);
    assert_eq!(kept_in(&launch), FILE);
    assert!(!launch.argv.iter().any(|word| word.contains("Backgrounded")), "no prompt: {:?}", launch.argv);
    let row = play.show(&launch.session).row;
    assert_eq!((row.state, row.process_state), (SemanticState::Idle, ProcessState::Exited));
    assert_eq!((row.name.as_str(), row.summary.as_str()), ("background-session", "Backgrounded session"));
    assert_eq!(row.queued, 1);
    // Its words wait until pi is there.
    assert_eq!(delivered(&play.host_comes(&launch, 50, HOST.0)), Vec::<String>::new());
    let began = json!({"type": "session_start", "reason": "resume", "sessionFile": FILE});
    let outputs = play.coordinator.handle(vec![says(&launch, 2, began)]);
    assert_eq!(delivered(&outputs), ["go on"]);
    assert_eq!(play.log(&launch.session), ["follow_up_queued", "follow_up_sent"]);
    journal(&play);
    let (mut play, _) = play.restart();
    assert_eq!(play.show(&launch.session).row.summary, "Backgrounded session");
}

// Its host died before pi had named the file: the next life continues the same conversation, and says nothing to it.
#[test]
fn d4_a_resume_keeps_the_file_and_has_no_prompt() {
    let mut play = Play::new();
    let launch = spawned(&adopt(&mut play, FILE, None).1);
    play.host_comes(&launch, 50, HOST.0);
    play.coordinator.handle(vec![reported(HOST, 2, exit(0))]);
    let resume = prepared(play.command("resume", Command::Resume { session: launch.session.clone() }));
    let again = spawned(&play.coordinator.handle(vec![resume]));
    assert_eq!((&again.session, kept_in(&again)), (&launch.session, FILE));
    assert_eq!(again.argv, launch.argv);
    assert_eq!(play.show(&launch.session).row.state, SemanticState::Idle);
    journal(&play);
}

#[test]
fn c5_adopt_session_is_refused_in_a_turn_and_uses_the_row_that_is_there() {
    let mut play = Play::new();
    let launch = running(&mut play);
    let file = kept_in(&launch).to_owned();
    let (outcome, outputs) = adopt(&mut play, &file, Some("go on"));
    assert!(
        matches!(&outcome, CommandOutcome::Refused(refusal) if refusal.kind == RefusalKind::Busy),
        "{outcome:?}"
    );
    assert!(!outputs.iter().any(|output| matches!(output, Output::Spawn(_))));
    assert_eq!(play.show(&launch.session).row.queued, 0, "nothing of it happened");
    // Its turn is over: the same row, and the words go at once.
    play.coordinator.handle(vec![says(&launch, 4, json!({"type": "agent_settled", "text": "Done."}))]);
    let mark = play.command("mark", Command::MarkHolding { session: launch.session.clone() });
    play.coordinator.handle(vec![mark]);
    let (outcome, outputs) = adopt(&mut play, &file, Some("go on"));
    assert!(matches!(&outcome, CommandOutcome::Applied { session, .. } if *session == launch.session));
    assert!(!outputs.iter().any(|output| matches!(output, Output::Spawn(_))), "its host is there");
    assert_eq!(delivered(&outputs), ["go on"]);
    assert_eq!(play.show(&launch.session).row.state, SemanticState::Idle, "a person brought it back");
    // It has ended: the same row gets a host.
    play.coordinator.handle(vec![reported(HOST, 5, exit(1))]);
    let (outcome, outputs) = adopt(&mut play, &file, None);
    assert!(matches!(&outcome, CommandOutcome::Applied { session, .. } if *session == launch.session));
    assert_eq!(kept_in(&spawned(&outputs)), file);
    assert_eq!(play.show(&launch.session).row.state, SemanticState::Idle);
    assert_eq!(play.coordinator.sessions().len(), 1);
    journal(&play);
}

#[test]
fn what_cannot_be_adopted_is_refused_with_a_reason() {
    let mut play = Play::new();
    for (agent, file, says) in [
        ("generic", FILE, "only a conversation of pi"),
        ("pi", "one.jsonl", "absolute path"),
        ("pi", "/a\nb", "absolute path"),
    ] {
        let (transcript, cwd) = (file.into(), "/".into());
        let adopted = AdoptSession { agent: agent.into(), transcript, cwd, size: None, prompt: None };
        let id = format!("adopt {agent} {file:?}");
        let input = prepared(play.command(&id, Command::Adopt(adopted)));
        let CommandOutcome::Refused(refusal) = outcome(&play.coordinator.handle(vec![input])) else {
            panic!("{file}")
        };
        assert!(refusal.text.contains(says), "{refusal}");
    }
    assert!(play.coordinator.sessions().is_empty());
}

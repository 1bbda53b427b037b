//! Flow 6: ten sessions at once, the daemon killed in the middle, then zellij: every row is right afterwards.

use crate::support::{board, enter, wait_says};
use board_protocol::state::SemanticState::{self, Failed, Idle, NeedsInput, Working};
use e2e::{
    Terminal,
    agents::pi::Edition,
    model_server::{Gate, Part, Step},
    pi_stage::{DEADLINE, Stage},
    processes::Process,
    wait::{seen_within, within},
};
use std::time::Duration;

/// Sessions at once.
const MANY: usize = 10;
/// Ten times Node on two cores that run other tests as well.
const ALL_WITHIN: Duration = Duration::from_secs(240);

/// What becomes of the session with this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It has settled before anything is killed.
    Settled,
    /// It has asked before anything is killed.
    Asked,
    /// Its turn ends while there is no daemon.
    Ends,
    /// It asks while there is no daemon.
    Asks,
    /// Its turn still runs at the end.
    Runs,
    /// It is killed while there is no daemon.
    Crashes,
}

impl Fate {
    fn of(number: usize) -> Self {
        let parts =
            [Self::Settled, Self::Asked, Self::Ends, Self::Asks, Self::Runs, Self::Crashes, Self::Runs];
        parts[number % parts.len()]
    }

    fn at_first(self) -> (SemanticState, &'static str) {
        match self {
            Self::Settled => (Idle, "Nothing to do."),
            Self::Asked => (NeedsInput, "Left or right?"),
            _ => (Working, ""),
        }
    }

    fn at_last(self) -> (SemanticState, &'static str) {
        match self {
            Self::Ends => (Idle, "The work is done."),
            Self::Asks => (NeedsInput, "Up or down?"),
            Self::Crashes => (Failed, "signal 9"),
            Self::Settled | Self::Asked | Self::Runs => self.at_first(),
        }
    }

    fn step(self, gate: &Gate, never: &Gate) -> Step {
        match self {
            Self::Settled => Step::text("Nothing to do."),
            Self::Asked => Step::text("Left or right?"),
            Self::Ends => Step::stream([Part::Wait(gate.clone()), Part::Text("The work is done.".into())]),
            Self::Asks => Step::stream([Part::Wait(gate.clone()), Part::Text("Up or down?".into())]),
            Self::Runs | Self::Crashes => Step::slow("Working on it", never, "."),
        }
    }
}

fn name(number: usize) -> String {
    format!("job{number}")
}

/// Waits until every row stands where it belongs, on the board and in `ls`.
fn all_say(terminal: &Terminal, stage: &Stage, expected: impl Fn(Fate) -> (SemanticState, &'static str)) {
    terminal.wait_within(ALL_WITHIN, "every row in its place", |screen| {
        (0..MANY).all(|number| {
            let (state, says) = expected(Fate::of(number));
            let name = name(number);
            screen.state_of(&name) == Some(state)
                && screen.row_of(&name).is_some_and(|row| row.text.contains(says))
        })
    });
    // A question stands on the row as soon as it is said; the turn ends a moment later.
    seen_within(DEADLINE, "which turns run", || {
        let rows = stage.world.rows();
        let right = rows.iter().all(|row| {
            let number = row["name"].as_str().unwrap().trim_start_matches("job").parse().unwrap();
            row["busy"] == (expected(Fate::of(number)).0 == Working)
        });
        if right { Ok(()) } else { Err(rows) }
    });
    let rows = stage.world.rows();
    assert_eq!(rows.len(), MANY, "no row was lost or made: {rows:#?}");
}

#[test]
fn flow6_f1_ten_sessions_outlive_the_daemon_and_zellij_first() {
    let stage = Stage::new(Edition::First);
    let (gate, never) = (Gate::new(), Gate::new());
    for number in 0..MANY {
        let prompt = format!("job {number}");
        let step = Fate::of(number).step(&gate, &never);
        stage.model.push(step.when(move |asked| asked.last_text("user").as_deref() == Some(&prompt)));
    }
    let mut terminal = board(&stage);
    for number in 0..MANY {
        stage.start_named(&name(number), &format!("job {number}"));
    }
    stage.model.wait_for_requests(MANY, ALL_WITHIN).unwrap();
    all_say(&terminal, &stage, Fate::at_first);
    let hosts = stage.world.runners("host");
    assert_eq!(hosts.len(), MANY, "{hosts:#?}");

    // The daemon is killed, and things happen before another one can know of them.
    let victims: Vec<Process> = (0..MANY)
        .filter(|number| Fate::of(*number) == Fate::Crashes)
        .map(|number| {
            let pid = stage.show(&name(number))["child"]["pid"].clone();
            stage.world.processes().into_iter().find(|process| pid == process.identity.pid).unwrap()
        })
        .collect();
    assert!(!victims.is_empty());
    let daemon = stage.world.daemon();
    stage.world.kill(&daemon);
    gate.open();
    victims.iter().for_each(|victim| stage.world.kill(victim));
    // Nobody asks for it: links and hosts start another one.
    within(DEADLINE, "another daemon", || {
        stage.world.runners("daemon").into_iter().find(|process| process.identity != daemon.identity)
    });
    all_say(&terminal, &stage, Fate::at_last);
    let left: Vec<&Process> = hosts.iter().filter(|host| host.runs()).collect();
    assert_eq!(left.len(), MANY - victims.len(), "every other host is the one that it was");

    // zellij is killed, and `up` brings the same board back.
    let server = stage.world.zellij_servers().remove(0);
    stage.world.kill(&server);
    terminal.wait_ended();
    stage.world.wait_runners("link", 0);
    let terminal = e2e::steps::up_as(&stage.world, "again");
    all_say(&terminal, &stage, Fate::at_last);
    assert!(left.iter().all(|host| host.runs()), "{left:#?}");
    assert_eq!(stage.model.requests().len(), MANY, "nothing was said a second time");

    // And they still listen.
    stage
        .model
        .push(Step::text("Right it is.").when(|asked| asked.last_text("user").as_deref() == Some("right")));
    enter(&terminal, &name(1), "Left or right?");
    terminal.line("right");
    stage.wait(&name(1), "answered", |row| row["summary"] == "Right it is." && row["busy"] == false);
    e2e::steps::leave(&terminal);
    wait_says(&terminal, &name(1), Idle, "Right it is.");
}

//! Who speaks to a status bar, and when.

use super::*;
use crate::link::bar::{Bar, BarPattern, BarTarget};

fn with_bar() -> Machine {
    let mut facts = machine().facts;
    facts.bar = Some(Bar::new(
        BarTarget::parse("zjstatus:jobs").unwrap(),
        BarPattern::parse("{working}").unwrap(),
        GlyphSet::Unicode,
    ));
    Machine::new(facts)
}

/// Runs the machine for so long; every ping is answered by these instances. What was said to the bar, by whom.
fn run(
    machine: &mut Machine,
    first: Vec<Input>,
    from: u64,
    to: u64,
    instances: &[u32],
) -> Vec<(u32, String)> {
    let mut said = Vec::new();
    let mut inputs = first;
    for at in (from..to).step_by(10) {
        inputs.push(Input::Tick);
        for input in std::mem::take(&mut inputs) {
            for output in machine.on(input, ms(at)) {
                let Output::Write(bytes) = output else { continue };
                for text in String::from_utf8(bytes).unwrap().lines() {
                    match serde_json::from_str::<DownLine>(text).unwrap().down {
                        Down::Ping { number } => {
                            inputs.extend(instances.iter().map(|id| up(*id, Up::Alive { number })));
                        }
                        Down::StatusBar { instance, text, .. } => said.push((instance.0, text)),
                        _ => {}
                    }
                }
            }
        }
    }
    said
}

fn says(instance: u32, text: &str) -> (u32, String) {
    (instance, format!("zjstatus::pipe::pipe_jobs::{text}"))
}

#[test]
fn one_instance_tells_the_bar_of_every_change_and_again_after_five_seconds() {
    let mut machine = with_bar();
    let both = [1, 2];
    let first = vec![Input::Tick, hello(1), hello(2)];
    assert_eq!(run(&mut machine, first, 0, 1_000, &both), [], "nothing is known yet");
    let one = vec![connected("g"), full(1, vec![row(1, "a")])];
    let said = run(&mut machine, one, 1_000, 2_000, &both);
    assert_eq!(said.len(), 1, "{said:?}");
    let two = vec![full(2, vec![row(1, "a"), row(2, "b")])];
    let said = run(&mut machine, two, 2_000, 6_900, &both);
    assert_eq!(said.len(), 1, "{said:?}");
    let speaker = said[0].0;
    assert_eq!(said[0], says(speaker, "2"));
    let repeated = run(&mut machine, vec![], 6_900, 8_000, &both);
    assert_eq!(repeated, [says(speaker, "2")], "for bars that were born since");
    let lost = DaemonEvent::Lost(DaemonHealth::Unreachable { text: "x".into() });
    let said = run(&mut machine, vec![Input::Daemon(lost)], 8_000, 9_000, &both);
    assert_eq!(said, [says(speaker, "? 2")]);
}

#[test]
fn a_speaker_that_is_gone_without_a_word_is_replaced() {
    let mut machine = with_bar();
    let first = vec![Input::Tick, hello(1), connected("g"), full(1, vec![row(1, "a")])];
    assert_eq!(run(&mut machine, first, 0, 1_000, &[1]), [says(1, "1")]);
    let said = run(&mut machine, vec![hello(2)], 1_000, 60_000, &[2]);
    assert_eq!(said.last(), Some(&says(2, "1")), "{said:?}");
    // One that leaves takes its words back; the other one says them anew.
    let said = run(&mut machine, vec![up(2, Up::Goodbye)], 60_000, 62_000, &[1]);
    assert_eq!(said, [says(1, "1")]);
}

#[test]
fn an_instance_of_an_older_build_is_told_nothing_that_it_cannot_read() {
    let mut machine = with_bar();
    let old = hello_with(1, |hello| hello.versions = Versions { oldest: 1, newest: 3 });
    let first = vec![Input::Tick, old, connected("g"), full(1, vec![row(1, "a")])];
    assert_eq!(run(&mut machine, first, 0, 20_000, &[1]), []);
}

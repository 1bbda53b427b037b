//! Records against what is seen of their processes.

use super::*;
use crate::model::{
    AfterStop, apply,
    samples::{begun, exited, fact, generation, process, session, started},
};
use board_protocol::{host::Exit, state::SemanticState};

const ID: &str = "0000000001";

fn running(extra: impl IntoIterator<Item = FactKind>) -> Sessions {
    let mut sessions = Sessions::new();
    begun(&mut sessions, ID, "sample");
    let spawned = FactKind::HostSpawned { generation: generation(), process: process(50) };
    for (step, kind) in (2_u64..).zip([spawned, started(1)].into_iter().chain(extra)) {
        apply(&mut sessions, &fact(ID, step * 10, kind));
    }
    sessions
}

fn seen(sessions: &Sessions, sighting: Sighting) -> Decision {
    reconcile(sessions, &BTreeMap::from([(session(ID), sighting)]), UnixMs(1_000_000))
}

#[test]
fn silence_and_death() {
    let gone = |program, silent_ms| Sighting::Gone { silent_ms, program };
    let table = [
        (Sighting::Connected { stopping_ms: 0 }, "nothing"),
        (Sighting::Runs { silent_ms: 0 }, "nothing"),
        (Sighting::Runs { silent_ms: 3_600_000 }, "nothing"),
        (Sighting::Unknown { silent_ms: START_GRACE_MS - 1 }, "nothing"),
        (Sighting::Unknown { silent_ms: START_GRACE_MS }, "never started"),
        (gone(Program::Ended, 0), "lost"),
        (gone(Program::Runs, 0), "look again"),
        (gone(Program::Runs, HANGUP_GRACE_MS), "lost with a stray"),
    ];
    for (sighting, expected) in table {
        let decision = seen(&running([]), sighting);
        let found = match (decision.facts.as_slice(), decision.effects.as_slice()) {
            ([], []) => "nothing",
            ([], [Effect::LookAgain { .. }]) => "look again",
            ([fact], []) => match &fact.kind {
                FactKind::HostSpawnFailed { .. } => "never started",
                FactKind::HostLost { strays, .. } if strays.is_empty() => "lost",
                FactKind::HostLost { .. } => "lost with a stray",
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        assert_eq!(found, expected, "{sighting:?}");
    }
}

#[test]
fn what_ended_is_left_alone() {
    let ended = running([exited(2, Exit::Code(0))]);
    let sighting = Sighting::Gone { silent_ms: 0, program: Program::Ended };
    assert_eq!(seen(&ended, sighting), Decision::default());
}

#[test]
fn a_stop_that_is_not_heard_becomes_a_signal() {
    let stopping = running([FactKind::StopRequested { then: AfterStop::Stays }]);
    let signal = |silent_ms| match seen(&stopping, Sighting::Runs { silent_ms }).effects.as_slice() {
        [] => None,
        [Effect::Signal { process: signalled, force }] if *signalled == process(50) => Some(*force),
        other => panic!("{other:?}"),
    };
    assert_eq!(signal(ASK_AFTER_MS - 1), None);
    assert_eq!(signal(ASK_AFTER_MS), Some(Force::Ask));
    assert_eq!(signal(KILL_AFTER_MS), Some(Force::Kill));
    // A host that hangs keeps its connection, and the order lies in its socket.
    let hangs = |stopping_ms| seen(&stopping, Sighting::Connected { stopping_ms }).effects;
    assert_eq!(hangs(DEAF_AFTER_MS - 1), []);
    assert_eq!(hangs(DEAF_AFTER_MS), [Effect::Signal { process: process(50), force: Force::Kill }]);
    // Nobody asked: silence alone kills nothing.
    assert_eq!(seen(&running([]), Sighting::Runs { silent_ms: KILL_AFTER_MS }).effects, []);
}

#[test]
fn doubt_is_said_and_moves_no_row() {
    let sessions = running([]);
    let record = &sessions[&session(ID)];
    assert_eq!(doubt(record, Sighting::Runs { silent_ms: DOUBT_AFTER_MS - 1 }), None);
    assert_eq!(doubt(record, Sighting::Connected { stopping_ms: 0 }), None);
    assert!(doubt(record, Sighting::Runs { silent_ms: DOUBT_AFTER_MS }).unwrap().contains("pid 50"));
    assert_eq!(record.state, SemanticState::Working);
}

#[test]
fn a_removed_row_leaves_when_its_program_has_ended() {
    let all = BTreeSet::from([session(ID)]);
    let stop = FactKind::StopRequested { then: AfterStop::Removed };
    assert_eq!(leaving(&running([stop.clone()]), &all, UnixMs(1)), Decision::default());
    let left = leaving(&running([stop, exited(2, Exit::Code(0))]), &all, UnixMs(1));
    assert_eq!(left.facts[0].kind, FactKind::SessionRemoved);
    let stays = FactKind::StopRequested { then: AfterStop::Stays };
    let stayed = leaving(&running([stays, exited(2, Exit::Code(0))]), &all, UnixMs(1));
    assert_eq!(stayed, Decision::default());
}

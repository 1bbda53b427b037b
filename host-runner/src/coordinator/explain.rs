//! Answers why a session stands where it stands, from its record and the story that is kept of it. Pure.

use crate::{
    model::{Live, SessionRecord, row},
    store::Story,
};
use board_protocol::{
    daemon::{EvidenceLine, Explanation},
    ids::UnixMs,
};

/// How far back an explanation reaches, in milliseconds.
const REACHES_BACK_MS: u64 = 24 * 60 * 60 * 1000;

/// The explanation of one session at this moment.
pub(super) fn explain(record: &SessionRecord, live: &Live, story: Story, now: UnixMs) -> Explanation {
    let Story { mut changes, mut evidence } = story;
    let since = UnixMs(now.0.saturating_sub(REACHES_BACK_MS));
    let recent = changes.iter().position(|change| change.at_ms >= since).unwrap_or(changes.len());
    // And the one before them, which says where it stood when the day began.
    changes.drain(..recent.saturating_sub(1));
    let known_since_ms =
        changes.first().filter(|first| first.from.is_some() && first.at_ms >= since).map(|first| first.at_ms);
    evidence.sort_by(|a, b| (b.at_ms, &a.source).cmp(&(a.at_ms, &b.source)));
    if let Some(decisive) = &record.agent_record.evidence {
        let source = decisive.source.words();
        // What the same source said later moved nothing, and is told behind it.
        evidence.retain(|line| line.source != source || line.at_ms > decisive.at);
        let line =
            EvidenceLine { source: source.to_owned(), at_ms: decisive.at, what: decisive.what.clone() };
        evidence.insert(0, line);
    }
    Explanation { row: row(record, live), changes, evidence, known_since_ms }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        FactKind,
        samples::{after, exited, generation, started},
    };
    use board_protocol::{daemon::StateChange, host::Exit, state::SemanticState};

    const DAY: u64 = REACHES_BACK_MS;

    fn change(at: u64, from: Option<SemanticState>) -> StateChange {
        let (event, rule) = (String::new(), String::new());
        StateChange { at_ms: UnixMs(at), from, to: SemanticState::Idle, event, rule }
    }

    #[test]
    fn a_day_and_the_change_before_it_are_told_and_where_knowledge_begins() {
        let record = after([started(1)]);
        let working = Some(SemanticState::Working);
        let table = [
            // The day before yesterday's are left out, but for the last of them.
            (vec![change(1, None), change(2, working), change(DAY, working)], vec![2, DAY], None),
            // All of them are older: the last one explains the state.
            (vec![change(1, None), change(2, working)], vec![2], None),
            (vec![change(DAY, None), change(DAY + 1, working)], vec![DAY, DAY + 1], None),
            // The beginning is not known any more.
            (vec![change(DAY, working)], vec![DAY], Some(DAY)),
            (vec![], vec![], None),
        ];
        for (changes, told, since) in table {
            let story = Story { changes, evidence: Vec::new() };
            let explanation = explain(&record, &Live::default(), story, UnixMs(DAY + 10));
            assert_eq!(explanation.changes.iter().map(|change| change.at_ms.0).collect::<Vec<_>>(), told);
            assert_eq!(explanation.known_since_ms, since.map(UnixMs));
        }
    }

    #[test]
    fn the_evidence_that_won_comes_first_and_then_the_newest() {
        let record = after([started(1), exited(2, Exit::Code(3))]);
        let line =
            |source: &str, at| EvidenceLine { source: source.into(), at_ms: UnixMs(at), what: "x".into() };
        let decided_at = record.agent_record.evidence.as_ref().unwrap().at.0;
        let evidence = vec![line("agent event", 1), line("person", 99), line("process exit", decided_at)];
        let story = Story { changes: Vec::new(), evidence };
        let explanation = explain(&record, &Live::default(), story, UnixMs(100));
        let sources: Vec<_> = explanation.evidence.iter().map(|line| line.source.as_str()).collect();
        assert_eq!(sources, ["process exit", "person", "agent event"]);
    }

    // A program that was run again stood there as decided by the exit of its earlier run.
    #[test]
    fn the_end_of_an_earlier_run_decides_nothing() {
        let again = FactKind::SessionBegunAgain {
            generation: generation(),
            argv: vec!["make".into()],
            environment_at: UnixMs(5),
        };
        let record = after([started(1), exited(2, Exit::Code(3)), again, started(3)]);
        let line =
            |source: &str, at| EvidenceLine { source: source.into(), at_ms: UnixMs(at), what: "x".into() };
        // And what a person said later without moving it stands behind what decided.
        let story =
            Story { changes: Vec::new(), evidence: vec![line("process exit", 1), line("person", 99)] };
        let explanation = explain(&record, &Live::default(), story, UnixMs(100));
        let sources: Vec<_> = explanation.evidence.iter().map(|line| line.source.as_str()).collect();
        assert_eq!(sources, ["process start", "person", "process exit"]);
    }
}

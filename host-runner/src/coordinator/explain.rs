//! Answers why a session stands where it stands, from its record and the story that is kept of it. Pure.

use crate::{
    model::{Live, SessionRecord, row},
    store::Story,
};
use board_protocol::{daemon::Explanation, ids::UnixMs};

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
    let winner = record.agent_record.evidence.as_ref().map(|evidence| evidence.source.words());
    evidence.sort_by(|a, b| {
        let won = |source: &str| Some(source) == winner;
        (!won(&a.source), b.at_ms, &a.source).cmp(&(!won(&b.source), a.at_ms, &b.source))
    });
    Explanation { row: row(record, live), changes, evidence, known_since_ms }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::{after, exited, started};
    use board_protocol::{
        daemon::{EvidenceLine, StateChange},
        host::Exit,
        state::SemanticState,
    };

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
        let evidence = vec![line("agent event", 1), line("person", 99), line("process exit", 30)];
        let story = Story { changes: Vec::new(), evidence };
        let explanation = explain(&record, &Live::default(), story, UnixMs(100));
        let sources: Vec<_> = explanation.evidence.iter().map(|line| line.source.as_str()).collect();
        assert_eq!(sources, ["process exit", "person", "agent event"]);
    }
}

//! What an agent's report comes to: facts, beats and diagnostics. Pure.
//!
//! A report counts only for the session whose secret it carries and only in the order in which its agent made it; what is
//! late, foreign or unknown becomes a diagnostic and moves no row (field report A29).

use super::{
    decision::Decision,
    mirror::{self, Rejected},
};
use crate::{
    agents::{
        AgentKind,
        event::{AgentEvent, Diagnostic, Ending, InputSource, Parsed, Place, SessionStart},
        questions::QuestionTools,
    },
    model::{
        FactKind, SessionRecord,
        command::StateKind,
        news::{self, AgentNews, Beat, Reading},
    },
};
use board_protocol::{
    host::AgentReport,
    ids::{FactSeq, Generation, UnixMs},
    state::{ProcessState, SemanticState},
};

/// What a report comes to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heard {
    /// What it changes.
    pub decision: Decision,
    /// What it shows for a while.
    pub beats: Vec<Beat>,
    /// What whoever looks for a fault should see.
    pub diagnostics: Vec<Diagnostic>,
    /// What may not move the row.
    pub rejected: Vec<Rejected>,
    /// The last words of a piece of work that ended well and may move the row: what a classifier reads. Empty when the
    /// agent did not repeat them.
    pub settled: Option<String>,
    /// Everything that it said, if it counts: what there is to show for its work is made of that, whatever stands.
    pub said: Vec<AgentEvent>,
}

/// A report with everything around it.
#[derive(Debug, Clone, Copy)]
pub struct Telling<'a> {
    /// The generation of the host that it came through, or that the session has now.
    pub generation: &'a Generation,
    /// The host's number of it; `None` when no host had it.
    pub seq: Option<FactSeq>,
    /// When it happened.
    pub at: UnixMs,
    /// The report. Its secret was checked.
    pub report: &'a AgentReport,
}

/// Reads one report about this session.
pub fn listen(record: &SessionRecord, telling: Telling<'_>, question_tools: &QuestionTools) -> Heard {
    let mut heard = Heard::default();
    let Telling { report, at, .. } = telling;
    if AgentKind::parse(&report.adapter).ok() != Some(record.agent) {
        heard.note(
            "foreign_adapter",
            &format!("{} reports to a session of {}", report.adapter, record.agent.name()),
        );
        return heard;
    }
    let Some(parsed) = record.agent.read(&report.payload, question_tools) else {
        heard.note("unread_event", "this agent's reports are not read");
        return heard;
    };
    if !record.is_live() || *telling.generation != record.host.generation {
        heard.note("late_event", &format!("its process has ended: {}", excerpt(&report.payload)));
        return heard;
    }
    if is_late(record.agent_record.heard.as_ref(), parsed.place.as_ref()) {
        heard.note("late_event", &excerpt(&report.payload));
        return heard;
    }
    if is_foreign(record, &parsed) {
        heard.note("foreign_session", &excerpt(&report.payload));
        return heard;
    }
    if is_overtaken(record, telling, parsed.place.as_ref()) {
        heard.note("late_event", &excerpt(&report.payload));
        return heard;
    }
    heard.said.clone_from(&parsed.events);
    let mut news = Vec::new();
    let mut settled = None;
    for event in parsed.events {
        if let AgentEvent::AgentSettled(end) = &event
            && end.ending == Ending::Finished
        {
            settled = Some(end.text.clone().unwrap_or_default());
        }
        match news::read(event) {
            Reading::News(one) if says_nothing(record, &one) => {}
            // What an agent hears first is what it was launched with, and it is no word of a person who came back.
            Reading::News(AgentNews::InputGiven { source: InputSource::Person })
                if !record.agent_record.begun && !record.starts_without_words() =>
            {
                news.push(AgentNews::InputGiven { source: InputSource::Launch });
            }
            Reading::News(one) => news.push(one),
            Reading::Beat(beat) => {
                // The report that began this work was lost: the row must not rest while its agent works.
                if beat.is_sign_of_work() && rests(record) && news.is_empty() {
                    match mirror::admit_news(record, telling.generation, &AgentNews::WorkBegan) {
                        Ok(_) => news.push(AgentNews::WorkBegan),
                        // It comes with every tool, and says nothing that would be worth keeping.
                        Err(reject) => heard.rejected.push(Rejected::new(
                            reject,
                            StateKind::SyncForeground.name(),
                            AgentNews::WorkBegan.what(),
                        )),
                    }
                }
                heard.beats.push(beat);
            }
            Reading::Diagnostic(diagnostic) => heard.diagnostics.push(diagnostic),
            Reading::Nothing => {}
        }
    }
    // Whatever ends or begins a piece of work ends what was shown of the one before.
    if news.iter().any(|news| !matches!(news, AgentNews::Spoke(_) | AgentNews::ModelChanged { .. })) {
        heard.beats.insert(0, Beat::Paused);
    }
    let (news, rejected) = mirror::news(record, telling.generation, news);
    if rejected.is_empty() {
        heard.settled = settled;
    }
    heard.rejected.extend(rejected);
    if !news.is_empty() {
        let kind = FactKind::AgentReported {
            generation: telling.generation.clone(),
            seq: telling.seq,
            place: parsed.place,
            news,
        };
        heard.decision.record(&record.id, at, kind);
    }
    heard
}

impl Heard {
    fn note(&mut self, code: &str, detail: &str) {
        self.diagnostics.push(Diagnostic { code: code.to_owned(), detail: detail.to_owned() });
    }
}

fn rests(record: &SessionRecord) -> bool {
    record.process_state == ProcessState::Exited || record.state == SemanticState::Queued
}

fn is_late(newest: Option<&Place>, place: Option<&Place>) -> bool {
    match (newest, place) {
        (Some(newest), Some(place)) => newest.boot == place.boot && place.seq <= newest.seq,
        _ => false,
    }
}

/// Whether another session than the root speaks: an agent that this one started, with the same environment (field report
/// A12). The first session of a process is its root; another one takes its place only after it ended, or where a person
/// cleared it, which no agent that runs for another one does (A31).
fn is_foreign(record: &SessionRecord, parsed: &Parsed) -> bool {
    let agent = &record.agent_record;
    let (Some(speaker), Some(root)) = (&parsed.speaker, &agent.session_id) else { return false };
    let takes_its_place = parsed.events.iter().any(
        |event| matches!(event, AgentEvent::SessionStarted(started) if started.cause == SessionStart::New),
    );
    agent.rooted && speaker != root && !takes_its_place
}

/// Whether an agent that does not number what it says has been overtaken: it wrote this to the disk, and what came after
/// it did not have to. Only then: a clock that was set back must not silence an agent.
fn is_overtaken(record: &SessionRecord, telling: Telling<'_>, place: Option<&Place>) -> bool {
    let newest = record.agent_record.evidence.as_ref().map(|evidence| evidence.at);
    place.is_none() && telling.seq.is_none() && newest.is_some_and(|newest| telling.report.at_ms < newest)
}

/// News that change nothing: agents without numbers say some of them after every tool, and the journal would grow with
/// that.
fn says_nothing(record: &SessionRecord, news: &AgentNews) -> bool {
    let agent = &record.agent_record;
    match news {
        AgentNews::QuestionClosed { id } => !agent.questions.iter().any(|question| question.id == *id),
        AgentNews::BackgroundChanged { running } => agent.background == *running,
        AgentNews::FoundIdle => {
            record.process_state == ProcessState::Exited
                || record.state == SemanticState::Queued
                || agent.background > 0
        }
        _ => false,
    }
}

fn excerpt(payload: &[u8]) -> String {
    String::from_utf8_lossy(payload.get(..payload.len().min(300)).unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests;
